import { ALL_FLOWS, type PauseStore } from '../record.ts';
import { addActs } from './journal.ts';
import { and, asc, eq, getTableColumns, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { conflictKey, selecting, updateWhere } from './queries.ts';
import { pauses, work } from './tables/work.ts';
import { releaseWork } from './work.ts';

const listPauses = selecting(getTableColumns(pauses), (db, fields) =>
  db.select(fields).from(pauses).orderBy(asc(pauses.account), asc(pauses.flow)),
);

const is = (account: string, flow: string) => and(eq(pauses.account, account), eq(pauses.flow, flow));
const act = (account: string, flow: string) => ({ account, flow, key: '*', target: `writes of ${flow}` });

export const pauseReads = {
  all({ db }) {
    return listPauses(db).all({});
  },
} satisfies Reads<PauseStore>;

export const pauseWrites = {
  pause({ tx, nowMs }, account, flow, reason, by) {
    const set = { reason, sinceMs: nowMs };
    tx.insert(pauses)
      .values({ account, flow, ...set })
      .onConflictDoUpdate({ target: conflictKey(pauses.account, pauses.flow), set })
      .run();
    addActs(tx, [{ ...act(account, flow), action: 'pause', before: null, after: `paused: ${reason}`, by }], nowMs);
  },

  resume({ tx, nowMs }, account, flow, by) {
    const isAllFlows = flow === ALL_FLOWS;
    const lifted = tx
      .delete(pauses)
      .where(isAllFlows ? eq(pauses.account, account) : is(account, flow))
      .returning()
      .all();
    if (lifted.length === 0) return { lifted, released: 0 };
    const flows = isAllFlows ? {} : { flow };
    let released = releaseWork(tx, { account, ...flows, codes: ['paused'], isOver: true });
    if (isAllFlows || flow === 'product')
      released += releaseWork(tx, { account, codes: ['product-paused'], isOver: true });
    // A job that has just read the pause would hold its key for it. So the key gets a new version, as if its entity had
    // changed.
    const waits = and(
      eq(work.account, account),
      eq(work.state, 'pending'),
      isAllFlows ? undefined : eq(work.flow, flow),
    );
    updateWhere(tx, work, { version: sql`${work.version} + 1` }, waits);
    for (const pause of lifted) {
      const before = `paused: ${pause.reason}`;
      addActs(tx, [{ ...act(account, pause.flow), action: 'resume', before, after: null, by }], nowMs);
    }
    return { lifted, released };
  },
} satisfies Writes<PauseStore>;
