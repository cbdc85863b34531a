import { MAX_BODY_BYTES } from '../../http/exchange.ts';
import type { Bound } from './statement.ts';
import type { Dialect } from './tokens.ts';

/** Where a database is, and how it is used. */
export interface Server {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** `erp-db:5432/shop`, as messages name it. */
  readonly place: string;
  /** Asked for each time that a connection is opened. */
  readonly password: () => Promise<string>;
  /** null: without TLS. ca: certificates in PEM that are trusted, null for those of the system. */
  readonly tls: { readonly ca: string | null } | null;
  /** The most connections at a time. */
  readonly connections: number;
  /** For one statement, and for a connection. */
  readonly timeoutMs: number;
  /** Of times that come without one: `Europe/Berlin`. */
  readonly zone: string;
}

/**
 * A database as the connector uses it. Whatever goes wrong is thrown as the driver throws it, or as a `Stopped`; `failures.ts`
 * says what it means.
 */
export interface Database {
  readonly dialect: Dialect;
  /** `erp-db:5432/shop`, as messages name it. */
  readonly place: string;
  /** read: one snapshot that nothing can be written in. write: what it does is there as a whole, or not at all. */
  begin(kind: 'read' | 'write', signal: AbortSignal | undefined): Promise<Transaction>;
  close(): Promise<void>;
}

export interface Transaction {
  /** The database's clock when the transaction began, or before, ISO 8601 UTC. */
  readonly asOf: string;
  /** The name and version of the server. */
  readonly server: string;
  /** An instant as this database takes it: of a time without a zone, what its clocks showed. */
  time(instant: string): string;
  /** The same, for what is compared with it: whatever was written at that instant or later has this time or a later one. */
  since(instant: string): string;
  run(statement: Bound): Promise<Rows>;
  /** The rows of a query, so many at a time, at least one page. Only one such list is read at a time. */
  pages(query: Bound, size: number): AsyncGenerator<Rows>;
  commit(): Promise<void>;
  /** Undoes what is not committed, and gives the connection back. It never throws. */
  end(): Promise<Ended>;
}

/** kept: the database cannot undo some of it, because a table of it knows no transactions. */
export type Ended = 'undone' | 'kept';

/**
 * How a column is read. plain: as it is. whole: a whole number. instant: a time with its zone. wall: one without. float: a
 * number that has lost digits. bytes: no text.
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
  /** Rows that the statement changed, or found. */
  readonly count: number;
  /** What the database numbered the new row with, where it says so by itself. */
  readonly insertId: string | null;
}

type Why = 'aborted' | 'late' | 'large';

/** A call that this side has ended. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly why: Why;

  constructor(why: Why) {
    super(why);
    this.why = why;
  }
}

/** How often it is looked how much has come: drivers keep all of it until they are through. */
const LOOK_MS = 50;

export interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called when nobody waits any longer. */
  readonly stop: () => void;
  /** How many bytes have come over the connection, all in all. */
  readonly received?: (() => number) | undefined;
}

/**
 * Waits for work of the database, but no longer than the limit, not for more bytes than an answer may have, and not once the
 * signal is given.
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
