import SqliteDatabase from 'better-sqlite3';

/* Plants a hostile text in every field of a database that may hold foreign words: of either side, of a person, of an error. */

/** Columns with our own words, digests and names of accounts. Nobody else can write to these. */
const OURS =
  /^(account|flow|state|lane|outcome|action|origin|how|part|side|cause|code|collection|holder|channel|event|currency|sales_currency|previous_hash|name_key|match_key|license_key|email_key|dropped_as|proof)$|(^|_)hash$/;
const OURS_IN: Readonly<Record<string, readonly string[]>> = {
  '*': ['kind'],
  cursors: ['value'],
  facts: ['name'],
  erp_orders: ['status'],
  stock_history: ['before', 'after'],
};
/** Columns of figures and instants. Any other text is refused before it is stored. */
const CHECKED =
  /^(amount|total|quantity|reserved|available|on_hand|unexplained|unseen|unit_multiplier|(first_)?modified|as_of|rows|candidates)$|^shown_|^to_quantity$|_(at|on|since|amount|instant)$/;
const IS_CHECKED = /^-?\d+(\.\d+)?$|^\d{4}-\d\d-\d\d(T|$)|^\*?$/;
/** Our own words within JSON. */
const WORDS = ['code', 'state', 'currency', 'span', 'brake', 'action', 'marketplace', 'erp'];

/** Among the facts, only alerts are shown. */
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
 * Plants in every row of an SQLite database on which nothing runs: `SB-0001` becomes `hostile('SB-0001')` everywhere, so
 * references still fit. Returns the columns of text without a planted value, as TABLE.COLUMN.
 */
export function plant(file: string, hostile: (text: string) => string): string[] {
  const sqlite = new SqliteDatabase(file);
  sqlite.function('planted', (value) => {
    const text = Buffer.isBuffer(value) ? value.toString('utf8') : value;
    return typeof text === 'string' ? plantedIn(text, hostile) : null;
  });
  // Triggers protect the audit log from changes, so they are dropped.
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
