import { counted } from '../../domain/counted.ts';
import type { Desk } from '../desk.ts';
import type { Task } from '../tasks.ts';
import { untilStill } from '../until-still.ts';
import { replayJobs } from './replay.ts';
import { type Selection, selectJobs } from './select.ts';

const LOOK_EVERY_MS = 500;
const AT_ONCE = 500;
/** The longest wait without the end of any replay. */
const IDLE_MS = 120_000;

/**
 * Begins to replay the failed jobs of an account that match a filter, and tells how many ended in each way.
 * @throws TaskRunning
 */
export function startReplay(desk: Desk, account: string, filter: Pick<Selection, 'error' | 'limit'>): Task {
  return desk.tasks.start({ account, kind: 'replay', by: desk.by }, async ({ signal, progress }) => {
    const { jobs } = await selectJobs(desk, [], { ...filter, account });
    const acts = await replayJobs(desk, jobs);
    const ended = new Map<number, string>();
    const look = async () => {
      progress('looked at afresh', ended.size, acts.length);
      const open = acts.filter((id) => !ended.has(id));
      for (let at = 0; at < open.length; at += AT_ONCE) {
        for (const { resultOf, after } of await desk.store.audit.resultsOf(open.slice(at, at + AT_ONCE)))
          if (resultOf !== null) ended.set(resultOf, after ?? '');
      }
      return ended.size === acts.length ? null : ended.size;
    };
    await untilStill(look, { everyMs: LOOK_EVERY_MS, idleMs: IDLE_MS, signal });
    progress('looked at afresh', ended.size, acts.length);
    return { said: `${counted(acts.length, 'job')} replayed: ${resultsText([...ended.values()], acts.length)}.` };
  });
}

function resultsText(results: readonly string[], all: number): string {
  const groups = [...Map.groupBy(results, (state) => state)].map(([state, { length }]) => `${length} ${state}`);
  const left = all - results.length;
  return [...groups, ...(left > 0 || all === 0 ? [`${left} not ended`] : [])].join(', ');
}
