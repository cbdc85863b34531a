export interface Rate {
  readonly burst: number;
  /** The average rate; `burst` may exceed it. */
  readonly perSecond: number;
}

/** A token bucket. Returns 0 if a token was taken, otherwise the ms until the next one. */
export type Bucket = () => number;

export function createBucket({ burst, perSecond }: Rate, nowMs: () => number): Bucket {
  let tokens = burst;
  let filledAtMs = nowMs();
  return () => {
    const now = nowMs();
    tokens = Math.min(burst, tokens + (Math.max(0, now - filledAtMs) * perSecond) / 1000);
    filledAtMs = now;
    if (tokens < 1) return Math.ceil(((1 - tokens) * 1000) / perSecond);
    tokens -= 1;
    return 0;
  };
}
