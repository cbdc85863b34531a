import type { Database } from './database.ts';
import { addActs } from './journal.ts';
import { and, asc, eq, sql } from './orm.ts';
import { built } from './queries.ts';
import { pauses, work } from './tables/work.ts';
import { releaseWork } from './work.ts';

export type Pause = typeof pauses.$inferSelect;

/** As flow of a pause: every flow of the account. */
export const ALL_FLOWS = 'all';

const listPauses = built((db) => db.select().from(pauses).orderBy(asc(pauses.account), asc(pauses.flow)).prepare());

/** Why the flow of stock leaves what comes back in the archive. */
export const PRODUCT_PAUSED = 'its listing is not brought back: product is paused: ';

export function pauseStore(db: Database, now: () => number) {
  const is = (account: string, flow: string) => and(eq(pauses.account, account), eq(pauses.flow, flow));
  const act = (account: string, flow: string) => ({ account, flow, key: '*', target: `writes of ${flow}` });

  return {
    /** Stops the writes of one flow, or of `all`; a pause that is there gets the new reason. */
    async pause(account: string, flow: string, reason: string, by: string): Promise<void> {
      await db.transaction((tx) => {
        const set = { reason, sinceMs: now() };
        tx.insert(pauses)
          .values({ account, flow, ...set })
          .onConflictDoUpdate({ target: [pauses.account, pauses.flow], set })
          .run();
        addActs(tx, [{ ...act(account, flow), action: 'pause', before: null, after: `paused: ${reason}`, by }], now());
      });
    },

    /**
     * Lifts the pause of one flow, or with `all` every pause of the account, and has what waited for it looked at.
     * Answers what was lifted and how many keys had waited.
     */
    async resume(account: string, flow: string, by: string): Promise<{ lifted: Pause[]; released: number }> {
      return db.transaction((tx) => {
        const whole = flow === ALL_FLOWS;
        const lifted = tx
          .delete(pauses)
          .where(whole ? eq(pauses.account, account) : is(account, flow))
          .returning()
          .all();
        if (lifted.length === 0) return { lifted, released: 0 };
        const flows = whole ? {} : { flow };
        let released = releaseWork(tx, { account, ...flows, reasonPrefix: 'paused: ' });
        if (whole || flow === 'product') released += releaseWork(tx, { account, reasonPrefix: PRODUCT_PAUSED });
        // A job that has read the pause just now would still hold its key for it: as if the entity had changed meanwhile.
        tx.update(work)
          .set({ version: sql`${work.version} + 1` })
          .where(and(eq(work.account, account), eq(work.state, 'pending'), whole ? undefined : eq(work.flow, flow)))
          .run();
        for (const pause of lifted) {
          const before = `paused: ${pause.reason}`;
          addActs(tx, [{ ...act(account, pause.flow), action: 'resume', before, after: null, by }], now());
        }
        return { lifted, released };
      });
    },

    async all(): Promise<Pause[]> {
      return listPauses(db).all();
    },
  };
}
