/** A request with an idempotency key of the caller, so that it can be repeated when its response is lost. */
export interface IdempotentRequest {
  readonly hash: string;
  /** Digest of the request: another request needs another key. */
  readonly requestHash: string;
  readonly askedAtMs: number;
  /** null: the act is running, or its process ended before it was answered. */
  readonly answer: string | null;
}

export const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1000;

export interface AnswerStore {
  /**
   * Records an act before it runs. Returns the earlier one under this hash, or null. Removes the oldest beyond `most`.
   */
  begin(
    act: Pick<IdempotentRequest, 'hash' | 'requestHash'>,
    kept: { most: number },
  ): Promise<IdempotentRequest | null>;

  prune(beforeMs: number): Promise<void>;

  end(hash: string, answer: string): Promise<void>;

  /** For an act that did nothing: the hash may be used again. */
  forget(hash: string): Promise<void>;
}
