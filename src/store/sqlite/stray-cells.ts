import type SqliteDatabase from 'better-sqlite3';
import { counted } from '../../domain/counted.ts';

/**
 * The types allowed in each kind of column, because SQLite accepts any. A time may have a fraction of a millisecond.
 */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'null'],
  integer: ['integer', 'real', 'null'],
  blob: ['blob', 'null'],
};

/** Texts that are parsed as JSON with their row. An empty text means no value. */
const JSON_COLUMNS = ['brake_items.reason', 'brake_plans.reason', 'order_bases.record', 'work.hold_reason'];

/**
 * Columns with values that the program never writes and cannot read, each as `work.state (3 rows)`.
 * @param isCurrent the tables are of this version. Earlier ones had other texts.
 */
export function strayCells(sqlite: SqliteDatabase.Database, isCurrent: boolean): string[] {
  const columns = sqlite
    .prepare<[], { table: string; name: string; type: string }>(
      `select t.name as "table", c.name as name, lower(c.type) as type from sqlite_master as t, pragma_table_info(t.name) as c
       where t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\' and t.name not like '\\_\\_%' escape '\\'`,
    )
    .all();
  return [...Map.groupBy(columns, ({ table }) => table)].flatMap(([table, own]) => {
    const typed = own.filter(({ type }) => TYPES[type] !== undefined);
    const counts = typed.map((column) => `sum(${isStray(column, isCurrent)}) as "${column.name}"`);
    const found = sqlite.prepare<[], Record<string, number>>(`select ${counts.join(', ')} from "${table}"`).get() ?? {};
    return Object.entries(found).flatMap(([name, count]) =>
      count > 0 ? [`${table}.${name} (${counted(count, 'row')})`] : [],
    );
  });
}

function isStray({ table, name, type }: { table: string; name: string; type: string }, isCurrent: boolean): string {
  const types = (TYPES[type] ?? []).map((one) => `'${one}'`).join(', ');
  const isOther = `typeof("${name}") not in (${types})`;
  if (!isCurrent || !JSON_COLUMNS.includes(`${table}.${name}`)) return isOther;
  return `${isOther} or ("${name}" <> '' and not json_valid("${name}"))`;
}
