import { createHash } from 'node:crypto';
import type { Database as Sqlite } from 'better-sqlite3';
import { Client } from 'pg';
import { MIGRATIONS_DIR } from '../sqlite/schema.ts';
import { strayCells } from '../sqlite/stray-cells.ts';
import { StoreError } from '../store-error.ts';
import { migrationsIn, snapshotAfter } from './migrations.ts';
import { keyOf, listed, quoted } from './schema.ts';
import { asSent, readerOf } from './values.ts';

/* Copies all rows from one engine to the other. Both have the same table descriptions. */

export type Copied = Readonly<Record<string, number>>;

const ROWS_AT_ONCE = 500;
/** The largest accepted row. Real ones have at most a few megabytes. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;
/** The most bytes fetched at once. */
const MAX_FETCHED_BYTES = 64 * 1024 * 1024;
const CONNECT_MS = 30_000;
/** Enough for one full table scan, the longest statement. */
const QUERY_MS = 10 * 60_000;
/** Tables of the running programs. They are not copied. */
const LEFT_OUT: readonly string[] = ['leases', 'daemons', 'daemon_configurations'];
const INSTALLATION = "account = '' and name = 'installation'";

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly countsUp: boolean;
}

type Row = readonly unknown[];

/** Copies a SQLite database into PostgreSQL, all rows or none. @throws StoreError when PostgreSQL has rows already */
export async function copyToPostgres(sqlite: Sqlite, url: string): Promise<Copied> {
  const copied: Record<string, number> = {};
  await inTransaction(url, 'isolation level serializable', async (client) => {
    for (const table of tables()) await refuseRows(client, table);
    for (const table of tables()) {
      const some: Row[] = [];
      for (const row of rowsIn(sqlite, table)) {
        some.push(row);
        if (some.length === ROWS_AT_ONCE) await insert(client, table, some.splice(0));
      }
      if (some.length > 0) await insert(client, table, some);
      if (table.countsUp) await countOn(client, table.name, givenIn(sqlite, table.name));
      copied[table.name] = await sameRows(sqlite, client, table);
    }
    // Without row counts, PostgreSQL chooses plans that take minutes.
    await client.query(`analyze ${listed(tables().map(({ name }) => name))}`);
  });
  return copied;
}

/** Copies PostgreSQL into an empty SQLite database, all rows or none, from one state of the source. */
export async function copyFromPostgres(url: string, sqlite: Sqlite): Promise<Copied> {
  const copied: Record<string, number> = {};
  await inTransaction(url, 'isolation level repeatable read read only', async (client) => {
    sqlite.exec('begin');
    try {
      for (const table of tables()) {
        const marks = table.columns.map(() => '?').join(', ');
        const put = sqlite.prepare(`insert into ${quoted(table.name)} (${listed(table.columns)}) values (${marks})`);
        for await (const rows of pagesOf(client, table)) for (const row of rows) put.run(...row);
        if (table.countsUp) await rememberGiven(client, sqlite, table.name);
        copied[table.name] = await sameRows(sqlite, client, table);
      }
      const stray = strayCells(sqlite, true);
      if (stray.length > 0) throw new StoreError(`these hold what stockbridge never writes: ${stray.join(', ')}`);
      sqlite.exec('commit');
    } catch (error) {
      sqlite.exec('rollback');
      throw error;
    }
  });
  return copied;
}

/** The tables of the newest schema, to which both databases have been migrated. */
function tables(): Table[] {
  const newest = migrationsIn(MIGRATIONS_DIR).at(-1)?.name ?? '';
  return Object.values(snapshotAfter(MIGRATIONS_DIR, newest).tables)
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .map((table) => {
      const all = Object.values(table.columns);
      const [columns, countsUp] = [all.map(({ name }) => name), all.some((one) => one.autoincrement)];
      return { name: table.name, columns, key: keyOf(table), countsUp };
    });
}

async function inTransaction(url: string, how: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({
    connectionString: url,
    application_name: 'stockbridge copy',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    types: { getTypeParser: readerOf },
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`begin ${how}`);
    await work(client);
    await client.query('commit');
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new StoreError(`the copy failed and was undone: ${why}`, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}

async function refuseRows(client: Client, { name }: Table): Promise<void> {
  if (name === 'facts') await client.query(`delete from facts where not (${INSTALLATION})`);
  // A new database has one audit entry: its creation.
  if (name === 'facts' || name === 'audit') return;
  const { rowCount } = await client.query(`select 1 from ${quoted(name)} limit 1`);
  if (rowCount !== 0) {
    throw new StoreError(
      `there are ${name} in PostgreSQL already: nothing was copied. Name an empty database or schema`,
    );
  }
}

async function insert(client: Client, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  let position = 0;
  const marks = rows.map((row) => `(${row.map(() => `$${++position}`).join(', ')})`);
  await client.query({
    text: `insert into ${quoted(name)} (${listed(columns)}) values ${marks.join(', ')}`,
    values: rows.flat().map(asSent),
  });
}

async function* pagesOf(client: Client, table: Table): AsyncGenerator<Row[]> {
  const rowsAtOnce = await rowsAtOnceOf(client, table);
  await client.query(`declare rows no scroll cursor for ${selected(table)}`);
  for (;;) {
    const { rows } = await client.query<unknown[]>({ text: `fetch ${rowsAtOnce} from rows`, rowMode: 'array' });
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('close rows');
}

/**
 * Checks row sizes before fetching: a PostgreSQL value may have a gigabyte.
 * @throws StoreError for a row that is too large
 */
async function rowsAtOnceOf(client: Client, { name, columns }: Table): Promise<number> {
  const bytes = columns.map((column) => `coalesce(octet_length(${quoted(column)}::text), 0)::bigint`).join(' + ');
  const { rows } = await client.query<[number | null]>({
    text: `select max(${bytes}) from ${quoted(name)}`,
    rowMode: 'array',
  });
  const largest = Math.max(1, rows[0]?.[0] ?? 1);
  if (largest > MAX_ROW_BYTES)
    throw new StoreError(`a row of ${name} has ${largest} bytes: stockbridge never writes it`);
  return Math.min(ROWS_AT_ONCE, Math.floor(MAX_FETCHED_BYTES / largest));
}

/** Compares the rows of both databases in order. @returns the number of rows */
async function sameRows(sqlite: Sqlite, client: Client, table: Table): Promise<number> {
  const theirs = rowsIn(sqlite, table);
  let count = 0;
  for await (const rows of pagesOf(client, table)) {
    for (const row of rows) {
      const other = theirs.next();
      if (other.done === true || printOf(other.value) !== printOf(row)) throw unlike(table, row);
      count += 1;
    }
  }
  if (theirs.next().done !== true) throw unlike(table, null);
  return count;
}

function unlike({ name, key, columns }: Table, row: Row | null): StoreError {
  const which =
    row === null ? 'there are fewer rows' : key.map((column) => String(row[columns.indexOf(column)])).join(' ');
  return new StoreError(`${name} would not be the same in both databases (${which}): nothing was kept of the copy`);
}

function printOf(row: Row): string {
  const values = row.map((value) =>
    value instanceof Uint8Array ? ['bytes', Buffer.from(value).toString('hex')] : value,
  );
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

/** The highest id that SQLite ever assigned in a table. */
function givenIn(sqlite: Sqlite, table: string): number {
  const given = sqlite.prepare('select seq from sqlite_sequence where name = ?').pluck().get(table);
  return typeof given === 'number' ? given : 0;
}

async function countOn(client: Client, table: string, given: number): Promise<void> {
  if (given === 0) return;
  await client.query(`select setval('${table}_id_seq', $1)`, [given]);
  if (table !== 'audit') return;
  const put = 'insert into numbers_given values ($1, $2) on conflict (name) do update set seq = excluded.seq';
  await client.query(put, [table, given]);
}

async function rememberGiven(client: Client, sqlite: Sqlite, table: string): Promise<void> {
  const given =
    table === 'audit'
      ? `select seq from numbers_given where name = 'audit'`
      : `select last_value from ${table}_id_seq where is_called`;
  const { rows } = await client.query<[number]>({ text: given, rowMode: 'array' });
  const [[seq] = [0]] = rows;
  sqlite.prepare('delete from sqlite_sequence where name = ?').run(table);
  if (seq > 0) sqlite.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, seq);
}

const selected = (table: Table) =>
  `select ${listed(table.columns)} from ${quoted(table.name)}${ofAll(table)} order by ${listed(table.key)}`;
const rowsIn = (sqlite: Sqlite, table: Table) =>
  sqlite.prepare(selected(table)).raw().iterate() as IterableIterator<unknown[]>;
/** An installation keeps its own name. */
const ofAll = ({ name }: Table) => (name === 'facts' ? ` where not (${INSTALLATION})` : '');
