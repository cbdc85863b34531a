import { MAX_BODY_BYTES } from '../../http/exchange.ts';
import type { Bound } from './statement.ts';
import type { Dialect } from './tokens.ts';

/** The address of a database, and how to use it. */
export interface Server {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** `erp-db:5432/shop`, as messages name it. */
  readonly place: string;
  /** Called each time that a connection is opened. */
  readonly password: () => Promise<string>;
  /** null: without TLS. ca: the trusted certificates in PEM, or null for those of the system. */
  readonly tls: { readonly ca: string | null } | null;
  /** The most connections at a time. */
  readonly connections: number;
  /** The limit for one statement, and for opening a connection. */
  readonly timeoutMs: number;
  /** The zone of times that name none: `Europe/Berlin`. */
  readonly zone: string;
}

/**
 * A database as the connector uses it. It throws the errors of the driver as they are, or a `Stopped`. `failures.ts` turns both
 * into a `CallFailure`.
 */
export interface Database {
  readonly dialect: Dialect;
  /** `erp-db:5432/shop`, as messages name it. */
  readonly place: string;
  /** read: one snapshot in which nothing can be written. write: all of its changes are applied, or none. */
  begin(kind: 'read' | 'write', signal: AbortSignal | undefined): Promise<Transaction>;
  close(): Promise<void>;
}

export interface Transaction {
  /** A time by the database's clock that is not later than the beginning of the transaction, ISO 8601 UTC. */
  readonly asOf: string;
  /** The name and version of the server. */
  readonly server: string;
  /** An instant as a value for this database. A database whose times have no zone gets the local time of that instant. */
  time(instant: string): string;
  /** The same, as a lower bound: every time that was written at that instant or later is at least this value. */
  since(instant: string): string;
  run(statement: Bound): Promise<Rows>;
  /** Has the server read a statement, with its names and types, and does not run it. */
  prepare(statement: Bound): Promise<void>;
  /** The rows of a query in pages of `size`, at least one page. Only one such list may be read at a time. */
  pages(query: Bound, size: number): AsyncGenerator<Rows>;
  commit(): Promise<void>;
  /** Rolls back changes that are not committed, and gives the connection back. It never throws. */
  end(): Promise<Ended>;
}

/** kept: some changes could not be rolled back, because a table does not support transactions. */
export type Ended = 'undone' | 'kept';

/**
 * How a column is read. plain: as it is. whole: a whole number. instant: a time with a zone. wall: a time without a zone.
 * float: a number that has lost digits. bytes: no text.
 */
export type ColumnKind = 'plain' | 'whole' | 'flag' | 'instant' | 'wall' | 'json' | 'float' | 'bytes';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface Rows {
  readonly columns: readonly Column[];
  /** Texts and null, in the order of the columns; `t` and `f` or `1` and `0` for a flag. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** The number of rows that the statement changed or found. */
  readonly count: number;
  /** The id that the database gave the new row, where it reports the id by itself. */
  readonly insertId: string | null;
}

type Why = 'aborted' | 'late' | 'large';

/** A call that the bridge has ended. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly why: Why;

  constructor(why: Why) {
    super(why);
    this.why = why;
  }
}

/** A write keeps its place while it waits for a lock, and there may be only one. So it waits for as long as an ERP usually holds one. */
const LOCK_MS = 1_000;

/** A lock is waited for less long than a statement may take, so that the failure names the lock. */
export const lockMs = (kind: 'read' | 'write', timeoutMs: number): number =>
  Math.ceil(Math.min(timeoutMs * 0.8, kind === 'write' ? LOCK_MS : Number.POSITIVE_INFINITY));

/** The server ends a slow statement itself, so the bridge waits a little longer than the limit of the server. */
export const GRACE_MS = 2_000;

/** The interval for looking at the number of received bytes. Drivers keep a whole answer in memory until its end. */
const LOOK_MS = 50;

export interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called when nobody waits any longer. */
  readonly stop: () => void;
  /** The number of bytes that the connection has received since it was opened. */
  readonly received?: (() => number) | undefined;
}

/**
 * Waits for the database. The wait ends at the time limit, when an answer has too many bytes, or when the signal aborts.
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
