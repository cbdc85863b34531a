import type { Dialect } from '../sql/tokens.ts';
import { type Fields, type Found, whyOf } from './fields.ts';
import { isCents } from './rules.ts';
import type { Field } from './shape.ts';
import { Commented, DECIDE } from './yaml.ts';

/** The SQL pieces of a draft, for each kind of database. Pure. */

/** A selected expression, its alias, and why. A reason with `decide:` is left to a person. */
export type Column = readonly [sql: string, name: string, why: string];
/** The expression for a column that was not found. */
export type Placeholder = readonly [sql: string, why: string];

const WORDS =
  /^(all|any|case|change|check|column|condition|desc|end|from|group|groups|index|key|limit|offset|order|position|range|rank|read|references|release|row|rows|select|system|table|to|usage|use|user|values|when|where|window)$/;

export function quoted(name: string, dialect: Dialect): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name) && !WORDS.test(name)) return name;
  return dialect === 'postgres' ? `"${name.replaceAll('"', '""')}"` : `\`${name.replaceAll('`', '``')}\``;
}

export type SqlText = ReturnType<typeof sqlText>;

export function sqlText(dialect: Dialect) {
  const isPostgres = dialect === 'postgres';
  const name = (column: string) => quoted(column, dialect);
  const at = (alias: string, { path: [column = ''] }: Field) => `${alias}.${name(column)}`;
  const literal = (value: string) => `'${(isPostgres ? value : value.replaceAll('\\', '\\\\')).replaceAll("'", "''")}'`;
  const text = (sql: string) => `cast(${sql} as ${isPostgres ? 'text' : 'char(200)'})`;
  /** A figure in whole money, without floating point. */
  const exact = (alias: string, one: Field) => {
    const sql = at(alias, one);
    if (isCents(one)) return `${sql} / 100.0`;
    return one.type === 'float' ? `cast(${sql} as ${isPostgres ? 'numeric' : 'decimal(18, 4)'})` : sql;
  };
  /** The condition for the wanted flag; null if its values do not tell. */
  const holds = ({ field }: Found, wanted: boolean): string | null => {
    const sql = at('t', field);
    if (field.type === 'flag') return wanted ? sql : `not ${sql}`;
    if (field.type === 'whole') return `${sql} ${wanted ? '<>' : '='} 0`;
    const value = field.samples.find((one) => (wanted ? /^(j|ja|y|yes|t)$/i : /^(n|no|nein|f)$/i).test(one));
    return value === undefined ? null : `${sql} = ${literal(value)}`;
  };
  const column = (fields: Fields, role: string, otherwise: Placeholder | null): Column[] => {
    const found = fields[role];
    if (found === undefined) return otherwise === null ? [] : [[otherwise[0], role, otherwise[1]]];
    const why = isCents(found.field) ? `${DECIDE} whether it is in cents (${found.evidence})` : whyOf(found);
    return [[exact('t', found.field), role, why]];
  };
  return {
    name,
    at,
    literal,
    text,
    exact,
    holds,
    column,
    plain: (fields: Fields, roles: readonly string[]) => roles.flatMap((role) => column(fields, role, null)),
    /** What a query without a table selects from. */
    nowhere: isPostgres ? '' : ' from dual',
    query: (columns: readonly Column[], rest: string, ...said: readonly string[]) =>
      new Commented(`select ${selected(columns)}\n${rest}\n`, ...said, ...columns.map(comment)),
  };

  function selected(columns: readonly Column[]): string {
    return columns.map(([sql, as]) => `${sql} as ${name(as)}`).join(',\n  ');
  }
}

function comment([sql, as, why]: Column): string {
  if (why.startsWith(DECIDE)) return `${DECIDE} ${as}:${why.slice(DECIDE.length)}`;
  return `${as}: ${sql}: ${why}`;
}
