import { setTimeout as sleep } from 'node:timers/promises';

interface Waiting {
  readonly everyMs: number;
  /** The longest wait for news. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Repeats the check until it returns null (done) or the same result for a while. */
export async function untilStable(
  look: () => Promise<number | string | null>,
  { everyMs, idleMs, signal }: Waiting,
): Promise<void> {
  let last: number | string | null = null;
  for (let untilMs = performance.now() + idleMs; performance.now() < untilMs; ) {
    const shown = await look();
    if (shown === null) return;
    if (shown !== last) untilMs = performance.now() + idleMs;
    last = shown;
    await sleep(everyMs, undefined, { signal });
  }
}
