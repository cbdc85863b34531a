import SqliteDatabase from 'better-sqlite3';

/* A hostile text in every field of a database that may hold what somebody else said: of either side, of a person, of an error. */

/** Words of ours, digests, and what names an account. Nobody else decides what stands in these. */
const OURS =
  /^(account|flow|state|lane|outcome|action|origin|how|part|side|cause|code|collection|holder|channel|event|currency|sales_currency|previous_hash|name_key|match_key|license_key|email_key|dropped_as|proof)$|(^|_)hash$/;
const OURS_IN: Readonly<Record<string, readonly string[]>> = {
  '*': ['kind'],
  cursors: ['value'],
  facts: ['name'],
  erp_orders: ['status'],
  stock_history: ['before', 'after'],
};
/** Figures and instants: what is none was refused before it came here. */
const CHECKED =
  /^(amount|total|quantity|reserved|available|on_hand|unexplained|unseen|unit_multiplier|modified|as_of|rows|candidates)$|^shown_|^to_quantity$|_(at|on|since|amount|instant)$/;
const IS_CHECKED = /^-?\d+(\.\d+)?$|^\d{4}-\d\d-\d\d(T|$)|^\*?$/;
/** Words of ours within JSON. */
const WORDS = ['code', 'state', 'currency', 'span', 'brake', 'action', 'marketplace', 'erp'];

/** Of facts, alerts alone are shown. */
const ROWS: Readonly<Record<string, string>> = { facts: "name like 'alert:%'" };

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

const isOurs = ({ table, name }: Column) =>
  OURS.test(name) || CHECKED.test(name) || [...(OURS_IN['*'] ?? []), ...(OURS_IN[table] ?? [])].includes(name);

const textColumns = (sqlite: SqliteDatabase.Database) =>
  (
    sqlite
      .prepare(
        `select t.name as "table", c.name as name, c.type as type from sqlite_master as t, pragma_table_info(t.name) as c
        where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like '\\_\\_%' escape '\\'`,
      )
      .all() as Column[]
  ).filter((column) => ['text', 'blob'].includes(column.type.toLowerCase()) && !isOurs(column));

function plantedIn(text: string, hostile: (text: string) => string): string {
  if (IS_CHECKED.test(text)) return text;
  if (!/^[{[]/.test(text)) return hostile(text);
  return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    typeof value === 'string' && !IS_CHECKED.test(value) && !WORDS.includes(key) ? hostile(value) : value,
  );
}

/**
 * Plants in every row of a database of SQLite that nothing runs on: `SB-0001` becomes `hostile('SB-0001')` wherever it stands, so
 * that what belongs together still does. Answers the columns of text that have nothing planted, as TABLE.COLUMN.
 */
export function plant(file: string, hostile: (text: string) => string): string[] {
  const sqlite = new SqliteDatabase(file);
  sqlite.function('planted', (value) => {
    const text = Buffer.isBuffer(value) ? value.toString('utf8') : value;
    return typeof text === 'string' ? plantedIn(text, hostile) : null;
  });
  // The audit log lets nobody change it.
  for (const name of sqlite.prepare("select name from sqlite_master where type = 'trigger'").pluck().all())
    sqlite.exec(`drop trigger "${String(name)}"`);
  const bare = sqlite.transaction(() =>
    textColumns(sqlite).flatMap(({ table, name, type }) => {
      const planted = type.toLowerCase() === 'blob' ? `cast(planted("${name}") as blob)` : `planted("${name}")`;
      const { changes } = sqlite
        .prepare(
          `update "${table}" set "${name}" = ${planted} where "${name}" <> ${planted} and ${ROWS[table] ?? 'true'}`,
        )
        .run();
      if (changes > 0) return [];
      const known = sqlite.prepare(`update "${table}" set "${name}" = ? where "${name}" is null or "${name}" = ''`);
      return known.run(hostile('')).changes === 0 ? [`${table}.${name}`] : [];
    }),
  )();
  sqlite.close();
  return bare;
}
