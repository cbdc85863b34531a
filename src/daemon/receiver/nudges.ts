import { createBucket, type Rate } from '../../shadow/bucket.ts';

/**
 * Fires at once for the first nudge of a key, and once more for all that follow within `debounceMs`. All keys together
 * are limited to `rate`.
 */
export function createNudges(debounceMs: number, rate: Rate, nowMs: () => number) {
  const resting = new Map<string, { readonly timer: NodeJS.Timeout; again: (() => void) | null }>();
  const allowances = new Map<string, ReturnType<typeof createBucket>>();

  function fireOrRest(key: string, fire: () => void): void {
    const allowance = allowances.get(key) ?? createBucket(rate, nowMs);
    allowances.set(key, allowance);
    const waitMs = allowance();
    rest(key, waitMs > 0 ? waitMs : debounceMs, waitMs > 0 ? fire : null);
    if (waitMs === 0) fire();
  }

  function rest(key: string, ms: number, gathered: (() => void) | null): void {
    const timer = setTimeout(() => {
      const again = resting.get(key)?.again ?? null;
      resting.delete(key);
      if (again !== null) fireOrRest(key, again);
    }, ms);
    timer.unref();
    resting.set(key, { timer, again: gathered });
  }

  return {
    nudge(key: string, fire: () => void): void {
      const found = resting.get(key);
      if (found === undefined) fireOrRest(key, fire);
      else found.again = fire;
    },
    stop(): void {
      for (const { timer } of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}
