import type { Lane } from '../../src/marketplace/quota.ts';
import type { quotaScript } from './governor-ask.ts';

export interface Caller {
  readonly lane: Lane;
  readonly name: string;
  /** How long the caller does something else after an answer. */
  readonly idleMs: () => number;
}

interface Settings {
  readonly script: ReturnType<typeof quotaScript>;
  readonly startMs: number;
  readonly seconds: number;
  readonly callers: readonly Caller[];
  /** From the grant to the arrival at the server, and from there to the answer; null: no answer ever comes. */
  readonly thereMs: () => number;
  readonly backMs: () => number | null;
  /** How late a waiting caller asks again. */
  readonly lateMs: () => number;
}

/** The governor under load in made-up time: the questions, the arrivals of the calls, and the waits of their callers. */
export async function simulate({ script, startMs, seconds, callers, thereMs, backMs, lateMs }: Settings) {
  const events: { at: number; happen: () => Promise<void> }[] = [];
  const schedule = (at: number, happen: () => Promise<void>) => {
    const place = events.findLastIndex((event) => event.at <= at);
    events.splice(place + 1, 0, { at, happen });
  };
  const arrivals: number[] = [];
  const waits: { lane: Lane; waitMs: number }[] = [];

  const ask = async (caller: Caller, now: number, sinceMs: number): Promise<void> => {
    const { granted, waitMs } = await script.ask(now, { lane: caller.lane, caller: caller.name });
    if (!granted) {
      const again = now + Math.min(waitMs, 1_000) + lateMs();
      return schedule(again, () => ask(caller, again, sinceMs));
    }
    waits.push({ lane: caller.lane, waitMs: now - sinceMs });
    const arrival = now + thereMs();
    arrivals.push(arrival);
    const back = backMs();
    const settled = arrival + (back ?? 2_000);
    schedule(settled, async () => {
      if (back !== null) await script.observe(settled);
      const next = settled + caller.idleMs();
      schedule(next, () => ask(caller, next, next));
    });
  };

  for (const caller of callers) {
    const first = startMs + caller.idleMs();
    schedule(first, () => ask(caller, first, first));
  }
  for (let event = events.shift(); event !== undefined; event = events.shift()) {
    if (event.at >= startMs + seconds * 1_000) break;
    await event.happen();
  }
  return { arrivals: arrivals.toSorted((a, b) => a - b), waits };
}

/** The most arrivals in any window of this length. */
export function mostWithin(arrivals: readonly number[], windowMs: number): number {
  let most = 0;
  let first = 0;
  for (const [index, at] of arrivals.entries()) {
    while ((arrivals[first] ?? at) <= at - windowMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
