import type { Socket } from 'node:net';
import { type ClientConfig, Pool, type PoolClient, type QueryArrayResult } from 'pg';
import {
  bounded,
  type Column,
  type ColumnKind,
  type Database,
  GRACE_MS,
  lockMs,
  type Rows,
  type Server,
  Stopped,
  type Transaction,
} from './database.ts';
import { CheckedClient } from './postgres-wire.ts';
import type { Bound } from './statement.ts';

const BEGIN = {
  read: 'begin isolation level repeatable read, read only',
  write: 'begin isolation level read committed, read write',
} as const;

/** Set for the transaction, so that they work behind a connection pooler. */
const SET_UP = `select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
  set_config('idle_in_transaction_session_timeout', $3, true), set_config('TimeZone', $4, true),
  set_config('DateStyle', 'ISO', true), set_config('cursor_tuple_fraction', '1', true),
  to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), pg_backend_pid()::text,
  current_setting('server_version')`;

/** The longest pause between two pages of a list. */
const IDLE_MS = 600_000;

/** PostgreSQL. Every value is the server's own text, so no decimal becomes a float. */
export function openPostgres(server: Server): Database {
  const { timeoutMs, tls } = server;
  const config: ClientConfig = {
    host: server.host,
    port: server.port,
    database: server.database,
    user: server.user,
    password: server.password,
    ssl: tls === null ? false : { rejectUnauthorized: true, ...(tls.ca === null ? {} : { ca: tls.ca }) },
    application_name: 'stockbridge',
    connectionTimeoutMillis: timeoutMs,
    types: { getTypeParser: () => (text: unknown) => text },
  };
  const pool = new Pool({ ...config, Client: CheckedClient, max: server.connections, idleTimeoutMillis: 30_000 });
  // The pool replaces connections that break while idle.
  pool.on('error', () => {});

  /** Stops a connection's statement over a new connection. */
  const cancel = async (pid: string): Promise<void> => {
    const client = new CheckedClient(config);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select pg_cancel_backend($1)', [pid]);
    } catch {
      // The server's timeout ends the statement.
    } finally {
      await client.end().catch(() => {});
    }
  };

  return {
    dialect: 'postgres',
    place: server.place,
    async begin(kind, signal) {
      if (signal?.aborted === true) throw new Stopped('aborted');
      const client = await pool.connect();
      let backend: string | null = null;
      let released = false;
      const release = (broken: boolean): void => {
        if (released) return;
        released = true;
        // A broken connection may report its error later.
        if (!broken) client.off('error', ignore);
        client.release(broken);
      };
      // The failing query reports a broken connection.
      client.on('error', ignore);
      const stop = (): void => {
        if (backend !== null) void cancel(backend);
        release(true);
      };
      const limits = { timeoutMs: timeoutMs + GRACE_MS, signal, stop, received: receivedBy(client) };
      const run = (statement: Bound): Promise<Rows> => bounded(() => ask(client, statement), limits);
      try {
        await run({ text: BEGIN[kind], values: [] });
        const values = [String(timeoutMs), String(lockMs(kind, timeoutMs)), String(IDLE_MS), server.zone];
        const first = (await run({ text: SET_UP, values })).rows[0] ?? [];
        const [asOf, pid, version] = first.slice(-3);
        backend = pid ?? null;
        return transactionOf({ asOf: asOf ?? '', server: `PostgreSQL ${version ?? ''}`, run, release });
      } catch (error) {
        release(true);
        throw error;
      }
    },
    close: () => pool.end(),
  };
}

function ignore(): void {}

/** Missing from the driver's types. */
function receivedBy(client: PoolClient): () => number {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  return () => connection.stream.bytesRead;
}

interface Connected extends Pick<Transaction, 'asOf' | 'server' | 'run'> {
  release(broken: boolean): void;
}

function transactionOf({ asOf, server, run, release }: Connected): Transaction {
  let isOpen = true;
  return {
    asOf,
    server,
    time: (instant) => instant,
    since: (instant) => instant,
    run,
    async prepare({ text }) {
      // PostgreSQL cannot prepare a CALL. Values get the types that it infers, as when run.
      if (/^\s*call\b/i.test(text)) return;
      await run({ text: `prepare stockbridge_statement as\n${text}`, values: [] });
      await run({ text: 'deallocate stockbridge_statement', values: [] });
    },
    async *pages({ text, values }, size) {
      // A cursor accepts only queries that do not write.
      await run({ text: `declare stockbridge_rows no scroll cursor for\n${text}`, values });
      for (let whole = true; whole; ) {
        const page = await run({ text: `fetch forward ${size} from stockbridge_rows`, values: [] });
        whole = page.rows.length === size;
        yield page;
      }
      await run({ text: 'close stockbridge_rows', values: [] });
    },
    async commit() {
      await run({ text: 'commit', values: [] });
      isOpen = false;
    },
    async end() {
      if (!isOpen) release(false);
      else
        await run({ text: 'rollback', values: [] }).then(
          () => release(false),
          () => release(true),
        );
      return 'undone';
    },
  };
}

async function ask(client: PoolClient, { text, values }: Bound): Promise<Rows> {
  const result: QueryArrayResult<(string | null)[]> = await client.query({
    text,
    values: values.map((value) => (value === null ? null : String(value))),
    rowMode: 'array',
  });
  return { columns: result.fields.map(columnOf), rows: result.rows, count: result.rowCount ?? 0, insertId: null };
}

/** By the numbers of the built-in types. */
const KINDS: Readonly<Record<number, ColumnKind>> = {
  16: 'flag',
  17: 'bytes',
  20: 'whole',
  21: 'whole',
  23: 'whole',
  114: 'json',
  700: 'float',
  701: 'float',
  1114: 'wall',
  1184: 'instant',
  3802: 'json',
};

function columnOf({ name, dataTypeID }: { name: string; dataTypeID: number }): Column {
  return { name, kind: KINDS[dataTypeID] ?? 'plain' };
}
