/**
 * The purpose of a call, most urgent first: a call of an earlier lane never waits behind calls of a later one. `follow-up` only
 * tells the marketplace that the ERP has an order.
 */
export const LANES = ['operator', 'webhook', 'poll', 'backfill', 'follow-up'] as const;
export type Lane = (typeof LANES)[number];

/** The statements of an answer about the quota (spec 1, Rate limits). null: the answer did not say. */
export interface QuotaHeaders {
  readonly status: number;
  /** From the moment the answer arrived. */
  readonly retryAfterMs: number | null;
  readonly limitPerMinute: number | null;
  readonly remainingPerMinute: number | null;
  readonly limitPerSecond: number | null;
  readonly remainingPerSecond: number | null;
}

/** That one call may be sent now. It has a date, by which the call must have arrived. */
export interface Grant {
  /** So old that the call could arrive after that: it must not be sent any more. */
  isLate(): boolean;
  /** Nothing is sent for it. @throws CallFailure `unavailable` when Redis does not answer */
  giveBack(): Promise<void>;
}

/** Where no quota is kept. */
export const UNLIMITED: Grant = { isLate: () => false, giveBack: async () => {} };

/** Stands in front of every call, so that all processes together stay within the quota. */
export interface Governor {
  /**
   * Resolves when one call may be sent now. A caller that has to do something else before the call leaves asks the grant
   * once more then.
   * @param patienceMs as long as it waits; as long as the governor lets anybody wait when left out
   * @throws CallFailure `rate-limited`, `not-applied`, with `retryAfterMs`, when the wait would be long.
   */
  acquire(lane: Lane, signal?: AbortSignal, patienceMs?: number): Promise<Grant>;
  /**
   * Takes in the quota headers of an answer: a 429 closes the gate for everybody, and a lower remainder is believed. The
   * client waits for it before it hands the answer on, so it settles within a bounded time, whatever state Redis is in.
   */
  observe(headers: QuotaHeaders): Promise<void>;
}
