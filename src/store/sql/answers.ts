import { ANSWERS_KEPT_MS, type AnswerStore } from '../answers.ts';
import type { Queryable } from './database.ts';
import { desc, eq, lt, notInArray } from './orm.ts';
import type { Writes } from './part.ts';
import { rowBy } from './queries.ts';
import { answers } from './tables/access.ts';

const find = rowBy(answers, 'hash');

function prune(tx: Queryable, beforeMs: number): void {
  tx.delete(answers).where(lt(answers.askedAtMs, beforeMs)).run();
}

export const answerWrites = {
  prune({ tx }, beforeMs) {
    prune(tx, beforeMs);
  },

  begin({ tx, nowMs }, act, { most }) {
    prune(tx, nowMs - ANSWERS_KEPT_MS);
    const earlier = find(tx, { hash: act.hash });
    if (earlier !== undefined) return earlier;
    tx.insert(answers)
      .values({ ...act, askedAtMs: nowMs, answer: null })
      .run();
    const newest = tx.select({ hash: answers.hash }).from(answers).orderBy(desc(answers.askedAtMs)).limit(most);
    tx.delete(answers).where(notInArray(answers.hash, newest)).run();
    return null;
  },

  end({ tx }, hash, answer) {
    tx.update(answers).set({ answer }).where(eq(answers.hash, hash)).run();
  },

  forget({ tx }, hash) {
    tx.delete(answers).where(eq(answers.hash, hash)).run();
  },
} satisfies Writes<AnswerStore>;
