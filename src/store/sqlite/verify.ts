import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type SqliteDatabase from 'better-sqlite3';
import { isCursorAhead } from '../../domain/ahead.ts';
import { holesIn, type Interval } from '../../domain/coverage.ts';
import { isReadFromBeginning } from '../../domain/lists.ts';
import { INTENT_KINDS } from '../intent-kinds.ts';
import { auditReads } from '../sql/audit.ts';
import type { Readable } from '../sql/database.ts';
import { drizzle } from '../sql/orm.ts';
import { damagedRows } from '../sql/verify-rows.ts';
import { StoreError } from '../store-error.ts';
import { integrityProblem } from './copy.ts';
import { databasePath, noDatabase, openForReading, SHARED } from './database.ts';
import { diskTrouble } from './disk-trouble.ts';
import {
  differencesMend,
  differencesText,
  isMissingTrigger,
  lastingDifferences,
  schemaDifferences,
  schemaVersions,
} from './schema.ts';
import { strayCells } from './stray-cells.ts';

export interface Finding {
  readonly about: 'database' | 'schema' | 'files' | 'links' | 'work' | 'writes' | 'reads' | 'audit';
  readonly text: string;
  readonly mend: string;
}

export interface Expected {
  /** By flow: the list whose rows its keys name. */
  readonly keysOf: Readonly<Record<string, string>>;
  /** Are the reads of this collection time windows? */
  readonly isReadByTime: (collection: string) => boolean;
}

export interface Verified {
  readonly file: string;
  readonly findings: readonly Finding[];
}

const NAMED = 5;
/** An open write is looked up after twice the client's timeout, which is always shorter than this. */
const SETTLED_MS = 10 * 60_000;

/**
 * Checks a data folder or a backup: SQLite's integrity, the program's invariants, and file permissions. Changes
 * nothing, and a daemon may run meanwhile.
 * @throws StoreError when there is nothing to check
 */
export async function verifyData(path: string, nowMs: number, expected: Expected): Promise<Verified> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new StoreError(`${path} does not exist: name a data folder or a backup`);
  const file = found.isDirectory() ? databasePath(path) : path;
  if (!existsSync(file)) throw noDatabase(path);
  const files = found.isDirectory() ? [path, ...ownFiles(path)] : [path];
  return { file, findings: [...(await verifyFile(file, nowMs, expected)), ...modes(files)] };
}

async function verifyFile(file: string, nowMs: number, expected: Expected): Promise<Finding[]> {
  let sqlite: SqliteDatabase.Database | undefined;
  try {
    sqlite = openForReading(file);
    // Everything is read at one instant, even while another process writes.
    sqlite.exec('begin');
    const unsound = soundness(sqlite);
    if (unsound.length > 0) return unsound;
    const db: Readable = drizzle(sqlite);
    return [
      ...triggers(sqlite),
      ...report('database', damagedRows(db), 'what was stored of these is damaged', RESTORE),
      ...relations(sqlite, nowMs, expected),
      ...holes(sqlite, expected),
      ...cursorsAhead(sqlite, nowMs),
      ...chain(db),
    ];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const trouble = diskTrouble(error, dirname(file));
    const mend =
      trouble === null ? RESTORE : `${trouble}, or verify a copy elsewhere; this does not mean that it is damaged`;
    return [finding('database', `it cannot be read: ${why}`, mend)];
  } finally {
    sqlite?.close();
  }
}

const RESTORE = 'put a backup in its place with "stockbridge restore", or move it away and run "stockbridge rebuild"';

function finding(about: Finding['about'], text: string, mend: string): Finding {
  return { about, text, mend };
}

function report(about: Finding['about'], rows: readonly string[], text: string, mend: string): Finding[] {
  if (rows.length === 0) return [];
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '';
  return [finding(about, `${text}: ${rows.slice(0, NAMED).join(', ')}${more}`, mend)];
}

function soundness(sqlite: SqliteDatabase.Database): Finding[] {
  const { applied, known, newer } = schemaVersions(sqlite);
  if (applied === 0) return [finding('schema', 'it is not a database of stockbridge', 'name another file')];
  if (newer) return [finding('schema', 'a newer version of stockbridge wrote it', 'use that version')];
  const differences = lastingDifferences(sqlite);
  if (differences.length > 0) {
    return [finding('schema', differencesText(differences), differencesMend(differences))];
  }
  // This check follows that of the schema, because it evaluates expressions of the schema.
  const problem = integrityProblem(sqlite);
  if (problem !== null) return [finding('database', `it is damaged: ${problem}`, RESTORE)];
  const stray = report(
    'database',
    strayCells(sqlite, applied === known),
    'these hold what stockbridge never writes',
    RESTORE,
  );
  if (stray.length > 0) return stray;
  if (applied === known) return [];
  return [finding('schema', `it has schema ${applied} of ${known}`, 'stop the daemon, then run "stockbridge migrate"')];
}

/** Missing triggers. Without them, the audit log can be changed; everything else stays readable. */
function triggers(sqlite: SqliteDatabase.Database): Finding[] {
  const missing = schemaDifferences(sqlite).filter(isMissingTrigger);
  if (missing.length === 0) return [];
  const mend = 'the next start puts them back; the audit log below shows what was changed meanwhile';
  return [finding('schema', differencesText(missing), mend)];
}

const ROWS = {
  orders: ['orders', 'number'],
  products: ['products', 'id'],
  customers: ['customers', 'id'],
  payments: ['payments', 'id'],
  batches: ['batches', 'id'],
  'transport-orders': ['transport_orders', 'order_key'],
  'erp-orders': ['erp_orders', 'id'],
  'erp-products': ['erp_products', 'id'],
  'erp-customers': ['erp_customers', 'id'],
  'erp-payments': ['erp_payments', 'id'],
  'erp-lots': ['erp_lots', 'id'],
} as const;
type StoredList = keyof typeof ROWS;

/** Lists of both sides that are always read. */
const TWINS = { product: ['products', 'erp-products'], order: ['orders', 'erp-orders'] } as const;

function isStored(list: string): list is StoredList {
  return Object.hasOwn(ROWS, list);
}

/** SQL: does `list` have the row `key` in the account of `row`? */
function isThere(list: StoredList, row: string, key: string): string {
  const [table, column] = ROWS[list];
  return `exists (select 1 from ${table} where account = ${row}.account and ${column} = ${row}.${key})`;
}

/** SQL: does `table` have a row with the account, flow and key of `row`? */
const isBeside = (table: string, row: string) =>
  `exists (select 1 from ${table} where account = ${row}.account and flow = ${row}.flow and key = ${row}.key)`;

type Named = (query: string, ...values: (string | number)[]) => string[];

/** Rows that refer to missing rows, which SQLite does not check. */
function relations(sqlite: SqliteDatabase.Database, nowMs: number, expected: Expected): Finding[] {
  const named: Named = (query, ...values) =>
    sqlite
      .prepare<unknown[], string>(query)
      .pluck()
      .all(...values)
      .map(String);
  return [...ofLinks(named), ...ofWork(named, expected), ...ofWritesAndLines(named, nowMs)];
}

function ofLinks(named: Named): Finding[] {
  const link = "kind || ' ' || coalesce(marketplace_id, '?') || ' - ' || coalesce(erp_id, '?')";
  return [
    ...report(
      'links',
      named(`select ${link} from mappings where state = 'linked' and (marketplace_id is null or erp_id is null)`),
      'links with one side only',
      '"stockbridge map unlink" takes them away, "stockbridge rebuild" finds them again',
    ),
    ...report(
      'links',
      Object.entries(TWINS).flatMap(([kind, [there, here]]) =>
        named(
          `select ${link} from mappings as m where kind = ? and state = 'linked'
           and not (${isThere(there, 'm', 'marketplace_id')} and ${isThere(here, 'm', 'erp_id')})`,
          kind,
        ),
      ),
      'links to what one side has not shown',
      '"stockbridge sync" reads both sides; what is still missing then, "stockbridge map unlink" takes away',
    ),
  ];
}

function ofWork(named: Named, { keysOf }: Expected): Finding[] {
  const key = "flow || ' ' || key";
  return [
    ...report(
      'work',
      Object.entries(keysOf).flatMap(([flow, list]) =>
        !isStored(list)
          ? []
          : named(
              `select ${key} from work where flow = ? and state in ('held', 'failed') and not ${isThere(list, 'work', 'key')}
           and not exists (select 1 from invalid_rows where account = work.account and what = work.key)`,
              flow,
            ),
      ),
      'held or failed, and nothing is known of it',
      '"stockbridge sync" reads both sides; "stockbridge jobs discard" ends what failed for good',
    ),
    ...report(
      'work',
      named(`select ${key} from failed_jobs as f where not ${isBeside('work', 'f')}`),
      'failed jobs that nothing is left to do for',
      '"stockbridge jobs replay" looks at them again, "stockbridge jobs discard" ends them',
    ),
    ...report(
      'work',
      named(`select ${key} from work as w where state = 'failed' and not ${isBeside('failed_jobs', 'w')}`),
      'failed, and not among the failed jobs',
      '"stockbridge sync" looks at them again',
    ),
  ];
}

function ofWritesAndLines(named: Named, nowMs: number): Finding[] {
  return [
    ...report(
      'writes',
      Object.entries(INTENT_KINDS).flatMap(([kind, { flow }]) =>
        named(
          `select kind || ' ' || key from intents as i where kind = ? and state = 'open' and sent_at_ms < ?
           and not exists (select 1 from work where account = i.account and flow = ? and key = i.key)`,
          kind,
          nowMs - SETTLED_MS,
          flow,
        ),
      ),
      'writes whose answer was lost, and nobody is about to look for what became of them',
      '"stockbridge sync" looks them up',
    ),
    ...report(
      'database',
      named(
        `select 'line ' || line_id || ' of order ' || number from order_lines as l where not ${isThere('orders', 'l', 'number')}`,
      ),
      'lines of no order',
      RESTORE,
    ),
  ];
}

function holes(sqlite: SqliteDatabase.Database, { isReadByTime }: Expected): Finding[] {
  const rows = sqlite
    .prepare('select account, collection, from_instant as "from", to_instant as "to" from coverage')
    .all() as (Interval & { account: string; collection: string })[];
  const byTime = rows.filter(({ collection }) => isReadByTime(collection));
  return [...Map.groupBy(byTime, ({ account, collection }) => `${account} ${collection}`)].flatMap(([name, windows]) =>
    holesIn(windows, isReadFromBeginning(windows[0]?.collection ?? '')).map(({ from, to }) =>
      finding(
        'reads',
        `${name} from ${from ?? 'the beginning'} to ${to} was never read`,
        'the next read does so by itself',
      ),
    ),
  );
}

function cursorsAhead(sqlite: SqliteDatabase.Database, nowMs: number): Finding[] {
  const rows = sqlite.prepare('select account, collection, value from cursors').all() as {
    readonly account: string;
    readonly collection: string;
    readonly value: string;
  }[];
  return rows
    .filter(({ value }) => isCursorAhead(value, nowMs))
    .map(({ account, collection, value }) =>
      finding(
        'reads',
        `changes of ${account} ${collection} are asked for from ${value} on, which lies in the future: they are missed until then`,
        'the next read begins from the beginning by itself, if the clock of this machine is right',
      ),
    );
}

function chain(db: Readable): Finding[] {
  const { broken } = auditReads.verify({ db, shared: SHARED, nowMs: Date.now() });
  if (broken === null) return [];
  const mend =
    'compare with the backups: somebody changed the record, and "stockbridge audit list" cannot be relied on';
  return [finding('audit', `row ${broken.id} does not fit: ${broken.why}`, mend)];
}

/** The files with data. The folder's permissions protect all others. */
function ownFiles(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => /\.(db|db-wal|db-shm|pid|sock)$/.test(name))
    .map((name) => join(dir, name));
}

function modes(paths: readonly string[]): Finding[] {
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || (found.mode & 0o077) === 0) return [];
    const mode = (found.mode & 0o777).toString(8);
    const name = found.isDirectory() ? path : join(basename(dirname(path)), basename(path));
    const mend = `chmod ${found.isDirectory() ? '700' : '600'} ${path}`;
    return [finding('files', `${name} can be used by others (mode ${mode})`, mend)];
  });
}
