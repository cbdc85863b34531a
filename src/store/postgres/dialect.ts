/*
 * Translates the store's SQLite statements for PostgreSQL. PostgreSQL's first migration creates the missing functions.
 */

const COLUMN = String.raw`(?:"[a-z_]+"\.)?"[a-z_]+"|(?:[a-z_]+\.)?[a-z_]+`;
const QUOTED_OR_VALUE = /'(?:[^']|'')*'|\?/g;

const REPLACED: readonly (readonly [RegExp, string])[] = [
  // A plus before a column keeps SQLite from using an index of it.
  [/\+(?=")/g, ''],
  [new RegExp(String.raw`(${COLUMN}) collate nocase (>=|<=|<|>|=) \?`, 'g'), 'lower($1) $2 lower(?)'],
  [new RegExp(String.raw`(${COLUMN}) collate nocase`, 'g'), 'lower($1)'],
  [new RegExp(String.raw`(${COLUMN}) ->> ('[^']*'|\?)`, 'g'), 'json_extract($1, $2)'],
  [/\bcast\(([^()]+) as integer\)/g, 'as_integer($1)'],
  [/\bgroup_concat\(/g, 'string_agg('],
  [/\bsqlite_sequence\b/g, 'numbers_given'],
  // SQLite reads the tables of a cross join in the written order.
  [/\bcross join (?=[a-z_]+ [a-z]+ on )/g, 'inner join '],
  [/\browid\b/g, 'ctid'],
];

/** An insert into a table with generated ids. */
const COUNTED = /^insert into "([a-z_]+)" \("id", /;
/** The exception: its rows bring their own ids. */
const NAMED = 'daemons';
/** The id of each row, where an insert brings its own ids. */
const ID_OF_ROW = /(values |, )\((\?|null)(?=, )/g;

export interface Translated {
  readonly text: string;
  /** The statement answers one row, whose last column is the generated id. */
  readonly countsUp: boolean;
}

/** The statement in PostgreSQL's dialect, with values as $1, $2 and so on. */
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
