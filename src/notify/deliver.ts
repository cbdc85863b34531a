import type { Log } from '../logging/logging.ts';
import { LONGEST_WAIT_MS, type Message, type NoticeStore } from '../store/notices.ts';
import { type OpenChannel, SEND_MS } from './channel.ts';
import { type AllStanding, type Around, concernsIn, textOf } from './text.ts';

/** A message that the channel has not accepted for this long is dropped. */
const GIVEN_UP_MS = 24 * 60 * 60_000;
const FIRST_WAIT_MS = 10_000;
const MOST_AT_ONCE = 20;
const NONE: Around['unseen'] = new Map();

export type NamedChannel = OpenChannel & { readonly name: string };

export interface DeliveryParts {
  readonly notices: NoticeStore;
  readonly log: Log;
  readonly screen: Around['screen'];
  readonly unseen: () => Promise<Around['unseen']>;
  /** Who or what ended the concern of a message. */
  readonly ended: (message: Message) => Promise<string>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly onSent: (channel: string, outcome: 'sent' | 'failed' | 'given-up') => void;
}

/** At the end of the program no further message is started. One under way may finish until `cut`. */
export interface Ending {
  readonly begun: AbortSignal;
  readonly cut: AbortSignal;
}

/** Sends a channel's due messages in order, until it does not accept one. */
export async function sendWaiting(
  channel: NamedChannel,
  all: AllStanding,
  parts: DeliveryParts,
  { begun, cut }: Ending,
): Promise<void> {
  const isEnding = () => begun.aborted;
  for (let sent = 0; sent < MOST_AT_ONCE && !isEnding(); sent += 1) {
    const message = await parts.notices.next(channel.name);
    if (message === null) return;
    try {
      const text = textOf(message, await concernsIn(message, all), await aroundOf(message, parts));
      await channel.send(text, AbortSignal.any([cut, AbortSignal.timeout(SEND_MS)]));
    } catch (error) {
      if (!cut.aborted) await notTaken(channel.name, message, error, parts);
      return;
    }
    await parts.notices.done(message.id);
    parts.onSent(channel.name, 'sent');
  }
}

async function aroundOf(message: Message, { screen, unseen, ended }: DeliveryParts): Promise<Around> {
  return {
    screen,
    unseen: message.event === 'digest' ? await unseen() : NONE,
    ended: message.event === 'closed' ? await ended(message) : '',
  };
}

async function notTaken(name: string, message: Message, error: unknown, parts: DeliveryParts): Promise<void> {
  const { notices, log, now, onSent } = parts;
  const { id, atMs, attempts: attempt } = message;
  const reason = `${name} ${error instanceof Error ? error.message : 'failed'}`;
  if (now() - atMs > GIVEN_UP_MS) {
    log.warn({ reason, attempt }, 'a message could not be sent for a day and is given up');
    await notices.done(id);
    return onSent(name, 'given-up');
  }
  const delayMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS);
  log.warn({ reason, attempt, delayMs }, 'a message was not sent: it is tried again');
  await notices.retry(id, now() + delayMs);
  onSent(name, 'failed');
}
