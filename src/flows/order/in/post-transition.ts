import { rankOf } from '../../../domain/status.ts';
import type { AccountRecords, ErpReading, Look, MarketplaceReading, ReadContext } from '../../../shadow/context.ts';
import { readOrderById } from '../../../shadow/missing-orders.ts';
import { recordOrderAnswer } from '../../../shadow/shadow.ts';
import type { StoredProduct } from '../../../store/marketplace.ts';
import type { Lane } from '../../../store/work.ts';
import { runAfterWrite } from '../../engine/after-write.ts';
import type { Applied, WriteLook } from '../../engine/flow.ts';
import { isNotApplied } from '../../engine/not-applied.ts';
import { lostWriteOf } from '../../stock/observe.ts';
import { BACKORDER, isBackInStock } from './backorder.ts';
import { causedLane } from './create.ts';
import { expectStatus, forgetStatus, wasSetBack } from './sent-status.ts';
import type { OrderInAction } from './snapshot.ts';

const WHY_GONE = 'its status was to be moved, and the marketplace does not show it by its number';

type Transition = Extract<OrderInAction, { action: 'order-in.transition' }>;

/**
 * Reads the status first. At or after the target, the transition is done. At the expected source it is posted once.
 * Anywhere else it is superseded. Excludes stock writes of the same products.
 */
export async function transitionOrder(context: ReadContext, look: WriteLook, action: Transition): Promise<Applied> {
  const { account, store } = context;
  // While this waits for the quota, stock writes of its products wait too, so it gets their priority.
  const lane = causedLane(look);
  const call = { ...look, lane, callLane: lane };
  if (action.to === 'Rejected' && (await hasTakenItsPlace(context, look)))
    return { outcome: 'superseded', answer: 'the ERP has another order in its place' };
  const products = await productKeys(context, look.key);
  return context.exclusively(products, async () => {
    // A pending stock write that counts these lines as reserved would offer their units again after shipping.
    const waitMs = await lostWritesWaitMs(context, products);
    if (waitMs > 0) return { outcome: 'wait', waitMs, answer: 'a stock write of its products may still be applied' };
    const tick = await store.cursors.tick(account);
    // The read marks the order, and with its new version a brake drops the order's earlier count.
    const reading = { lane: call.lane, knownBeforeTick: tick };
    const current = await readOrderById(context, call, look.key, { tick, why: WHY_GONE });
    if (current === null) return { outcome: 'superseded', answer: 'the marketplace does not have it any more' };
    if (current.status !== action.from) {
      const done = current.status === action.to || (rankOf(current.status) ?? 0) >= (rankOf(action.to) ?? Infinity);
      return {
        outcome: 'noted',
        answer: done ? `${current.status} already` : `superseded: it is ${current.status} now`,
      };
    }
    if (action.from === BACKORDER && !(await isStillThere(context, call))) {
      return { outcome: 'noted', answer: 'the stock is not there any more' };
    }
    return postTransition(context, call, action, { from: current.status, changedAt: current.modified }, reading);
  });
}

/** Records the status before sending it. A step that was applied and then reverted by a person is not posted again. */
async function postTransition(
  context: MarketplaceReading,
  call: WriteLook,
  { name, to, statuses }: Transition,
  from: { readonly from: string; readonly changedAt: string },
  reading: { readonly lane: Lane; readonly knownBeforeTick: number },
): Promise<Applied> {
  const { account, client, store } = context;
  const step = statuses === undefined ? null : { to: 'marketplace' as const, statuses };
  if (step !== null && (await wasSetBack(context, call.key, step, from)))
    return { outcome: 'superseded', answer: 'it was set back meanwhile' };
  const sending = async () => {
    if (step !== null) await expectStatus(context, call.key, step, from);
    await call.sending();
  };
  const path = { number: call.key, action: name };
  try {
    const shown = await client.call('orders.transition', { path }, { ...call, sending });
    const answer = `${name}: ${shown?.status ?? '(not shown)'}`;
    return await runAfterWrite(answer, async () => {
      await recordOrderAnswer(context, call.key, shown, { ...reading, known: { status: to } });
      if ((await store.orders.get(account, call.key))?.order.status !== to) await forgetStatus(context, call.key);
    });
  } catch (error) {
    if (step !== null && isNotApplied(error)) await forgetStatus(context, call.key);
    throw error;
  }
}

/** Before rejecting an order, asks the ERP for orders of its number: a copy may have replaced the canceled one. */
async function hasTakenItsPlace({ account, erp, store }: ErpReading, look: WriteLook): Promise<boolean> {
  const found = await erp.findOrders(look.key, look.signal);
  await store.erp.recordOrders(account, found, causedLane(look), look.key);
  return (await look.revalidate()) === false;
}

/** Buyers may have taken the stock since, so the listings are read again. */
async function isStillThere(context: MarketplaceReading, look: Look): Promise<boolean> {
  const { account, config, store } = context;
  const order = await store.orders.get(account, look.key);
  const ids = new Set(order?.lines?.map(({ productId }) => productId));
  await Promise.all([...ids].map((id) => context.readListing(look, id, false)));
  const listings = new Map<number, StoredProduct | null>();
  for (const id of ids) listings.set(id, await store.products.get(account, id));
  return isBackInStock(order?.lines ?? null, (id) => listings.get(id) ?? null, config.units);
}

async function lostWritesWaitMs(context: AccountRecords, products: readonly string[]): Promise<number> {
  const lost = await Promise.all(products.map((key) => lostWriteOf(context, key)));
  return Math.max(0, ...lost.map((write) => write?.mayComeIn ?? 0));
}

/** The products of both sides' lines, because a new order does not show its lines yet. */
async function productKeys({ account, store }: AccountRecords, number: string): Promise<string[]> {
  const order = await store.orders.get(account, number);
  const keys = new Set<string>();
  for (const { productId } of order?.lines ?? []) {
    const mapping = await store.mappings.byMarketplaceId(account, 'product', String(productId));
    if (mapping?.erpId != null) keys.add(mapping.erpId);
  }
  const link = await store.mappings.byMarketplaceId(account, 'order', number);
  const erpOrder = link?.erpId == null ? null : await store.erp.order(account, link.erpId);
  for (const { sku } of erpOrder?.lines ?? []) {
    for (const product of await store.erp.productsBySku(account, sku)) keys.add(product.id);
  }
  return [...keys];
}
