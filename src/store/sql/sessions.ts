import type { SessionStore } from '../sessions.ts';
import { and, desc, eq, lte, notInArray } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { rowBy } from './queries.ts';
import { sessions } from './tables/access.ts';

const find = rowBy(sessions, 'hash');

export const sessionReads = {
  get({ db, nowMs }, hash) {
    const row = find(db, { hash });
    return row === undefined || row.endsAtMs <= nowMs ? null : row;
  },
} satisfies Reads<SessionStore>;

export const sessionWrites = {
  begin({ tx, nowMs }, session, most) {
    tx.delete(sessions).where(lte(sessions.endsAtMs, nowMs)).run();
    tx.insert(sessions).values(session).run();
    const sameProof = eq(sessions.proof, session.proof);
    const latest = tx
      .select({ hash: sessions.hash })
      .from(sessions)
      .where(sameProof)
      .orderBy(desc(sessions.endsAtMs))
      .limit(most);
    tx.delete(sessions)
      .where(and(sameProof, notInArray(sessions.hash, latest)))
      .run();
  },

  end({ tx }, hash) {
    return tx.delete(sessions).where(eq(sessions.hash, hash)).returning({ hash: sessions.hash }).all().length > 0;
  },
} satisfies Writes<SessionStore>;
