import { cause } from '../../../domain/causes/cause.ts';
import { CallFailure } from '../../../domain/failure.ts';
import { afterReplacement, type OrderBase } from '../../../domain/order-base.ts';
import type { ErpOrder, ErpOrderChange } from '../../../erp/connector.ts';
import { chargesBody, externalIdBody, lineChangesBody } from '../../../marketplace/entities/bodies.ts';
import type { AccountRecords, ErpReading, Look, MarketplaceReading, ReadContext } from '../../../shadow/context.ts';
import { capabilitiesNow } from '../../../shadow/erp-capabilities.ts';
import { checkErpCustomerGone, isErpCustomerGone } from '../../../shadow/erp-customer-gone.ts';
import { readBeforeCreate } from '../../../shadow/last-read.ts';
import { recordOrderAnswer } from '../../../shadow/shadow.ts';
import { createErpCustomer, draftOf } from '../../customer/in/create.ts';
import { runAfterWrite } from '../../engine/after-write.ts';
import { type Applied, revalidatedBy, type WriteLook } from '../../engine/flow.ts';
import { linkFound } from '../../engine/link-found.ts';
import { isNotApplied } from '../../engine/not-applied.ts';
import { causedLane, createErpOrder } from './create.ts';
import { editText } from './editing.ts';
import { moneyText } from './money.ts';
import { transitionOrder } from './post-transition.ts';
import { expectStatus, forgetStatus, wasSetBack } from './sent-status.ts';
import type { LineChange, OrderInAction } from './snapshot.ts';

/** Fact per order: the money fields that the ERP did not accept. */
export const MONEY_REFUSED = 'money-refused:';

/** Fact per order: the edit that the ERP refused, with its order's state at that time. */
export const EDIT_REFUSED = 'edit-refused:';
/** Fact: the ERP refused to cancel the order, with the order's state then and the reason. */
export const CANCEL_REFUSED = 'cancel-refused:';

type Action<Name extends OrderInAction['action']> = Extract<OrderInAction, { action: Name }>;

const TO_NOBODY: Applied = { outcome: 'superseded', answer: 'its customer is gone from the ERP' };

export async function applyOrder(context: ReadContext, look: WriteLook, action: OrderInAction): Promise<Applied> {
  switch (action.action) {
    case 'customer-in.create':
      return createCustomer(context, look, action);
    case 'order-in.enter':
      // The approval is stored with the order, and the next round enters it.
      return { outcome: 'noted', answer: 'taken as work' };
    case 'order-in.create':
      return enterOrder(context, look, action);
    case 'order-in.update':
      return updateErpOrder(context, look, action);
    case 'order-in.link': {
      const adopted = `ERP order ${action.erpId}`;
      const link = { kind: 'order', marketplaceId: look.key, erpId: action.erpId, how: 'reference' } as const;
      await linkFound(context, link);
      return { outcome: 'noted', answer: `linked to ${adopted}`, adopted };
    }
    case 'order-in.follow':
      return followOrder(context, look, action.erpId);
    case 'order-in.lines':
    case 'order-in.line-remove':
      return writeLines(context, look, action);
    case 'order-in.charges':
      return writeCharges(context, look, action);
    case 'order-in.mark':
      return markOrder(context, look, action.erpId);
    case 'order-in.transition':
      return transitionOrder(context, look, action);
  }
}

/** If the ERP refuses an order because its customer is gone, it is decided again and waits for that cause. */
async function enterOrder(context: ReadContext, look: WriteLook, action: Action<'order-in.create'>): Promise<Applied> {
  const { customer } = action.draft;
  if (await isErpCustomerGone(context, look, customer)) return TO_NOBODY;
  try {
    return await createErpOrder(context, look, action);
  } catch (error) {
    const isRefused = error instanceof CallFailure && (error.kind === 'refused' || error.kind === 'not-found');
    if (isRefused && (await checkErpCustomerGone(context, look, customer))) return TO_NOBODY;
    throw error;
  }
}

async function createCustomer(
  context: ReadContext,
  look: WriteLook,
  { marketplaceId, name }: Action<'customer-in.create'>,
): Promise<Applied> {
  if (context.config.customers !== null) {
    // A buyer may order right after registering, before the next read of the customers.
    if ((await context.store.customers.get(context.account, marketplaceId)) === null) {
      await readBeforeCreate(context, look, 'customers');
    }
    await readBeforeCreate(context, look, 'erp-customers');
    if ((await look.revalidate()) === false) return { outcome: 'superseded', answer: 'somebody entered it meanwhile' };
  }
  const seen = await context.store.customers.get(context.account, marketplaceId);
  const draft = seen === null ? { name, marketplaceId } : draftOf(seen);
  const made = await createErpCustomer(context, look, draft, false);
  // The doubt is the customer's, and is told there. The order only waits for it.
  return made.outcome === 'in-doubt'
    ? { ...made, doubt: cause('customer-in-doubt', { order: look.key, customer: marketplaceId, name }) }
    : made;
}

/** Moves the link and the agreed base to the ERP order that replaced the linked one. */
async function followOrder({ account, store }: AccountRecords, { key: number }: Look, erpId: string): Promise<Applied> {
  const mapping = await store.mappings.byMarketplaceId(account, 'order', number);
  const record = afterReplacement(await store.bases.get(account, number), mapping?.erpId ?? '', erpId);
  await store.mappings.follow({ account, kind: 'order', marketplaceId: number, erpId, how: 'followed' }, record);
  return { outcome: 'noted', answer: `linked to ERP order ${erpId}` };
}

/**
 * Stores the lines and prices that both sides will have, before a write that changes lines, because its answer may be
 * lost.
 */
async function expectAgreement(
  { account, now, store }: AccountRecords,
  number: string,
  to: 'erp' | 'marketplace',
  base: OrderBase,
): Promise<void> {
  const record = await store.bases.get(account, number);
  await store.bases.save(account, number, { agreed: null, ...record, sent: { to, base, atMs: now() } });
}

/**
 * Replacing lines and setting a status are idempotent. Lines are replaced only if the same is decided from the ERP's
 * current order, because a person may have changed it. After a refusal, the current order is read.
 */
async function updateErpOrder(
  context: ErpReading,
  look: WriteLook,
  { erpId: id, change, agreed, statuses }: Action<'order-in.update'>,
): Promise<Applied> {
  const { account, erp, store } = context;
  const isMoney = change.total !== undefined;
  const shown = await readOrder(context, look, id);
  const step = statuses === undefined || shown === null ? null : { to: 'erp' as const, statuses };
  const from = { from: shown?.status ?? '', changedAt: shown?.changedAt ?? '' };
  if (step !== null && (await wasSetBack(context, look.key, step, from)))
    return { outcome: 'superseded', answer: `ERP order ${id} was set back meanwhile` };
  if ((await look.revalidate()) === false) return { outcome: 'superseded', answer: `ERP order ${id} has changed` };
  try {
    if (agreed !== undefined) await expectAgreement(context, look.key, 'erp', agreed);
    if (step !== null) await expectStatus(context, look.key, step, from);
    await look.sending();
    const order = await erp.updateOrder(id, change, look.signal);
    const answer = `ERP order ${id}: ${order.status}, ${moneyText(order)}`;
    return await runAfterWrite(answer, async () => {
      await store.erp.recordOrders(account, [order], causedLane(look), look.key);
      if (order.status !== statuses?.erp) await forgetStatus(context, look.key);
      if (isMoney) await noteMoney(context, look.key, change, order);
      if (change.lines !== undefined) await store.facts.clear(account, EDIT_REFUSED + look.key);
      if (change.status === 'cancelled') await store.facts.clear(account, CANCEL_REFUSED + look.key);
    });
  } catch (error) {
    if (step !== null && isNotApplied(error)) await forgetStatus(context, look.key);
    if (!(error instanceof CallFailure) || error.kind !== 'refused') throw error;
    const before = await store.erp.order(account, id);
    const current = await erp.getOrder(id, look.signal);
    if (current !== null) await store.erp.recordOrders(account, [current], causedLane(look), look.key);
    if (isMoney && current !== null) await noteMoney(context, look.key, change, current);
    // The order was shipped or changed meanwhile. Decide again.
    if (isMoney || (current !== null && current.changedAt !== before?.changedAt)) {
      return { outcome: 'refused', answer: error.message };
    }
    if (change.lines !== undefined && current !== null && (await isEditEnded(context))) {
      await store.facts.set(account, EDIT_REFUSED + look.key, editText(current, change.lines));
      return { outcome: 'refused', answer: error.message };
    }
    if (change.status === 'cancelled' && current !== null) {
      const refused = { changedAt: current.changedAt, message: error.message };
      await store.facts.set(account, CANCEL_REFUSED + look.key, JSON.stringify(refused));
      return { outcome: 'refused', answer: error.message };
    }
    throw error;
  }
}

/** The ERP accepts edits up to a point that only it knows. Its refusal is final. */
async function isEditEnded(context: AccountRecords): Promise<boolean> {
  return (await capabilitiesNow(context)).editing === 'until-picked';
}

async function readOrder({ account, erp, store }: ErpReading, look: Look, id: string): Promise<ErpOrder | null> {
  const current = await erp.getOrder(id, look.signal);
  if (current !== null) await store.erp.recordOrders(account, [current], causedLane(look), look.key);
  return current;
}

/** PATCH is only guaranteed to set lines and status, and an ERP may ignore the money. So the money is sent once. */
async function noteMoney(
  { account, store }: AccountRecords,
  number: string,
  change: ErpOrderChange,
  order: ErpOrder,
): Promise<void> {
  const { discount, shipping, tax, total } = { ...order, ...change };
  const wanted = moneyText({ discount, shipping, tax, total });
  if (wanted === moneyText(order)) await store.facts.clear(account, MONEY_REFUSED + number);
  else await store.facts.set(account, MONEY_REFUSED + number, wanted);
}

/**
 * Changes the lines of the marketplace order. The lines are read first, and the write is decided again. A new line is
 * not added again until the first attempt has certainly ended.
 */
async function writeLines(
  context: MarketplaceReading,
  look: WriteLook,
  action: Action<'order-in.lines'> | Action<'order-in.line-remove'>,
): Promise<Applied> {
  const { account, client, config, now, store } = context;
  const { sent } = (await store.bases.get(account, look.key)) ?? { sent: null };
  const leftMs = sent?.to === 'marketplace' ? sent.atMs + 2 * config.marketplace.timeoutMs - now() : 0;
  await context.readNow('orders', look);
  const adds = action.action === 'order-in.lines' && action.changes.some(({ id }) => id === null);
  if (adds && leftMs > 0) return { outcome: 'wait', waitMs: leftMs, answer: 'an earlier write may still be applied' };
  const sending = async () => {
    await expectAgreement(context, look.key, 'marketplace', action.agreed);
    await look.sending();
  };
  const options = { ...look, sending };
  if (action.action === 'order-in.lines') {
    const body = linesBody(context, action.changes);
    await client.call('orders.patch', { path: { number: look.key }, body }, options);
  } else await client.call('line-items.delete', { path: { id: action.lineId } }, options);
  // The answer need not contain the lines. The list does.
  return runAfterWrite(`the lines are ${action.after ?? 'without it'}`, () => context.readNow('orders', look));
}

function linesBody({ config }: AccountRecords, changes: readonly LineChange[]) {
  return lineChangesBody(
    changes.map(({ price, ...line }) => ({
      ...line,
      price: price === null ? null : { amount: price, currency: config.currency },
    })),
  );
}

/** The spec shows no shipping on an order. If the marketplace ignores it, it is not sent again. */
async function writeCharges(
  context: MarketplaceReading,
  look: WriteLook,
  { discount, shipping, after }: Action<'order-in.charges'>,
): Promise<Applied> {
  const { account, client, store } = context;
  const body = chargesBody(discount, shipping);
  await client.call('orders.patch', { path: { number: look.key }, body }, look);
  return runAfterWrite(after ?? '', async () => {
    await context.readNow('orders', look);
    const shown = await store.orders.get(account, look.key);
    const taken = shipping === null || shown?.order.shippingAmount?.equals(shipping);
    if (taken) await store.facts.clear(account, MONEY_REFUSED + look.key);
    else await store.facts.set(account, MONEY_REFUSED + look.key, after ?? '');
  });
}

async function markOrder(context: MarketplaceReading, look: WriteLook, erpId: string): Promise<Applied> {
  const request = { path: { number: look.key }, body: externalIdBody(erpId) };
  // Transactions commit in the order of their calls, so the tick is at most the one that `sending` records.
  const [tick, shown] = await Promise.all([
    context.store.cursors.tick(context.account),
    context.client.call('orders.patch', request, revalidatedBy(look, look.isUnchanged)),
  ]);
  const answer = `external_id ${shown?.external_id ?? '(not shown)'}`;
  const known = { external_id: erpId };
  const reading = { lane: causedLane(look), knownBeforeTick: tick, lookedAt: look.key, known };
  return runAfterWrite(answer, () => recordOrderAnswer(context, look.key, shown, reading));
}
