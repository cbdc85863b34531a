import type { Rate } from '../../shadow/bucket.ts';

export interface ReceiverLimits {
  readonly bodyBytes: number;
  /** From the first byte of a request to the last. */
  readonly requestMs: number;
  readonly concurrentBodies: number;
  readonly connections: number;
  /** Least time between two nudges of one account for orders. */
  readonly debounceMs: number;
  /** How many nudges for orders there may be at once and in the long run, since each costs a list call. */
  readonly nudges: Rate;
  /** The same for products: one order sends a hook for each of its products, and so does every write of ours. */
  readonly productDebounceMs: number;
  /** Per account: requests that are signed and sound. */
  readonly sound: Rate;
  /** Per account: everything else. Above it, refusals are answered 429. */
  readonly unsound: Rate;
}

export const RECEIVER_LIMITS: ReceiverLimits = {
  bodyBytes: 1024 * 1024,
  requestMs: 15_000,
  concurrentBodies: 128,
  connections: 2_000,
  debounceMs: 350,
  nudges: { burst: 10, perSecond: 1 },
  productDebounceMs: 5_000,
  sound: { burst: 5_000, perSecond: 500 },
  unsound: { burst: 100, perSecond: 10 },
};
