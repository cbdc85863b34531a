import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/*
 * The content of all databases of a folder, of the daemon and of both sides, as one short text. Two starts from the same
 * imprint differ only in data that no start uses, so one of them is enough.
 */

const FILES = ['data/stockbridge.db', 'sides/erp.db', 'sides/marketplace.db'];
const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`;

/** Times, which differ with each run of a story: ISO, or since 1970 in s, ms or us. */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:\d\d)?|\b1[6-9]\d{8}(\d{3}|\d{6})?\b/g;

/** Columns for people only, and numbers that nothing refers to. A version is compared only while its job runs. */
const IRRELEVANT = new Set([
  'coverage.id',
  'coverage.rows',
  'stock_history.id',
  'work.reason',
  'work.version',
  'facts tick.value',
]);

/** Ticks count the reads. Only the order of two ticks matters. */
const TICKS = /^(facts .*-tick\.value|.*\.(\w+_)?tick|erp_products\.listing)$/;

interface Value {
  readonly name: string;
  readonly value: unknown;
}

/** @param dir its databases may be in use */
export function imprintOf(dir: string): string {
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(`${file}\n${linesOf(join(dir, file)).join('\n')}\n`);
  return hash.digest('base64url').slice(0, 16);
}

/** Every row of a database. */
function linesOf(file: string): string[] {
  const rows = rowsOf(file);
  const ticks = rows.flatMap((row) => row.filter(({ name }) => TICKS.test(name)).map(({ value }) => Number(value)));
  const order = [...new Set(ticks)].toSorted((a, b) => a - b);
  const shown = ({ name, value }: Value) =>
    `${name}=${TICKS.test(name) ? `tick ${order.indexOf(Number(value))}` : String(value).replace(TIME, 'TIME')}`;
  return rows.map((row) => row.map(shown).join(' ')).toSorted();
}

function rowsOf(file: string): Value[][] {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    const tables = sqlite.prepare<[], string>(TABLES).pluck().all();
    return tables.flatMap((table) => {
      const rows = sqlite.prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`).all();
      return rows.map((row) => valuesOf(table === 'facts' ? `facts ${String(row['name'])}` : table, row));
    });
  } finally {
    sqlite.close();
  }
}

function valuesOf(kind: string, row: Record<string, unknown>): Value[] {
  return Object.entries(row)
    .map(([column, value]) => ({ name: `${kind}.${column}`, value }))
    .filter(({ name }) => !IRRELEVANT.has(name));
}
