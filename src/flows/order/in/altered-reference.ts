import type { Cause } from '../../../domain/causes/cause.ts';
import { isAlteredForm } from '../../../domain/reference.ts';
import type { ErpOrder, ErpOrderDraft } from '../../../erp/connector.ts';
import { referenceOf } from '../../../erp/references.ts';
import type { AccountRecords, ErpReading, Look, MarketplaceReading } from '../../../shadow/context.ts';
import { capabilitiesNow } from '../../../shadow/erp-capabilities.ts';
import { endDiffering, stopErpCreates } from '../../../shadow/references.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { sameQuantities } from './wanted.ts';

/** For code that may read the ERP's orders. A connection check cannot. */
export type OrderCreating = ErpReading & Partial<Pick<MarketplaceReading, 'readNow'>>;

type At = Pick<Look, 'key' | 'lane' | 'signal'>;

/** Compares the reference of a new ERP order with the one sent. */
export async function compareReference(context: AccountRecords, number: string, made: ErpOrder): Promise<void> {
  if (made.reference === number) return;
  await stopErpCreates(context, { sent: await sentFor(context, number), shown: made.reference });
}

/** An answer may just repeat what was sent. Only a later list shows what the ERP stored. */
const YOUNG_MS = 60 * 60_000;

/**
 * Compares the reference of a linked order some time after its creation.
 * @param differing the alert that is currently raised
 */
export async function compareListed(
  context: AccountRecords,
  number: string,
  known: StoredErpOrder,
  differing: Cause | null,
): Promise<void> {
  const { account, store, now } = context;
  if (known.origin !== 'marketplace') return;
  if (known.reference === number) {
    if (differing !== null) await endDiffering(context, await sentFor(context, number));
    return;
  }
  const made = await store.intents.of({ account, kind: 'order-in', key: number });
  const isYoung = made.some(({ state, sentAtMs }) => state === 'applied' && now() - sentAtMs < YOUNG_MS);
  const sent = await sentFor(context, number);
  if (isYoung && isAlteredForm(sent, known.reference)) await stopErpCreates(context, { sent, shown: known.reference });
}

/**
 * Finds the order of an earlier attempt whose answer was lost, if the ERP altered its reference so that no search by
 * reference finds it.
 */
export async function findByAlteredReference(context: OrderCreating, look: At): Promise<readonly ErpOrder[]> {
  const unknown = await unknownSince(context, look);
  if (unknown.length === 0) return [];
  const sent = await sentFor(context, look.key);
  const found = unknown.filter(({ reference }) => isAlteredForm(sent, reference));
  const [first] = found;
  if (first !== undefined) await stopErpCreates(context, { sent, shown: first.reference });
  return found;
}

/** Ids of orders that an earlier attempt may have made: they have its lines under an unknown reference. */
export async function possibleEarlierOrders(
  context: OrderCreating,
  look: At,
  { lines }: ErpOrderDraft,
): Promise<string[]> {
  const unknown = await unknownSince(context, look);
  return unknown.filter((order) => sameQuantities(order.lines, lines)).map(({ id }) => id);
}

/** ERP orders from the marketplace seen since the attempt that belong to no known order. */
async function unknownSince(context: OrderCreating, look: At): Promise<readonly StoredErpOrder[]> {
  const { account, store } = context;
  const earlier = await store.intents.unsettled({ account, kind: 'order-in', key: look.key });
  if (earlier === null) return [];
  await context.readNow?.('erp-orders', { ...look });
  return store.erp.unknownOrders(account, earlier.sentAtMs);
}

async function sentFor(context: AccountRecords, number: string): Promise<string> {
  return referenceOf(number, (await capabilitiesNow(context)).reference);
}
