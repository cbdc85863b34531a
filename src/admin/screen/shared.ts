/**
 * An answer that takes long to make and that many pages show. One answer serves everybody who asks while it is made, and for ten
 * times as long as it took. However many people look, most of the time is left to the work of the daemon.
 */
export interface Shared<Value> {
  get(key: string, make: () => Promise<Value>): Promise<Value>;
  /** Somebody has changed something: the next request gets a new answer. */
  forget(): void;
}

const TIMES_AS_LONG = 10;
const LONGEST_MS = 30_000;

interface Kept<Value> {
  readonly value: Promise<Value>;
  /** Infinity while the answer is being made. */
  untilMs: number;
}

/** @param now milliseconds of a clock that only goes forward */
export function createShared<Value>(now: () => number = () => performance.now()): Shared<Value> {
  const known = new Map<string, Kept<Value>>();
  return {
    get(key, make) {
      const last = known.get(key);
      if (last !== undefined && now() < last.untilMs) return last.value;
      const beganMs = now();
      const kept: Kept<Value> = { value: make(), untilMs: Number.POSITIVE_INFINITY };
      known.set(key, kept);
      kept.value.then(
        () => {
          const tookMs = now() - beganMs;
          kept.untilMs = now() + Math.min(TIMES_AS_LONG * tookMs, LONGEST_MS);
        },
        () => {
          if (known.get(key) === kept) known.delete(key);
        },
      );
      return kept.value;
    },
    forget: () => known.clear(),
  };
}
