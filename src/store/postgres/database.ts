import { createCommits } from '../sql/commits.ts';
import type { Database, Queryable, Reading } from '../sql/database.ts';
import { sql } from '../sql/orm.ts';
import { type PostgresEngine, postgresEngine, tryLock } from './commit-engine.ts';
import type { Connection } from './connection.ts';
import { drizzleOn } from './drizzle-on.ts';
import { PREFETCH_PLANS } from './prefetch/plans.ts';
import { type Prefetched, prefetcher } from './prefetch.ts';
import { NotPrefetchedError, type Statements, statementsOn } from './statements.ts';

/**
 * For a thread that may block.
 * @param migrations as for `postgresEngine`
 */
export function connected(connection: Connection, migrations?: number): { readonly db: Database; commitAll(): void } {
  const statements = statementsOn(connection);
  const drizzled = drizzleOn(statements);
  const engine = postgresEngine(connection, migrations);
  const { transaction, note, apart, commitAll } = createCommits<Queryable>(engine, drizzled);
  const shared: Database['shared'] = {
    isAlone: false,
    clockMs: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    tryLock: (_, account) => tryLock(connection, account),
    lastAuditId: sql`(select seq from numbers_given where name = 'audit')`,
    rowId: sql`ctid`,
  };
  const snapshot = snapshotOf(engine, statements);
  const db = Object.assign(drizzled, { snapshot, transaction, note, apart, shared });
  return { db, commitAll };
}

/** Prefetched questions are one statement and see one state of the database. Others need a transaction for that. */
function snapshotOf(engine: PostgresEngine, statements: Statements): Database['snapshot'] {
  const prefetch = prefetcher();
  const prefetched = ({ method, args }: Reading): Prefetched | null => {
    const tell = PREFETCH_PLANS.get(method);
    return tell === undefined ? null : prefetch((ask) => tell(ask, ...args));
  };
  return (read, reading) => {
    const ahead = reading === undefined ? null : prefetched(reading);
    if (ahead === null) return engine.snapshot(read);
    try {
      return statements.answered(
        engine.tried(() => statements.askAhead(ahead)),
        false,
        read,
      );
    } catch (error) {
      if (!(error instanceof NotPrefetchedError)) throw error;
      return engine.snapshot(() => statements.answered(statements.askAhead(ahead), true, read));
    }
  };
}
