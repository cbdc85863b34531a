/** An act that a program asked for under a key of its own, so that it may ask again when the answer is lost. */
export interface AskedAct {
  /** A digest of the caller's name and the key. */
  readonly hash: string;
  /** A digest of the request: the same key never stands for two requests. */
  readonly requestHash: string;
  readonly askedAtMs: number;
  /** null: the act is under way, or its process ended before it was answered. */
  readonly answer: string | null;
}

/** An act can be asked for again for this long. */
export const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1000;

/** The answers of acts. All processes share them. */
export interface AnswerStore {
  /**
   * Notes an act before it is done. Answers the act that is noted under this hash already; null: there was none.
   * The oldest acts beyond `most` are removed.
   */
  begin(act: Pick<AskedAct, 'hash' | 'requestHash'>, kept: { most: number }): Promise<AskedAct | null>;

  /** Removes the acts that were asked for before this moment. */
  prune(beforeMs: number): Promise<void>;

  /** Keeps the answer of a noted act. */
  end(hash: string, answer: string): Promise<void>;

  /** Nothing was done: the act may be asked for again under this hash. */
  forget(hash: string): Promise<void>;
}
