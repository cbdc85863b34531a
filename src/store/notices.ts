import type { Concern } from '../domain/notices.ts';

/** A message that waits to be sent. What it says is made when it is sent: nothing of either side is kept here. */
export interface Message extends Concern {
  readonly id: number;
  readonly channel: string;
  readonly event: 'opened' | 'closed' | 'digest';
  /** Empty for a digest, which is about all of them. */
  readonly account: string;
  readonly atMs: number;
  readonly attempts: number;
}

/** At most so many messages wait for one channel; beyond them, the oldest are dropped. */
export const MAX_WAITING = 500;
/** A message is tried again within this time. A later date comes from a clock that was set back since, and means now. */
export const LONGEST_WAIT_MS = 60 * 60_000;

export interface NoticeStore {
  /**
   * Takes the concerns of an account that stand now, and puts a message for each channel about every one that has opened or
   * closed since. Answers how many messages were dropped for them.
   */
  standing(account: string, concerns: readonly Concern[], channels: readonly string[]): Promise<number>;

  /** Puts the digest that was due at this time, unless it was put before, or one waits. */
  digest(channel: string, dueMs: number): Promise<void>;

  /** The oldest message of the channel, if it is due; null otherwise. */
  next(channel: string): Promise<Message | null>;

  /** It was sent, or is given up. */
  done(id: number): Promise<void>;

  /** It is tried again, not before this time. */
  retry(id: number, notBeforeMs: number): Promise<void>;

  /** Drops what waits for channels that are configured no longer. */
  keepChannels(channels: readonly string[]): Promise<void>;
}
