import { Socket } from 'node:net';
import { type MessagePort, workerData } from 'node:worker_threads';
import { Client, type ClientConfig, DatabaseError } from 'pg';
import type { ConnectionAnswer, ConnectionRequest, Failure, Numbered, NumberedAnswer } from './messages.ts';
import { asSent, readerOf } from './values.ts';

/* The thread of the PostgreSQL connection. The statement thread sleeps until an answer arrives. */

interface Given {
  readonly url: string;
  readonly port: MessagePort;
  /** Counts the answers and wakes the waiting thread. */
  readonly answers: SharedArrayBuffer;
}

type Question = Exclude<ConnectionRequest, { kind: 'ahead' }>;

const CONNECT_MS = 5_000;
const STATEMENT_MS = 60_000;
/** PostgreSQL ends the transaction of a stalled program after this time, so that others continue. */
const IDLE_MS = 10_000;

const { url, port, answers } = workerData as Given;
const woken = new Int32Array(answers);
let client: Client | null = null;
let way: Socket | null = null;
/** The failure of a statement sent ahead, or of the connection. The next question is answered with it. */
let earlier: Failure | null = null;

port.on('message', (got: Numbered | null) => {
  if (got === null) void end();
  else if (got.asked.kind === 'ahead') ahead(got.asked.text);
  else void answer(got.number, got.asked);
});

async function end(): Promise<void> {
  await client?.end().catch(() => {});
  port.close();
}

async function answer(number: number, asked: Question): Promise<void> {
  const answered = await outcomeOf(asked);
  port.postMessage({ number, answered } satisfies NumberedAnswer);
  Atomics.add(woken, 0, 1);
  Atomics.notify(woken, 0);
}

/** Sends statements without waiting. PostgreSQL answers them before the next question. */
function ahead(text: string): void {
  const connected = client;
  if (earlier !== null) return;
  if (connected === null) earlier = lost();
  else connected.query(text).catch((error: unknown) => failedAhead(error, connected));
}

/** A failure of an abandoned connection is ignored. */
function failedAhead(error: unknown, of: Client): void {
  const isGivenUp = client !== of;
  const failure = failureOf(error, of);
  if (!isGivenUp) earlier ??= failure;
}

async function outcomeOf(asked: Question): Promise<ConnectionAnswer> {
  if (asked.kind === 'reconnect') return connect().catch((error: unknown) => ({ failure: failureOf(error, client) }));
  const answered = client === null || earlier !== null ? { failure: lost() } : await asking(client, asked);
  // The statements that were sent ahead have been answered by now.
  if (earlier === null) return answered;
  const failure = earlier;
  earlier = null;
  return { failure };
}

async function asking(connected: Client, asked: Exclude<Question, { kind: 'reconnect' }>): Promise<ConnectionAnswer> {
  let transaction: string | null = null;
  try {
    if (asked.kind === 'statement') return await run(connected, asked);
    // The id must arrive before the commit is sent. Without it, nobody could find out whether the commit succeeded.
    const { rows } = await connected.query<{ id: string | null }>(
      'select pg_current_xact_id_if_assigned()::text as id',
    );
    transaction = rows[0]?.id ?? null;
    if (earlier === null) await connected.query('commit');
    return NOTHING;
  } catch (error) {
    return { failure: { ...failureOf(error, connected), transaction } };
  }
}

const NOTHING: ConnectionAnswer = { rows: { columns: [], rows: [], count: 0 } };

async function run(
  connected: Client,
  { text, name, values }: Extract<ConnectionRequest, { kind: 'statement' }>,
): Promise<ConnectionAnswer> {
  const { fields, rows, rowCount } = await connected.query<unknown[]>({
    text,
    ...(name === undefined ? {} : { name }),
    values: values.map(asSent),
    rowMode: 'array',
  });
  return { rows: { columns: fields.map((field) => field.name), rows, count: rowCount ?? 0 } };
}

async function connect(): Promise<ConnectionAnswer> {
  void client?.end().catch(() => {});
  // `end` waits for running statements, which a silent server never answers. So the socket is destroyed.
  way?.destroy();
  client = null;
  earlier = null;
  const socket = new Socket();
  way = socket;
  const config: ClientConfig = {
    connectionString: url,
    application_name: 'stockbridge',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_MS,
    keepAlive: true,
    pipeline: true,
    stream: () => socket,
    types: { getTypeParser: readerOf },
  };
  const next = new Client(config);
  next.on('error', () => {
    if (client === next) client = null;
  });
  await next.connect();
  const { rows } = await next.query<[string]>({ text: 'show server_encoding', rowMode: 'array' });
  if (rows[0]?.[0] !== 'UTF8') {
    await next.end();
    return { failure: { message: `the database is kept as ${rows[0]?.[0]}: it has to be UTF8`, code: 'encoding' } };
  }
  client = next;
  return NOTHING;
}

const lost = (): Failure => ({ message: 'the connection was lost', code: null });

/** SQLSTATE classes 57P and 08 end the connection. */
function failureOf(error: unknown, of: Client | null): Failure {
  if (error instanceof DatabaseError && error.code !== undefined && !/^(57P|08|25P03)/.test(error.code)) {
    const { message, code, constraint, table = null, column = lastColumnOf(error) } = error;
    return { message, code, constraint, table, column };
  }
  of?.end().catch(() => {});
  if (client === of) client = null;
  return { message: error instanceof Error ? error.message : String(error), code: null };
}

/** The columns of a violated key: `Key (account, number, line_id)=(...) already exists.` The values are left out. */
function lastColumnOf({ detail = '' }: DatabaseError): string | null {
  return /^Key \(([^()]*)\)/.exec(detail)?.[1]?.split(', ').at(-1) ?? null;
}
