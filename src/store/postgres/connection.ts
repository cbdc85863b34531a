import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ConnectionAnswer, ConnectionRequest, Numbered, NumberedAnswer, Rows } from './messages.ts';
import { PostgresError } from './postgres-error.ts';

/** The longest wait for an answer. Statements and new connections have shorter limits of their own. */
const ANSWER_MS = 90_000;
/** Longer statements are not prepared: they are bulk writes whose row count changes each time. */
const MAX_LENGTH = 4_000;
const MAX_NAMES = 500;

export type Values = readonly unknown[];

/** A statement with the methods of SQLite's driver. */
export interface Statement {
  get(...values: Values): unknown;
  all(...values: Values): unknown[];
  run(...values: Values): { changes: number };
  raw(): Pick<Statement, 'get' | 'all'>;
}

/** A synchronous connection, like SQLite's: the calling thread sleeps until the answer arrives. */
export interface Connection {
  /**
   * Runs a statement in PostgreSQL's dialect.
   * @param isKept the statement will be repeated, so it is prepared
   */
  query(text: string, values?: Values, isKept?: boolean): Rows;
  /** Sends statements without waiting. An error shows at the next question. */
  ahead(text: string): void;
  commit(): void;
  reconnect(): void;
  close(): void;
  readonly asked: number;
}

export function openConnection(url: string): Connection {
  const { port1: port, port2: theirs } = new MessageChannel();
  const answers = new SharedArrayBuffer(4);
  const thread = new Worker(new URL('./connection-thread.ts', import.meta.url), {
    workerData: { url, port: theirs, answers },
    transferList: [theirs],
  });
  const ask = asker(port, new Int32Array(answers));
  const names = new Map<string, string>();
  let asked = 0;

  function query(text: string, values: Values = [], isKept = text.length <= MAX_LENGTH): Rows {
    refuseNumbers(values, text);
    asked += 1;
    const name = isKept ? nameOf(names, text) : undefined;
    return ask({ kind: 'statement', text, values, ...(name === undefined ? {} : { name }) }, text);
  }

  return {
    get asked() {
      return asked;
    },
    query,
    ahead: (text) => port.postMessage({ number: 0, asked: { kind: 'ahead', text } } satisfies Numbered),
    commit() {
      asked += 1;
      ask({ kind: 'commit' }, null);
    },
    reconnect() {
      names.clear();
      ask({ kind: 'reconnect' }, null);
    },
    close() {
      port.postMessage(null);
      port.close();
      thread.unref();
    },
  };
}

/** SQLSTATE: number out of range. A number that can be stored but not read again would fail every later read. */
const OUT_OF_RANGE = '22003';

function refuseNumbers(values: Values, statement: string): void {
  const refused = values.find((value): value is number => typeof value === 'number' && !Number.isSafeInteger(value));
  if (refused === undefined) return;
  throw new PostgresError({ message: `${refused} is no whole number below 2^53`, code: OUT_OF_RANGE }, statement);
}

/** The name of a prepared statement. The server keeps it until the connection ends. */
function nameOf(names: Map<string, string>, text: string): string | undefined {
  const existing = names.get(text);
  if (existing !== undefined || names.size === MAX_NAMES) return existing;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

function asker(port: MessagePort, woken: Int32Array<SharedArrayBuffer>) {
  let number = 0;
  return (asked: ConnectionRequest, statement: string | null): Rows => {
    number += 1;
    port.postMessage({ number, asked } satisfies Numbered);
    const answered = answerTo(number, port, woken);
    if ('failure' in answered) throw new PostgresError(answered.failure, statement);
    return answered.rows;
  };
}

/** Waits for the answer with this number. Skips earlier answers, for which nobody waits any more. */
function answerTo(number: number, port: MessagePort, woken: Int32Array<SharedArrayBuffer>): ConnectionAnswer {
  const untilMs = performance.now() + ANSWER_MS;
  for (;;) {
    const answers = Atomics.load(woken, 0);
    const got = receiveMessageOnPort(port)?.message as NumberedAnswer | undefined;
    if (got?.number === number) return got.answered;
    if (got !== undefined) continue;
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) throw new PostgresError({ message: 'it does not answer', code: null }, null);
    Atomics.wait(woken, 0, answers, leftMs);
  }
}

export function prepared(text: string, query: Connection['query']): Statement {
  const objects = ({ columns, rows }: Rows) =>
    rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  return {
    get: (...values) => objects(query(text, values))[0],
    all: (...values) => objects(query(text, values)),
    run: (...values) => ({ changes: query(text, values).count }),
    raw: () => ({
      get: (...values) => query(text, values).rows[0],
      all: (...values) => [...query(text, values).rows],
    }),
  };
}
