import type { Socket } from 'node:net';
import { createPool, type FieldPacket, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import {
  bounded,
  type Column,
  type Database,
  GRACE_MS,
  type Limits,
  lockMs,
  type Server,
  type Transaction,
} from './database.ts';
import { type Answer, ask, columnOf, rowsOf, take } from './mysql-answers.ts';
import type { Bound } from './statement.ts';
import { leastWallFrom, offsetAt, wallAt, wholeSecond } from './times.ts';

/** The limit for a whole list, whose rows are read only as fast as the daemon processes them. */
const LIST_MS = 600_000;

const UTC = '+00:00';
const NOW = { text: 'select utc_timestamp(6), version()', values: [] };
/** Strict mode refuses a value that does not fit its column instead of cutting it. */
const SETTINGS = `sql_mode = concat(@@sql_mode, ',STRICT_ALL_TABLES'), net_write_timeout = ${LIST_MS / 1_000}`;
const BEGIN = {
  read: ['set transaction isolation level repeatable read', 'start transaction with consistent snapshot, read only'],
  write: ['set transaction isolation level read committed', 'start transaction read write'],
} as const;

/** MariaDB and MySQL. Every value is the server's own text, so no decimal becomes a float. */
export function openMysql(server: Server): Database {
  const { timeoutMs, tls, zone } = server;
  const options: PoolOptions = {
    host: server.host,
    port: server.port,
    database: server.database,
    user: server.user,
    ...(tls === null ? {} : { ssl: { rejectUnauthorized: true, ...(tls.ca === null ? {} : { ca: tls.ca }) } }),
    connectTimeout: timeoutMs,
    connectionLimit: server.connections,
    idleTimeout: 30_000,
    maxPreparedStatements: 200,
    flags: ['-LOCAL_FILES'],
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
  };
  const { connect, close } = poolOf(server, options);
  /** Stops a connection's statement over another connection. */
  const cancel = async ({ threadId }: PoolConnection): Promise<void> => {
    const connection = await connect();
    connection.query('kill query ?', [threadId], () => connection.release());
  };

  return {
    dialect: 'mysql',
    place: server.place,
    async begin(kind, signal) {
      const connection = await waited(connect, timeoutMs, signal);
      const release = releaseOf(connection);
      const stop = (): void => {
        void cancel(connection).catch(ignore);
        release(true);
      };
      const received = () => (connection as unknown as { readonly stream: Socket }).stream.bytesRead;
      const limits = { timeoutMs: timeoutMs + GRACE_MS, signal, stop, received };
      let offset = UTC;
      const run = (statement: Bound): Promise<Answer> => bounded(() => ask(connection, statement, offset), limits);
      try {
        const [clock, version] = (await run(NOW)).rows[0] ?? [];
        const isMaria = /mariadb/i.test(version ?? '');
        const now = `${(clock ?? '').replace(' ', 'T')}Z`;
        offset = offsetAt(now, zone);
        // In whole seconds, and shorter than the statement's limit.
        const limitMs = kind === 'read' ? LIST_MS : timeoutMs + GRACE_MS / 2;
        const limit = isMaria ? `max_statement_time = ${limitMs / 1_000}` : `max_execution_time = ${limitMs}`;
        const wait = `innodb_lock_wait_timeout = ${Math.max(1, Math.floor(lockMs(kind, timeoutMs) / 1_000))}`;
        await run({ text: `set time_zone = '${offset}', ${SETTINGS}, ${wait}, ${limit}`, values: [] });
        for (const text of BEGIN[kind]) await run({ text, values: [] });
        return transactionOf({
          connection,
          asOf: wholeSecond(now),
          server: `${isMaria ? 'MariaDB' : 'MySQL'} ${version ?? ''}`,
          time: (instant) => wallAt(instant, zone),
          offset,
          since: (instant) => sinceOf(wholeSecond(instant), zone, offset),
          run,
          limits,
          release,
        });
      } catch (error) {
        release(true);
        throw error;
      }
    },
    close,
  };
}

/** A pool keeps its password, so a new password needs a new pool. */
function poolOf(server: Server, options: PoolOptions) {
  let current: { readonly password: string; readonly pool: Pool } | null = null;
  return {
    async connect(): Promise<PoolConnection> {
      const password = await server.password();
      if (current?.password !== password) {
        current?.pool.end(ignore);
        current = { password, pool: createPool({ ...options, password }) };
      }
      const { promise, resolve, reject } = Promise.withResolvers<PoolConnection>();
      current.pool.getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)));
      return promise;
    },
    async close(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (current === null) return;
      current.pool.end(() => resolve());
      await promise;
    },
  };
}

/**
 * The lower bound for changes since an instant. A DATETIME has the zone's time, a TIMESTAMP the session's; the earlier
 * of the two counts.
 */
function sinceOf(instant: string, zone: string, offset: string): string {
  const [ofZone, ofSession] = [leastWallFrom(instant, zone), wallAt(instant, offset)];
  return ofZone < ofSession ? ofZone : ofSession;
}

function ignore(): void {}

function releaseOf(connection: PoolConnection): (broken: boolean) => void {
  let released = false;
  connection.on('error', ignore);
  return (broken) => {
    if (released) return;
    released = true;
    // A broken connection may report its error later.
    if (broken) {
      connection.destroy();
      return;
    }
    connection.off('error', ignore);
    connection.release();
  };
}

/** A connection that comes too late goes back to the pool. */
async function waited(
  connect: () => Promise<PoolConnection>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<PoolConnection> {
  let late = false;
  const stop = (): void => {
    late = true;
  };
  const work = async (): Promise<PoolConnection> => {
    const connection = await connect();
    if (late) connection.release();
    return connection;
  };
  return bounded(work, { timeoutMs, signal, stop });
}

interface Connected extends Pick<Transaction, 'asOf' | 'server' | 'time' | 'since'> {
  readonly connection: PoolConnection;
  readonly offset: string;
  readonly limits: Limits;
  run(statement: Bound): Promise<Answer>;
  release(broken: boolean): void;
}

function transactionOf({ connection, offset, run, limits, release, ...facts }: Connected): Transaction {
  let isOpen = true;
  let isReading = false;
  return {
    ...facts,
    run,
    async prepare({ text }) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      // The connection keeps a bounded number of prepared statements.
      connection.prepare(text, (error) => (error === null ? resolve() : reject(error)));
      await bounded(() => promise, limits);
    },
    async *pages({ text, values }, size) {
      isReading = true;
      const stream = connection.execute(text, [...values]).stream({ highWaterMark: size });
      let columns: readonly Column[] = [];
      // Between two pages nobody awaits the stream; the next page meets the error.
      stream.on('error', ignore);
      stream.once('fields', (fields: FieldPacket[]) => {
        columns = fields.map(columnOf);
      });
      for (let whole = true; whole; ) {
        const rows = await bounded(() => take(stream, size), limits);
        whole = rows.length === size;
        yield rowsOf(rows, columns, offset);
      }
      isReading = false;
    },
    async commit() {
      await run({ text: 'commit', values: [] });
      isOpen = false;
    },
    async end() {
      // The caller stopped reading, so the remaining rows are dropped.
      if (isReading) release(true);
      if (isReading || !isOpen) {
        release(false);
        return 'undone';
      }
      try {
        const { warnings } = await run({ text: 'rollback', values: [] });
        release(false);
        return warnings > 0 ? 'kept' : 'undone';
      } catch {
        release(true);
        return 'undone';
      }
    },
  };
}
