import { Cron } from 'croner';
import type { Channel } from '../config/notify.ts';
import type { Log } from '../logging.ts';
import type { Message, NoticeStore } from '../store/notices.ts';
import { LONGEST_WAIT_MS } from '../store/notices.ts';
import { openChannel } from './channel.ts';
import { type AllStanding, type Said, said } from './said.ts';
import { type OpenChannel, SEND_MS } from './sending.ts';

const LOOK_EVERY_MS = 15_000;
/** A message that was not taken for so long is given up. */
const GIVEN_UP_MS = 24 * 60 * 60_000;
const FIRST_WAIT_MS = 10_000;
/** So many messages leave to one channel in one look. */
const MOST_AT_ONCE = 20;

export interface NotifyParts {
  readonly channels: readonly Channel[];
  readonly notices: NoticeStore;
  /** What needs somebody now. */
  readonly standing: () => Promise<AllStanding>;
  readonly log: Log;
  readonly lookEveryMs?: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly onSent: (channel: string, outcome: 'sent' | 'failed' | 'given-up') => void;
}

/**
 * Tells people what needs them: looks at it from time to time, and sends one message to each channel when a cause opens and
 * one when it closes. Work never waits for it.
 */
export function startNotify({
  channels,
  notices,
  standing,
  log,
  onSent,
  now,
  lookEveryMs = LOOK_EVERY_MS,
}: NotifyParts) {
  if (channels.length === 0) return { stop: async () => {} };
  const ending = new AbortController();
  const open = channels.map((channel) => ({ ...channel, ...openChannel(channel) }));
  const names = channels.map(({ name }) => name);
  let running: Promise<void> | null = null;

  async function look(): Promise<void> {
    const all = await standing();
    for (const [account, concerns] of all) {
      const dropped = await notices.standing(account, concerns, names);
      if (dropped > 0) log.warn({ account, count: dropped }, 'messages were dropped: too many wait for a channel');
    }
    await Promise.all(open.map((channel) => sendAll(channel, all)));
  }

  async function sendAll(channel: OpenChannel & { readonly name: string }, all: AllStanding): Promise<void> {
    for (let sent = 0; sent < MOST_AT_ONCE && !ending.signal.aborted; sent += 1) {
      const message = await notices.next(channel.name);
      if (message === null || !(await sendOne(channel, message, said(message, all)))) return;
    }
  }

  async function sendOne(
    channel: OpenChannel & { readonly name: string },
    message: Message,
    what: Said,
  ): Promise<boolean> {
    const { name } = channel;
    try {
      await channel.send(what, AbortSignal.any([ending.signal, AbortSignal.timeout(SEND_MS)]));
      await notices.done(message.id);
      onSent(name, 'sent');
      return true;
    } catch (error) {
      if (ending.signal.aborted) return false;
      const reason = `${name} ${error instanceof Error ? error.message : 'failed'}`;
      const isOld = now() - message.atMs > GIVEN_UP_MS;
      onSent(name, isOld ? 'given-up' : 'failed');
      if (isOld) {
        log.warn({ reason, attempt: message.attempts }, 'a message could not be sent for a day and is given up');
        await notices.done(message.id);
      } else {
        const delayMs = Math.min(FIRST_WAIT_MS * 2 ** message.attempts, LONGEST_WAIT_MS);
        log.warn({ reason, attempt: message.attempts, delayMs }, 'a message was not sent: it is tried again');
        await notices.retry(message.id, now() + delayMs);
      }
      return false;
    }
  }

  const begin = (): void => {
    running ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'nobody could be told of what needs somebody'))
      .finally(() => {
        running = null;
      });
  };
  notices
    .keepChannels(names)
    .then(begin)
    .catch((error: unknown) => log.warn({ err: error }, 'messages of former channels stay'));
  const timer = setInterval(begin, lookEveryMs);
  const crons = channels.flatMap(({ name, digest }) =>
    digest === null ? [] : [new Cron(digest, { timezone: 'UTC' }, () => void notices.digest(name).then(begin, begin))],
  );
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      for (const cron of crons) cron.stop();
      ending.abort();
      await running;
      for (const channel of open) await channel.close();
    },
  };
}
