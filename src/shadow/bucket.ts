export interface Rate {
  /** The most tokens at once. */
  readonly burst: number;
  /** Tokens a second in the long run. */
  readonly perSecond: number;
}

/** A token bucket: returns the ms until the next token, and 0 when a token was taken. */
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
