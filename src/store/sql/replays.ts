import type { Act, ReplayState } from '../record.ts';
import type { WorkKey } from '../work.ts';
import { appendAudit } from './audit.ts';
import type { Queryable } from './database.ts';
import { addActs } from './journal.ts';
import { and, eq, gt, sql } from './orm.ts';
import { countOf, deleteBy, putInto, rowBy } from './queries.ts';
import { journal } from './tables/record.ts';
import { replays } from './tables/work.ts';

export interface Replay extends WorkKey {
  readonly target: string;
  readonly before: string;
}

interface ReplayEnd {
  readonly state: ReplayState;
  readonly told: string;
}

const DAEMON = 'stockbridge';
export const REPLAY_RESULT = 'job.replay.result';

const findReplay = rowBy(replays, 'account', 'flow', 'key');
const putReplay = putInto(replays, 'account', 'flow', 'key');
const dropReplay = deleteBy(replays, 'account', 'flow', 'key');

/** Records a replay whose result is outstanding. Returns the id of the act in the audit log. */
export function beginReplay(tx: Queryable, { account, flow, key, ...job }: Replay, by: string, nowMs: number): number {
  const target = { account, flow, key };
  endReplay(tx, target, () => ({ state: 'superseded', told: 'replayed once more' }), nowMs);
  const act = { ...target, ...job, action: 'job.replay', after: 'looked at afresh', by };
  const [auditId = 0] = addActs(tx, [act], nowMs);
  const newest = tx
    .select({ id: sql<number | null>`max(${journal.id})` })
    .from(journal)
    .get();
  putReplay(tx, { ...target, auditId, journalId: newest?.id ?? 0 });
  return auditId;
}

export function endReplay(
  tx: Queryable,
  { account, flow, key }: WorkKey,
  resultOf: (written: number) => ReplayEnd,
  nowMs: number,
): void {
  const found = findReplay(tx, { account, flow, key });
  if (found === undefined) return;
  dropReplay(tx, found);
  const isIt = and(eq(journal.account, account), eq(journal.flow, flow), eq(journal.key, key));
  const isLater = and(gt(journal.id, found.journalId), eq(journal.outcome, 'written'));
  const written = countOf(tx, journal, and(isIt, isLater));
  const { state, told } = resultOf(written);
  const act: Act = {
    who: DAEMON,
    account,
    flow,
    key,
    action: REPLAY_RESULT,
    target: `replay of ${flow} ${key}`,
    before: null,
    after: state,
    outcome: told,
    resultOf: found.auditId,
  };
  appendAudit(tx, [act], nowMs);
}

/** Both sides agree. The result names the writes of the replay, if any. */
export function settledEnd(written: number): ReplayEnd {
  if (written === 0) return { state: 'in-sync', told: 'already in step: nothing was written' };
  return { state: 'written', told: `written ${written}` };
}

export function unsettledEnd(state: 'held' | 'failed', why: string): (written: number) => ReplayEnd {
  return (written) => ({ state, told: written === 0 ? why : `${why} (written ${written})` });
}
