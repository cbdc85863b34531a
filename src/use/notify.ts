import type { AccountConfig, Config } from '../config/resolve.ts';
import type { Sight } from '../domain/notices.ts';
import { FLOW_NAMES, FLOWS, type FlowName } from '../flows/flows.ts';
import { listAges } from '../flows/list-ages.ts';
import { openChannel, SEND_MS } from '../notify/channel.ts';
import { type AllStanding, type Standing, trial, type Words } from '../notify/text.ts';
import { COLLECTION_NAMES, type CollectionName } from '../shadow/collections.ts';
import { STATED_CAPABILITIES, statedBefore } from '../shadow/erp-capabilities.ts';
import { INTENT_KINDS } from '../store/intent-kinds.ts';
import type { Store } from '../store/store.ts';
import type { WorkKey } from '../store/work.ts';
import { awayOf, awayText } from './away.ts';
import { configurationNeeds } from './configurations.ts';
import { isDaemonRunning } from './daemon-status.ts';
import { entityLabel } from './entity-label.ts';
import { UsageError } from './faults.ts';
import { harmsOf } from './harms.ts';
import { causesOf, divided, type Need, needsOf } from './needs.ts';
import { strategyNeeds, strategyStatus } from './strategy.ts';

export async function allStanding(config: Config, store: Store): Promise<AllStanding> {
  const all = new Map<string, Standing[]>();
  const { accounts, unusable } = config;
  const faults = configurationNeeds(await store.leases.list(), unusable, isDaemonRunning(config));
  for (const account of accounts) {
    const strategy = strategyNeeds(await strategyStatus(account, store));
    const own = [...(faults.get(account.name) ?? []), ...strategy, ...(await needsOf(account.name, store))];
    all.set(account.name, standingOf(account.name, store, divided(own).needs));
  }
  for (const [account, needs] of new Map([['', []], ...faults]))
    if (!all.has(account)) all.set(account, standingOf(account, store, needs));
  return all;
}

/** Why needs are unknown, by account. */
export async function unseenAccounts({ accounts }: Config, store: Store): Promise<ReadonlyMap<string, string>> {
  const found = accounts.map(async (account) => {
    const away = await awayOf(account.name, store);
    if (away !== null) return [[account.name, awayText(away)] as const];
    const isUnread = (await unreadLists(await withAbilities(account, store), store)).size > 0;
    return isUnread ? [[account.name, 'not all of its lists have been read yet'] as const] : [];
  });
  return new Map((await Promise.all(found)).flat());
}

/** Which flows, doubts and lists of an account can be checked now. */
export async function sightOf({ accounts }: Config, store: Store, name: string): Promise<Sight> {
  const configured = accounts.find((one) => one.name === name);
  // Of an unusable account, only its configuration is known.
  if (configured === undefined) return { seen: [], unseen: [], isAway: false };
  const account = await withAbilities(configured, store);
  const isAway = (await awayOf(name, store)) !== null;
  const unread = await unreadLists(account, store);
  const isSeen = (flow: FlowName) => !isAway && FLOWS[flow].reads(account).every((list) => !unread.has(list));
  const names = [
    ...FLOW_NAMES.map((flow) => [flow, isSeen(flow)] as const),
    ...Object.entries(INTENT_KINDS).map(([kind, { flow }]) => [kind, isSeen(flow)] as const),
    ...COLLECTION_NAMES.map((list) => [list, !isAway && !unread.has(list)] as const),
  ];
  const of = (wanted: boolean) => names.flatMap(([one, seen]) => (seen === wanted ? [one] : []));
  return { seen: of(true), unseen: of(false), isAway };
}

/** Without what the ERP cannot do, whose lists nobody reads. */
async function withAbilities(account: AccountConfig, store: Store): Promise<AccountConfig> {
  return account.against(statedBefore(await store.facts.get(account.name, STATED_CAPABILITIES)));
}

async function unreadLists(account: AccountConfig, store: Store): Promise<ReadonlySet<CollectionName>> {
  const ages = await listAges(account, store, Date.now());
  return new Set(ages.flatMap(({ collection, ageMs }) => (ageMs === null ? [collection] : [])));
}

function standingOf(account: string, store: Store, needs: readonly Need[]): Standing[] {
  return needs.map((need) => {
    const { kind, about, shared, count, firstMs, example, away } = need;
    return {
      kind,
      // A shared cause keeps its name while its flows change.
      about: shared ?? about,
      of: about.split(', '),
      code: example.code,
      count,
      causes: causesOf({ shared, count }),
      sinceMs: firstMs,
      example,
      unseen: away === null ? null : awayText(away),
      tell: () => wordsOf(account, store, need),
    };
  });
}

async function wordsOf(account: string, store: Store, need: Need): Promise<Words> {
  const { kind, example, first } = need;
  const [harm] = await harmsOf(account, store, [need]);
  const isNamed = first !== null && kind !== 'brake';
  const name = isNamed ? await nameOf(store, { account, ...first }) : example.key;
  return { sentence: harm?.sentence ?? '', words: harm?.words ?? '', name, plan: harm?.plan?.plan.id ?? null };
}

/** The key, and how people recognise the entity. */
async function nameOf(store: Store, entity: WorkKey): Promise<string> {
  const beside = await entityLabel(store, entity);
  return beside === '' ? entity.key : `${entity.key} (${beside})`;
}

export interface Tried {
  readonly channel: string;
  readonly type: 'webhook' | 'email';
  /** null: delivered. */
  readonly failure: string | null;
}

/**
 * Sends a test message to one or all channels.
 * @throws UsageError for an unknown channel
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
