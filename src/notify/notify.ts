import { Cron } from 'croner';
import type { Channel } from '../config/notify.ts';
import { concernOf, type Sight } from '../domain/notices.ts';
import { openChannel } from './channel.ts';
import { type DeliveryParts, type Ending, type NamedChannel, sendWaiting } from './deliver.ts';
import type { AllStanding } from './text.ts';

const LOOK_EVERY_MS = 15_000;
/** Time to record a sent message at the end. Otherwise the next process would send it again. */
const ENDING_MS = 2_000;
/** How late a digest is still sent, because the process that had to send it may have just ended. */
const DIGEST_LATE_MS = 60 * 60_000;

interface NotifyParts extends DeliveryParts {
  readonly channels: readonly Channel[];
  readonly standing: () => Promise<AllStanding>;
  /** What can be checked of an account now. */
  readonly sight: (account: string) => Promise<Sight>;
  readonly lookEveryMs?: number;
}

/** Sends one message to each channel when a cause opens and one when it closes. Work never waits for it. */
export function startNotify(parts: NotifyParts) {
  const { channels, notices, log, lookEveryMs = LOOK_EVERY_MS } = parts;
  if (channels.length === 0) return { stop: async () => {} };
  const [begun, cut] = [new AbortController(), new AbortController()];
  const ending = { begun: begun.signal, cut: cut.signal };
  const names = channels.map(({ name }) => name);
  const open = channels.map((channel): NamedChannel => ({ name: channel.name, ...openChannel(channel) }));
  let running: Promise<void> | null = null;
  const begin = (): void => {
    running ??= look(open, parts, ending)
      .catch((error: unknown) => log.warn({ err: error }, 'nobody could be told of what needs somebody'))
      .finally(() => {
        running = null;
      });
  };
  notices
    .keepChannels(names)
    .catch((error: unknown) => log.warn({ err: error }, 'messages of former channels stay'))
    .finally(begin);
  const timer = setInterval(begin, lookEveryMs);
  const digests = channels.map(({ name, digest }) => startDigest(name, digest, parts, begin));
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      for (const digest of digests) digest?.stop();
      begun.abort();
      const timeout = setTimeout(() => cut.abort(), ENDING_MS);
      await running;
      clearTimeout(timeout);
      for (const channel of open) await channel.close();
    },
  };
}

async function look(open: readonly NamedChannel[], parts: NotifyParts, ending: Ending): Promise<void> {
  const { notices, log, sight } = parts;
  const all = await parts.standing();
  const names = open.map(({ name }) => name);
  for (const [account, concerns] of all) {
    const now = { concerns: concerns.map(concernOf), sight: await sight(account) };
    const dropped = await notices.standing(account, now, names);
    if (dropped > 0) log.warn({ account, count: dropped }, 'messages were dropped: too many wait for a channel');
  }
  await Promise.all(open.map((channel) => sendWaiting(channel, all, parts, ending)));
}

function startDigest(channel: string, digest: string | null, { notices, log, now }: NotifyParts, begin: () => void) {
  if (digest === null) return null;
  const cron = new Cron(digest, { timezone: 'UTC' }, () => void put());
  const put = async (): Promise<void> => {
    const [due] = cron.previousRuns(1, new Date(now() + 1_000));
    if (due === undefined || now() - due.getTime() > DIGEST_LATE_MS) return;
    await notices
      .digest(channel, due.getTime())
      .catch((error: unknown) => log.warn({ err: error }, 'a digest could not be made'));
    begin();
  };
  void put();
  return cron;
}
