import { type Cause, sentencesOf } from '../../domain/causes/cause.ts';
import { isWaitingCode, remembersWrite, type WorkRow, type WorkStore } from '../work.ts';
import { and, eq, sql } from './orm.ts';
import type { Notes } from './part.ts';
import { leavePlans } from './plan-items.ts';
import { changeBy, deleteBy, matching, prepared } from './queries.ts';
import { endReplay, settledEnd, unsettledEnd } from './replays.ts';
import { failedJobs, work } from './tables/work.ts';
import { changeHeldFor, findWork, NOT_HELD, VERSION } from './work.ts';

const deleteWork = deleteBy(work, ...VERSION);
const holdWork = changeBy(work, VERSION, ['state', 'heldFor', 'heldSinceMs']);
const postponeWork = prepared((db) =>
  db
    .update(work)
    .set({ ...NOT_HELD, notBeforeMs: sql`${sql.placeholder('notBeforeMs')}` })
    .where(and(matching(work, ...VERSION), eq(work.state, 'pending'))),
);
const postponeFor = changeBy(work, [...VERSION, 'state'], ['heldFor', 'heldSinceMs', 'notBeforeMs']);
const giveWay = changeBy(work, [...VERSION, 'state'], ['lane']);
const deleteFailure = deleteBy(failedJobs, 'account', 'flow', 'key');

function isHeldAs(
  { heldFor, heldSinceMs }: Pick<WorkRow, 'heldFor' | 'heldSinceMs'>,
  causes: readonly Cause[],
): boolean {
  const codesOf = (some: readonly Cause[]) =>
    some
      .filter((one) => !isWaitingCode(one))
      .map(({ code }) => code)
      .join();
  return heldSinceMs !== null && codesOf(heldFor ?? []) === codesOf(causes);
}

/** Stores the result of a look. If it is lost, the key is only looked at once more. */
export const workNotes = {
  settle({ tx, nowMs }, target, version) {
    const gone = deleteWork(tx, { ...target, version }) > 0;
    if (gone) {
      deleteFailure(tx, target);
      leavePlans(tx, target);
      endReplay(tx, target, settledEnd, nowMs);
    }
    return gone;
  },

  hold({ tx, nowMs }, target, version, causes) {
    const before = findWork(tx, target);
    const heldSinceMs = before !== undefined && isHeldAs(before, causes) ? before.heldSinceMs : nowMs;
    const kept = holdWork(tx, { ...target, version, state: 'held', heldFor: causes, heldSinceMs }) > 0;
    if (kept) {
      deleteFailure(tx, target);
      endReplay(tx, target, unsettledEnd('held', `held: ${sentencesOf(causes)}`), nowMs);
    } else if (before !== undefined && causes.some(remembersWrite)) {
      const { account, flow, key } = target;
      changeHeldFor(tx, { account, flow, key, heldFor: causes });
    }
    return kept;
  },

  tried({ tx, nowMs }, target, version, why) {
    const before = findWork(tx, target);
    if (before?.version !== version || before.state !== 'pending') return;
    const others = (before.heldFor ?? []).filter(({ code }) => code !== why.code);
    const heldSinceMs = before.heldSinceMs ?? nowMs;
    const { account, flow, key } = target;
    holdWork(tx, { account, flow, key, version, state: 'pending', heldFor: [...others, why], heldSinceMs });
  },

  postpone({ tx, nowMs }, target, version, notBeforeMs, why) {
    const { account, flow, key } = target;
    const of = { account, flow, key, version, notBeforeMs };
    if (why.length === 0) return postponeWork(tx).run(of).changes > 0;
    const heldSinceMs = findWork(tx, target)?.heldSinceMs ?? nowMs;
    return postponeFor(tx, { ...of, state: 'pending', heldFor: why, heldSinceMs }) > 0;
  },

  giveWay({ tx }, target, version) {
    return giveWay(tx, { ...target, version, state: 'pending', lane: 'follow-up' }) > 0;
  },
} satisfies Notes<WorkStore>;
