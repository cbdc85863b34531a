import type { InboxRow } from '../store/reading.ts';
import { webhooksRead } from '../tracing/spans.ts';
import { isOrderStored } from './already-stored.ts';
import type { Rate } from './bucket.ts';
import type { AccountRecords, Look, MarketplaceReading } from './context.ts';
import { entityNamed, entityOf, namedIn, orderNumberOf, productIdOf } from './hints.ts';
import { shownListings } from './listing-reads.ts';
import { nullIfNotFound } from './optional-call.ts';
import { PAGE_SIZE } from './pages.ts';
import { recordOrderAnswer } from './shadow.ts';

/**
 * Limits single reads of an account; polls bring the rest. Webhooks carry no age, so anybody who has kept signed ones
 * may resend them.
 */
export const SINGLE_READS: Rate = { burst: 10, perSecond: 10 / 60 };

/** Names of the entities in these webhooks. Reads of long lists are checked only for these. */
export function namesIn(kind: InboxRow['kind'], deliveries: readonly InboxRow[]): ReadonlySet<string> {
  return new Set(deliveries.map(({ body }) => entityNamed({ kind, body }) ?? ''));
}

/**
 * Reads entities named by webhooks that the poll did not return. Only for signed webhooks; others just start a poll.
 * @param seen entities that the poll returned
 */
export async function followHints(
  context: MarketplaceReading,
  look: Look,
  kind: InboxRow['kind'],
  deliveries: readonly InboxRow[],
  seen: ReadonlySet<string>,
): Promise<void> {
  const follow = kind === 'orders' ? followOrders : followProducts;
  if (context.config.marketplace.webhooks !== null) await follow(context, look, deliveries, seen);
  await context.store.inbox.processed(deliveries.map(namedIn));
  webhooksRead(deliveries);
}

/** Orders are read one by one, because the list may not contain them yet. */
async function followOrders(
  context: MarketplaceReading,
  look: Look,
  deliveries: readonly InboxRow[],
  seen: ReadonlySet<string>,
): Promise<void> {
  const { account, client, now, store, singleReads } = context;
  for (const number of await unseenOrders(context, deliveries, seen)) {
    if (singleReads() > 0) break;
    const reading = { lane: look.lane, knownBeforeTick: await store.cursors.tick(account), askedAtMs: now() };
    const answer = await nullIfNotFound(() => client.call('orders.get', { path: { number } }, look));
    if (answer !== null) await recordOrderAnswer(context, number, answer, reading);
  }
}

/** Orders with news in a webhook that no read has brought. */
async function unseenOrders(
  context: AccountRecords,
  deliveries: readonly InboxRow[],
  seen: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const unseen = new Set<string>();
  for (const { body } of deliveries) {
    const entity = entityOf(body);
    const number = orderNumberOf(entity);
    if (entity === null || number === null || seen.has(number) || (await isOrderStored(context, entity))) continue;
    unseen.add(number);
    if (unseen.size === SINGLE_READS.burst) break;
  }
  return unseen;
}

/** A changed reservation need not change `modified`, so the named listings are read by id, many at once. */
async function followProducts(
  context: MarketplaceReading,
  look: Look,
  deliveries: readonly InboxRow[],
  seen: ReadonlySet<string>,
): Promise<void> {
  const hinted = new Set(deliveries.flatMap(({ body }) => productIdOf(entityOf(body)) ?? []));
  const ids = [...hinted].filter((id) => !seen.has(String(id))).slice(0, PAGE_SIZE);
  if (ids.length === 0) return;
  await shownListings(context, look, ids.map(String));
}
