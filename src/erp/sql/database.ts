import { MAX_BODY_BYTES } from '../../http/exchange.ts';
import type { Bound } from './statement.ts';
import type { Dialect } from './tokens.ts';

/** A database's address and how to use it. */
export interface Server {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** For messages: `erp-db:5432/shop`. */
  readonly place: string;
  /** Called for every new connection. */
  readonly password: () => Promise<string>;
  /** null: without TLS. ca: trusted certificates in PEM; null: the system's. */
  readonly tls: { readonly ca: string | null } | null;
  readonly connections: number;
  /** For one statement, and for connecting. */
  readonly timeoutMs: number;
  /** For times without a zone: `Europe/Berlin`. */
  readonly zone: string;
}

/** Throws the driver's errors or a `Stopped`, which `failures.ts` turns into a `CallFailure`. */
export interface Database {
  readonly dialect: Dialect;
  /** For messages: `erp-db:5432/shop`. */
  readonly place: string;
  /** read: one read-only snapshot. write: all changes or none. */
  begin(kind: 'read' | 'write', signal: AbortSignal | undefined): Promise<Transaction>;
  close(): Promise<void>;
}

export interface Transaction {
  /** A time on the database's clock, not after the transaction began, ISO 8601 UTC. */
  readonly asOf: string;
  readonly server: string;
  /** An instant as a value of this database: local time if its times have no zone. */
  time(instant: string): string;
  /** As a lower bound: every time written at or after that instant is at least this value. */
  since(instant: string): string;
  run(statement: Bound): Promise<Rows>;
  /** Parses a statement with its names and types, without running it. */
  prepare(statement: Bound): Promise<void>;
  /** At least one page of `size` rows. Only one query at a time may be read so. */
  pages(query: Bound, size: number): AsyncGenerator<Rows>;
  commit(): Promise<void>;
  /** Rolls back uncommitted changes and releases the connection. Never throws. */
  end(): Promise<Ended>;
}

/** kept: a table without transactions could not be rolled back. */
export type Ended = 'undone' | 'kept';

/**
 * How a column is read. whole: an integer. instant: a time with a zone. wall: a time without one. float: an inexact
 * number. bytes: no text.
 */
export type ColumnKind = 'plain' | 'whole' | 'flag' | 'instant' | 'wall' | 'json' | 'float' | 'bytes';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface Rows {
  readonly columns: readonly Column[];
  /** Texts and null, in column order; a flag is `t` or `f`, or `1` or `0`. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly count: number;
  /** The new row's id, if the database reports it. */
  readonly insertId: string | null;
}

type Why = 'aborted' | 'late' | 'large';

/** A call that the program ended. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly why: Why;

  constructor(why: Why) {
    super(why);
    this.why = why;
  }
}

/**
 * A waiting write blocks its place, perhaps the only one, so it waits for a lock only as long as an ERP usually holds
 * one.
 */
const LOCK_MS = 1_000;

/** Shorter than the statement's timeout, so that the failure names the lock. */
export const lockMs = (kind: 'read' | 'write', timeoutMs: number): number =>
  Math.ceil(Math.min(timeoutMs * 0.8, kind === 'write' ? LOCK_MS : Number.POSITIVE_INFINITY));

/** The server ends slow statements itself, so the program waits a little longer. */
export const GRACE_MS = 2_000;

/** How often received bytes are counted: drivers keep a whole answer in memory. */
const LOOK_MS = 50;

export interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called when nobody waits any longer. */
  readonly stop: () => void;
  readonly received?: (() => number) | undefined;
}

/**
 * Waits for the database until the time limit, too many bytes, or an abort.
 * @throws Stopped
 */
export async function bounded<T>(work: () => Promise<T>, limits: Limits): Promise<T> {
  const { timeoutMs, signal, stop, received = () => 0 } = limits;
  if (signal?.aborted === true) throw new Stopped('aborted');
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (why: Why) => () => {
    reject(new Stopped(why));
    stop();
  };
  const onAbort = end('aborted');
  const timer = setTimeout(end('late'), timeoutMs);
  const before = received();
  const look = setInterval(() => {
    if (received() - before > MAX_BODY_BYTES) end('large')();
  }, LOOK_MS);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, work()]);
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    signal?.removeEventListener('abort', onAbort);
  }
}
