import { cause, sentencesOf } from '../domain/causes/cause.ts';
import {
  crossMatch,
  NOTHING_WATCHED,
  type Seen,
  silenceMs,
  type WebhookWatch,
  watchAfterBreak,
} from '../domain/webhook-loss.ts';
import type { InboxRow } from '../store/reading.ts';
import type { Store } from '../store/store.ts';
import { linkWebhooks, webhooksRead } from '../tracing/spans.ts';
import { setAlert } from './alerts.ts';
import { FOR_WEBHOOKS, isAlreadyStored } from './already-stored.ts';
import type { AccountRecords, Look, MarketplaceReading, Recording } from './context.ts';
import { entityOf, namedIn, orderNumberOf, productIdOf } from './hints.ts';
import { noteInJournal } from './note.ts';

type Kind = InboxRow['kind'];

/** Fact: the watch of one kind of webhooks, as JSON. */
const WATCH = 'webhooks:';
/** Within this time, our own write may be read as a change, without a webhook being expected. */
const OUR_WRITE_MS = 10 * 60_000;
/** After a longer break, nothing is known of webhooks, as possibly no receiver was running. */
const STEADY_MS = 5 * 60_000;

type Watched = Pick<AccountRecords, 'account' | 'store'>;

export async function webhookWatch({ account, store }: Watched, kind: Kind): Promise<WebhookWatch> {
  const fact = await store.facts.get(account, WATCH + kind);
  return fact === null ? NOTHING_WATCHED : (JSON.parse(fact) as WebhookWatch);
}

export async function webhookWatches({ facts }: Pick<Store, 'facts'>, kind: Kind): Promise<Map<string, WebhookWatch>> {
  const all = await facts.named(WATCH + kind);
  return new Map(all.map(({ account, value }) => [account, JSON.parse(value) as WebhookWatch]));
}

/** How long webhooks have counted as switched off. null: they arrive. */
export async function webhookSilenceMs(
  context: Watched & Pick<AccountRecords, 'now'>,
  kind: Kind,
): Promise<number | null> {
  return silenceMs(await webhookWatch(context, kind), context.now());
}

/**
 * Compares one read with the webhooks since the previous read. Must be called before the read, after which no webhook
 * is news.
 * @param deliveries webhooks received since the previous read
 * @param lastReadMs when the collection was last read; null: never, so every entity is new
 */
export async function watchRead(
  context: MarketplaceReading,
  kind: Kind,
  deliveries: Seen['deliveries'],
  lastReadMs: number | null,
) {
  const { config, now } = context;
  const { poll, webhooks } = config.marketplace;
  const everyMs = kind === 'orders' ? poll.ordersMs : poll.productsMs;
  const isSteady = lastReadMs !== null && now() - lastReadMs < Math.max(STEADY_MS, 3 * everyMs);
  const isWatching = webhooks !== null && isSteady;
  const changed: string[] = [];
  return {
    /** Whether this read says anything about webhooks. */
    isWatching,
    /** @param entities new or changed ones in the read */
    async saw(entities: readonly string[]): Promise<void> {
      if (!isWatching) return;
      for (const entity of entities) if (!(await isOurWrite(context, kind, entity))) changed.push(entity);
    },
    end: () => note(context, kind, { changed, deliveries }),
  };
}

/**
 * Begins a read of changes. Returns null if only webhooks requested it and none is news. `hints`: the webhooks since
 * the previous read.
 */
export async function beginHintedRead(context: MarketplaceReading, look: Look, kind: Kind) {
  const { account, store } = context;
  const hints = await store.inbox.unprocessed(account, kind, 1_000);
  linkWebhooks(hints);
  const before = await store.cursors.get(account, kind);
  // Unsigned webhooks are not watched, because their sender is unknown.
  const isSigned = context.config.marketplace.webhooks !== null;
  const deliveries = isSigned ? await deliveriesOf(context, hints) : [];
  const watch = await watchRead(context, kind, deliveries, before?.updatedAtMs ?? null);
  const isNeedless = isSigned && look.key === FOR_WEBHOOKS && deliveries.every(({ isNews }) => !isNews);
  if (!isNeedless) return { hints, watch, cursor: before?.value ?? null };
  await watch.end();
  await store.inbox.processed(hints.map(namedIn));
  webhooksRead(hints);
  return null;
}

/** Called at the start of the program. */
export async function beginListening(context: MarketplaceReading): Promise<void> {
  for (const kind of ['orders', 'products'] as const) {
    await changeWatch(context, kind, (watch) => watchAfterBreak(watch, context.now()));
  }
}

/**
 * Called between reads: a change that waited long enough for its webhook counts as lost, and enough losses as silence.
 */
export async function lookForSilence(context: MarketplaceReading): Promise<void> {
  for (const kind of ['orders', 'products'] as const) {
    // A webhook is compared with the changes of the next read.
    const [waiting] = await context.store.inbox.unprocessed(context.account, kind, 1);
    if (waiting === undefined) await note(context, kind, { changed: [], deliveries: [] });
  }
}

/** Without a secret, senders are unknown, so all knowledge about webhooks is dropped. */
function note(context: MarketplaceReading, kind: Kind, seen: Seen): Promise<void> {
  const { config, now } = context;
  return changeWatch(context, kind, (watch) =>
    config.marketplace.webhooks === null ? NOTHING_WATCHED : crossMatch(watch, seen, now()),
  );
}

function changeWatch(
  context: MarketplaceReading,
  kind: Kind,
  change: (watch: WebhookWatch) => WebhookWatch,
): Promise<void> {
  const { account, store } = context;
  const name = WATCH + kind;
  return context.exclusively([name], async () => {
    const before = await webhookWatch(context, kind);
    const after = change(before);
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    await store.facts.set(account, name, JSON.stringify(after));
    if (after.silentSinceMs !== before.silentSinceMs) await tellSilence(context, kind, after);
  });
}

async function deliveriesOf(context: AccountRecords, hints: readonly InboxRow[]): Promise<Seen['deliveries']> {
  const deliveries: Seen['deliveries'][number][] = [];
  for (const hint of hints) {
    const about = entityOf(hint.body);
    const id = hint.kind === 'orders' ? orderNumberOf(about) : productIdOf(about);
    const isNews = !(await isAlreadyStored(context, hint));
    deliveries.push({ entity: id === null ? null : String(id), isNews, atMs: hint.receivedAtMs });
  }
  return deliveries;
}

/** A poll may show the effect of our own write, if its answer was lost or did not show it. */
async function isOurWrite(
  { account, now, store, writers }: MarketplaceReading,
  kind: Kind,
  entity: string,
): Promise<boolean> {
  const mapping = await store.mappings.byMarketplaceId(account, kind === 'orders' ? 'order' : 'product', entity);
  for (const { flow, keyedBy } of writers[kind]) {
    const key = keyedBy === 'marketplace' ? entity : (mapping?.erpId ?? '');
    const [latest] = await store.journal.latestWrites(account, flow, key);
    if (latest !== undefined && now() - latest.atMs < OUR_WRITE_MS) return true;
  }
  return false;
}

/** The alert lasts as long as the silence, which is also journaled. */
async function tellSilence(
  context: Recording,
  kind: Kind,
  { silentSinceMs, heardAtMs, lostInRow }: WebhookWatch,
): Promise<void> {
  const { account, config } = context;
  const ended =
    config.marketplace.webhooks === null
      ? `webhooks about ${kind} are not watched any more: the account has no secret for them`
      : `webhooks about ${kind} come again`;
  const since = heardAtMs === null ? null : new Date(heardAtMs).toISOString();
  const silence = silentSinceMs === null ? [] : [cause('webhooks-silent', { account, kind, since, lost: lostInRow })];
  await setAlert(context, `webhooks:${kind}`, silence);
  const why = silence.length === 0 ? ended : sentencesOf(silence);
  const found = { account, flow: 'webhooks', key: kind, action: 'alert', target: kind, before: null, after: null, why };
  await noteInJournal(context, found);
}
