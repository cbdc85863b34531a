/*
 * The store's statements are written for SQLite. Here they are translated for PostgreSQL. The first migration of PostgreSQL makes
 * the functions that it lacks.
 */

const COLUMN = String.raw`(?:"[a-z_]+"\.)?"[a-z_]+"|(?:[a-z_]+\.)?[a-z_]+`;
const QUOTED_OR_VALUE = /'(?:[^']|'')*'|\?/g;

const REPLACED: readonly (readonly [RegExp, string])[] = [
  // A plus before a column keeps SQLite from using an index of the column.
  [/\+(?=")/g, ''],
  [new RegExp(String.raw`(${COLUMN}) collate nocase (>=|<=|<|>|=) \?`, 'g'), 'lower($1) $2 lower(?)'],
  [new RegExp(String.raw`(${COLUMN}) collate nocase`, 'g'), 'lower($1)'],
  [new RegExp(String.raw`(${COLUMN}) ->> ('[^']*'|\?)`, 'g'), 'json_extract($1, $2)'],
  [/\bcast\(([^()]+) as integer\)/g, 'as_integer($1)'],
  [/\bgroup_concat\(/g, 'string_agg('],
  [/\bsqlite_sequence\b/g, 'numbers_given'],
  // SQLite takes a cross join as the order in which to read the tables.
  [/\bcross join (?=[a-z_]+ [a-z]+ on )/g, 'inner join '],
  [/\browid\b/g, 'ctid'],
];

/** An insert into a table whose ids are counted up. */
const COUNTED = /^insert into "([a-z_]+)" \("id", /;
/** The rows of the insert bring their own id. */
const NAMED = 'daemons';
/** The id of each row of an insert that brings its own ids. */
const ID_OF_ROW = /(values |, )\((\?|null)(?=, )/g;

export interface Translated {
  readonly text: string;
  /** The statement answers one row. The last column of that row is the id that was counted up. */
  readonly countsUp: boolean;
}

/** The statement in PostgreSQL's words, with its values as $1, $2 and so on. */
export function translated(statement: string): Translated {
  const found = COUNTED.exec(statement)?.[1];
  const table = found === NAMED ? undefined : found;
  let text = statement.replace(/ on conflict \([^()]+\)/, (target) => target.replaceAll(/"[a-z_]+"\.(?=")/g, ''));
  for (const [pattern, replacement] of REPLACED) text = text.replaceAll(pattern, replacement);
  if (table !== undefined)
    text = text.replaceAll(ID_OF_ROW, (_, before: string, id: string) => `${before}(${idOf(table, id)}`);
  const countsUp = table !== undefined && !/\breturning\b/.test(text);
  if (countsUp) text += ' returning "id"';
  let position = 0;
  return { text: text.replaceAll(QUOTED_OR_VALUE, (part) => (part === '?' ? `$${++position}` : part)), countsUp };
}

function idOf(table: string, id: string): string {
  return id === 'null' ? 'default' : `coalesce(?::bigint, nextval('${table}_id_seq'))`;
}
