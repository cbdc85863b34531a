import type { Concern, Sight, StandingConcern } from '../domain/notices.ts';

/** A message that waits to be sent. Its text is made when it is sent, so no data of either side is stored here. */
export interface Message extends Concern {
  readonly id: number;
  readonly channel: string;
  readonly event: 'opened' | 'closed' | 'digest';
  /** Empty for a digest, which is about all accounts. */
  readonly account: string;
  readonly atMs: number;
  readonly attempts: number;
}

/** At most this many messages wait for one channel. When there are more, the oldest are dropped. */
export const MAX_WAITING = 500;
/** A message is tried again within this time. A later date was written before the clock was set back, and means now. */
export const LONGEST_WAIT_MS = 60 * 60_000;

export interface NoticeStore {
  /**
   * Takes the concerns of an account that stand now, as far as they can be looked at. For each concern that has opened or closed
   * since, a message is added for each channel. Answers how many waiting messages were dropped for the new ones.
   */
  standing(
    account: string,
    now: { readonly concerns: readonly StandingConcern[]; readonly sight: Sight },
    channels: readonly string[],
  ): Promise<number>;

  /** Adds the digest that was due at this time, unless it was added before, or another digest waits. */
  digest(channel: string, dueMs: number): Promise<void>;

  /** The oldest message of the channel, if it is due; null otherwise. */
  next(channel: string): Promise<Message | null>;

  /** Removes a message that was sent or is given up. */
  done(id: number): Promise<void>;

  /** Has the message tried again, not before this time. */
  retry(id: number, notBeforeMs: number): Promise<void>;

  /** Drops the messages that wait for channels that are configured no longer. */
  keepChannels(channels: readonly string[]): Promise<void>;
}
