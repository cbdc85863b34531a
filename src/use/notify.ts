import type { Config } from '../config/resolve.ts';
import { listAges } from '../flows/list-ages.ts';
import { openChannel, SEND_MS } from '../notify/channel.ts';
import { type AllStanding, type Standing, trial } from '../notify/text.ts';
import type { Store } from '../store/store.ts';
import { awayText } from './away.ts';
import { configurationNeeds } from './configurations.ts';
import { isDaemonRunning } from './daemon-status.ts';
import { UsageError } from './faults.ts';
import { causesOf, divided, type Need, needsOf } from './needs.ts';
import { strategyNeeds, strategyStatus } from './strategy.ts';

/** The present needs for a person, by account. */
export async function allStanding(config: Config, store: Store): Promise<AllStanding> {
  const all = new Map<string, Standing[]>();
  const { accounts, unusable } = config;
  const faults = configurationNeeds(await store.leases.list(), unusable, isDaemonRunning(config));
  for (const account of accounts) {
    const strategy = strategyNeeds(await strategyStatus(account, store));
    const own = [...(faults.get(account.name) ?? []), ...strategy, ...(await needsOf(account.name, store))];
    all.set(account.name, standingOf(divided(own).needs));
  }
  for (const [account, needs] of new Map([['', []], ...faults]))
    if (!all.has(account)) all.set(account, standingOf(needs));
  return all;
}

/** The accounts of which a list was never read. */
export async function unreadAccounts({ accounts }: Config, store: Store): Promise<ReadonlySet<string>> {
  const unread = accounts.map(async (account) => {
    const ages = await listAges(account, store, Date.now());
    return ages.some(({ ageMs }) => ageMs === null) ? [account.name] : [];
  });
  return new Set((await Promise.all(unread)).flat());
}

const standingOf = (needs: readonly Need[]): Standing[] =>
  needs.map(({ kind, about, shared, count, firstMs, example, away }) => ({
    kind,
    // A shared cause keeps its name while flows join it and leave it.
    about: shared ?? about,
    code: example.code,
    count,
    causes: causesOf({ shared, count }),
    sinceMs: firstMs,
    example,
    unseen: away === null ? null : awayText(away),
  }));

export interface Tried {
  readonly channel: string;
  readonly type: 'webhook' | 'email';
  /** null: the other end took it. */
  readonly failure: string | null;
}

/**
 * Sends a test message to every channel, or to one.
 * @throws UsageError when there is none of this name
 */
export async function tryChannels({ notify }: Config, name?: string): Promise<Tried[]> {
  const meant = notify.filter((channel) => name === undefined || channel.name === name);
  if (name !== undefined && meant.length === 0) {
    const known = notify.map((channel) => channel.name).join(', ') || 'none is configured';
    throw new UsageError(`there is no channel ${name}: ${known}`);
  }
  return Promise.all(
    meant.map(async (channel) => {
      const open = openChannel(channel);
      try {
        await open.send(trial(channel.name, Date.now()), AbortSignal.timeout(SEND_MS));
        return { channel: channel.name, type: channel.type, failure: null };
      } catch (error) {
        return { channel: channel.name, type: channel.type, failure: (error as Error).message };
      } finally {
        await open.close();
      }
    }),
  );
}
