import { setTimeout as sleep } from 'node:timers/promises';
import type { Replicated } from './replicated.ts';

const LOOK_EVERY_MS = 250;
const MOST_TRIES = 10;
/** A daemon that goes on may take its own account again. Each taking has a fence number of its own. */
const TAKINGS = "select account, fence from leases where account <> ''";
/** Leases that have not run out, by the process number at the end of the daemon's name. */
const heldBy = (pid: number) =>
  `select account, fence from leases join daemons on daemons.id = holder where account <> '' and name like '%:${pid}' and until_ms > extract(epoch from clock_timestamp()) * 1000`;

interface Expected {
  readonly fault: string;
  readonly account: string;
  readonly fence: string;
  readonly sinceMs: number;
}

export interface Takeover {
  readonly fault: string;
  readonly tookMs: number;
}

/** Measures how long accounts are without a worker. */
export type Takeovers = ReturnType<typeof watchTakeovers>;

export function watchTakeovers({ query }: Replicated, over: AbortSignal) {
  let expected: Expected[] = [];
  const done: Takeover[] = [];
  const look = async (): Promise<void> => {
    const { rows } = await query(TAKINGS);
    const fences = new Map(rows.map(({ account, fence }) => [account, String(fence)]));
    const isOver = ({ account, fence }: Expected) => fences.get(account) !== fence;
    for (const one of expected.filter(isOver)) done.push({ fault: one.fault, tookMs: Date.now() - one.sinceMs });
    expected = expected.filter((one) => !isOver(one));
  };
  const watching = (async () => {
    for (; !over.aborted; await sleep(LOOK_EVERY_MS)) {
      // While PostgreSQL is away, no question is answered. The longer time counts all the same.
      if (expected.length > 0) await look().catch(() => {});
    }
  })();
  return {
    /** To be called before the daemon of this process is lost: others have to take its accounts. */
    async expect(fault: string, pid: number): Promise<void> {
      // An earlier fault may have to come to rest first.
      const { rows } = await tried(() => query(heldBy(pid)));
      const sinceMs = Date.now();
      const lost = rows.map(({ account, fence }) => ({
        fault,
        account: String(account),
        fence: String(fence),
        sinceMs,
      }));
      expected = [...expected, ...lost];
    },
    done: (): readonly Takeover[] => done,
    /** The number of accounts that no daemon has taken since. */
    left: () => expected.length,
    ended: () => watching,
  };
}

async function tried<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await sleep(LOOK_EVERY_MS * tries);
    }
  }
}
