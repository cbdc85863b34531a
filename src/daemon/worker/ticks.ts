import type { Log } from '../../logging/logging.ts';
import type { WorkStore } from '../../store/work.ts';

const TICK_MS = 250;

/** Called at each tick. `isDue`: a key of its account is due. */
export type Tick = (isDue: boolean) => void;

/** The clock of all queues, which asks the store once for all accounts. */
export interface Ticks {
  join(account: string, tick: Tick): () => void;
}

export function startTicks(work: Pick<WorkStore, 'accountsDue'>, log: Log): Ticks {
  // An account may be here twice: its new work may start before the earlier one has ended.
  const joined = new Set<{ readonly account: string; readonly tick: Tick }>();
  let timer: NodeJS.Timeout | null = null;
  let isAsking = false;

  const tell = (due: ReadonlySet<string>): void => {
    for (const { account, tick } of joined) tick(due.has(account));
  };
  const look = async (): Promise<void> => {
    isAsking = true;
    try {
      tell(new Set(await work.accountsDue([...new Set([...joined].map(({ account }) => account))])));
    } catch (error) {
      log.warn({ err: error }, 'the queues could not be filled; it is tried again');
    } finally {
      isAsking = false;
    }
  };

  return {
    join(account, tick) {
      const one = { account, tick };
      joined.add(one);
      timer ??= setInterval(() => void (isAsking || look()), TICK_MS);
      return () => {
        joined.delete(one);
        if (joined.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}
