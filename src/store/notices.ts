import type { Concern, Sight, StandingConcern } from '../domain/notices.ts';

/** A waiting message. Its text is made when it is sent, so no data of either side is stored here. */
export interface Message extends Concern {
  readonly id: number;
  readonly channel: string;
  readonly event: 'opened' | 'closed' | 'digest';
  readonly account: string;
  readonly atMs: number;
  readonly attempts: number;
}

/** The most messages that wait for one channel. The oldest ones beyond this are dropped. */
export const MAX_WAITING = 500;
/** The longest delay of a retry. A later time dates from before the clock was set back and means now. */
export const LONGEST_WAIT_MS = 60 * 60_000;

export interface NoticeStore {
  /**
   * Stores the present concerns as far as `sight` allows, and adds a message per channel for each that opened or
   * closed. Returns how many waiting messages were dropped for them.
   */
  standing(
    account: string,
    now: { readonly concerns: readonly StandingConcern[]; readonly sight: Sight },
    channels: readonly string[],
  ): Promise<number>;

  /** Adds the digest of this due time, unless it exists or another digest waits. */
  digest(channel: string, dueMs: number): Promise<void>;

  next(channel: string): Promise<Message | null>;

  done(id: number): Promise<void>;

  retry(id: number, notBeforeMs: number): Promise<void>;

  /** Drops the messages of channels that are no longer configured. */
  keepChannels(channels: readonly string[]): Promise<void>;
}
