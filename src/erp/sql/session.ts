import type { CallFailure } from '../../domain/failure.ts';
import type { ErpCallTrace } from '../kind.ts';
import type { Ended, Places } from '../places.ts';
import { assertStillValid } from '../send-guard.ts';
import type { Wire } from '../wire.ts';
import { columnProblem, type RawRow, rawRows } from './cells.ts';
import type { Database, Rows, Transaction } from './database.ts';
import { type ForNow, failed, failureOf, invalidAnswerOf, rollbackFailure, type SqlCall } from './failures.ts';
import { type Bound, bind, isInstantName, type Parameters } from './statement.ts';
import type { Dialect } from './tokens.ts';

export interface Statement {
  /** Its key below `erp`: `lists.orders.query`. */
  readonly key: string;
  readonly sql: string;
}

export interface Purpose {
  /** The call without record ids: `list orders`. */
  readonly operation: string;
  /** As in "when asked to {purpose}". */
  readonly purpose: string;
  readonly kind: 'read' | 'write';
}

export interface Sessions {
  readonly database: Database;
  readonly places: Places;
  /** Concurrent lists: fewer than connections, so that one is left for other calls. */
  readonly lists: Places;
  readonly timeoutMs: number;
  readonly zone: string;
  readonly refusedForNow: readonly ForNow[];
  /** The password sent last, which no message may show. */
  readonly password: () => string;
  /** Called when the server rejects this password. */
  readonly refused: (password: string) => void;
  readonly onCall?: ((call: ErpCallTrace) => void) | undefined;
  readonly wire?: Wire | undefined;
}

/** A transaction for configured statements. Every failure is a `CallFailure`. */
export interface Session {
  readonly dialect: Dialect;
  readonly asOf: string;
  readonly server: string;
  /** By column name. */
  rows(statement: Statement, given: Parameters): Promise<RawRow[]>;
  /** At least one page of `size` rows. */
  pages(statement: Statement, given: Parameters, size: number): AsyncGenerator<RawRow[]>;
  run(statement: Statement, given: Parameters): Promise<Rows>;
  /** Parses a statement without running it. */
  prepare(statement: Statement): Promise<void>;
  invalidAnswer(statement: Statement, path: string, message: string): CallFailure;
  /** The failure of a refused write. */
  refuse(kind: 'refused' | 'not-found', text: string): CallFailure;
  /** The driver's last error. */
  thrown(): unknown;
  commit(): Promise<void>;
  end(): Promise<void>;
}

/**
 * A session for reading a list. The read takes long, since rows are stored meanwhile, so each query takes its own place
 * and none is held between pages.
 */
export async function openList(sessions: Sessions, what: Purpose, signal?: AbortSignal): Promise<Session> {
  const turn = await sessions.lists.take('read', what.operation, signal);
  const leave = () => turn.leave('unheard', 0);
  try {
    const session = await openSession(sessions, what, (query) => inPlace(sessions, what, query, signal), signal);
    return { ...session, end: () => session.end().finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}

type Placed = <T>(query: () => Promise<T>) => Promise<T>;

async function openSession(sessions: Sessions, what: Purpose, placed: Placed, signal?: AbortSignal): Promise<Session> {
  const { database, zone, wire } = sessions;
  const course = courseOf(sessions, what);
  const beganMs = performance.now();
  const ended = (status: 'ok' | null) =>
    sessions.onCall?.({ operation: what.operation, status, durationMs: performance.now() - beganMs });
  const transaction = await placed(() => database.begin(what.kind, signal)).catch((error: unknown) => {
    ended(null);
    throw course.failure(error, null);
  });
  const bound = ({ sql }: Statement, given: Parameters): Bound => {
    const entries = Object.entries(given).map(([name, value]) => [name, instantIn(transaction, name, value)] as const);
    return bind(sql, Object.fromEntries(entries), database.dialect);
  };
  const named = (rows: Rows, { key }: Statement): RawRow[] => {
    const problem = columnProblem(rows.columns);
    if (problem !== null) throw invalidAnswerOf(course.asked(key), '', problem);
    return rawRows(rows, zone);
  };
  const run = async (statement: Statement, given: Parameters): Promise<Rows> => {
    const sent = bound(statement, given);
    try {
      const rows = await placed(() => transaction.run(sent));
      course.told(sent, rows.columns.length === 0 ? [{ count: rows.count }] : rawRows(rows, zone));
      return rows;
    } catch (error) {
      course.told(sent, null);
      throw course.failure(error, statement.key, false, sent.names);
    }
  };
  return {
    dialect: database.dialect,
    asOf: transaction.asOf,
    server: transaction.server,
    run,
    prepare: (statement) => prepared(statement, { course, transaction, sent: bound(statement, {}) }),
    rows: async (statement, given) => named(await run(statement, given), statement),
    async *pages(statement, given, size) {
      const sent = bound(statement, given);
      try {
        for await (const page of eachIn(placed, transaction.pages(sent, size))) {
          const rows = named(page, statement);
          course.told(sent, rows);
          yield rows;
        }
      } catch (error) {
        throw course.failure(error, statement.key, false, sent.names);
      }
    },
    invalidAnswer: ({ key }, path, message) => invalidAnswerOf(course.asked(key), path, message),
    refuse: (kind, text) => failed(course.asked(null), kind, text),
    thrown: () => course.state.thrown,
    async commit() {
      const cut = wire?.cut?.(what.operation) ?? null;
      try {
        if (cut !== 'not-applied') await transaction.commit();
      } catch (error) {
        throw course.failure(error, null, true);
      }
      if (cut !== null) throw course.failure(new Error('cut off'), null, true);
    },
    async end() {
      const end = await transaction.end();
      ended(course.state.thrown === null ? 'ok' : null);
      if (end === 'kept') throw rollbackFailure(course.asked(null, true));
    },
  };
}

interface Preparing {
  readonly course: ReturnType<typeof courseOf>;
  readonly transaction: Transaction;
  readonly sent: Bound;
}

async function prepared({ key }: Statement, { course, transaction, sent }: Preparing): Promise<void> {
  try {
    await transaction.prepare(sent);
  } catch (error) {
    throw course.failure(error, key, false, sent.names);
  }
}

/** Makes a transaction's failures, and reports its exchanges to the observer. */
function courseOf(sessions: Sessions, { kind, purpose, operation }: Purpose) {
  const { dialect, place } = sessions.database;
  const state: { thrown: unknown } = { thrown: null };
  const asked = (key: string | null, committing = false, names: readonly string[] = []): SqlCall => {
    const called = { erp: `the database ${place}`, purpose, write: kind === 'write', timeoutMs: sessions.timeoutMs };
    const { refusedForNow } = sessions;
    return { ...called, dialect, key, committing, names, refusedForNow, secrets: [sessions.password()] };
  };
  return {
    state,
    asked,
    failure(error: unknown, key: string | null, committing = false, names: readonly string[] = []): CallFailure {
      state.thrown = error;
      const made = failureOf(asked(key, committing, names), error);
      if (made.kind === 'credentials') sessions.refused(sessions.password());
      return made;
    },
    told({ text, values }: Bound, rows: readonly unknown[] | null): void {
      const { saw } = sessions.wire ?? {};
      if (saw === undefined) return;
      const answer = rows === null ? null : JSON.stringify(rows);
      saw({ operation, request: `${text}\n${JSON.stringify(values)}`, answer });
    },
  };
}

/** A time in our own format. Times from a statement's answer are already in the database's. */
const INSTANT = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/;

function instantIn(transaction: Transaction, name: string, value: Parameters[string]): Parameters[string] {
  const own = name.slice(name.lastIndexOf('.') + 1);
  if (typeof value !== 'string' || !isInstantName(own) || !INSTANT.test(value)) return value;
  return own === 'since' ? transaction.since(value) : transaction.time(value);
}

/**
 * Runs work in a transaction and always ends it. The place is held until then, so that nobody with a connection waits
 * for a place held by somebody waiting for a connection.
 */
export async function inSession<T>(
  sessions: Sessions,
  what: Purpose,
  work: (session: Session) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const whole = async (): Promise<T> => {
    const session = await openSession(sessions, what, (query) => query(), signal);
    try {
      return await work(session);
    } finally {
      await session.end();
    }
  };
  return inPlace(sessions, what, whole, signal);
}

async function* eachIn<T>(placed: Placed, pages: AsyncIterable<T>): AsyncGenerator<T> {
  const each = pages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await placed(() => each.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await each.return?.();
  }
}

async function inPlace<T>(
  sessions: Sessions,
  what: Purpose,
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const place = await sessions.places.take(what.kind, what.operation, signal);
  const beganMs = performance.now();
  const leave = (ended: Ended) => place.leave(ended, performance.now() - beganMs);
  try {
    if (what.kind === 'write') await assertStillValid(what.operation);
  } catch (error) {
    leave('unheard');
    throw error;
  }
  try {
    const made = await work();
    leave('answered');
    return made;
  } catch (error) {
    const { kind, isOurs, lock } = courseOf(sessions, what).failure(error, null);
    leave(kind === 'unavailable' && !isOurs && lock === null && signal?.aborted !== true ? 'overloaded' : 'unheard');
    throw error;
  }
}
