import { cause } from '../../../domain/causes/cause.ts';
import { isBefore } from '../../../domain/instant.ts';
import { alike, type PaymentFacts } from '../../../domain/payment.ts';
import { type PaymentRow, readPayment } from '../../../marketplace/entities/payment.ts';
import type { AccountRecords, Look, MarketplaceReading } from '../../../shadow/context.ts';
import { listPaymentsSince, PAYMENTS_KNOWN } from '../../../shadow/read-payments.ts';
import { invalidRowText } from '../../../store/reading.ts';
import { beforeCreate } from '../../engine/before-create.ts';
import { createOnce } from '../../engine/create-once.ts';
import { type Applied, type Flow, revalidatedBy, type WriteLook } from '../../engine/flow.ts';
import { linkPayments } from '../in/flow.ts';
import { factsOfErp, factsOfMarketplace, sentFacts, sentText, typeOfMethod, unsettledPayments } from '../other-side.ts';
import {
  type CreateMarketplacePayment,
  decidePaymentOut,
  type NewOrderPayment,
  type PaymentOutAction,
  type PaymentOutSnapshot,
} from './decide.ts';

/** Records ERP payments on the marketplace's orders, once. Key: ERP payment id. */
export const paymentOutFlow: Flow<PaymentOutSnapshot | null, PaymentOutAction> = {
  name: 'payment-out',
  // Only existing links distinguish two equal payments of one order.
  excludes: async (context, key) => [`payments of ${await orderOfErpPayment(context, key)}`],
  decide: decidePaymentOut,
  observe: observePaymentOut,
  observeFresh: beforeCreate({
    observe: observePaymentOut,
    decide: decidePaymentOut,
    create: 'payment-out.create',
    list: 'payments',
  }),
  apply: applyPaymentOut,
};

async function applyPaymentOut(
  context: MarketplaceReading,
  look: WriteLook,
  action: PaymentOutAction,
): Promise<Applied> {
  switch (action.action) {
    case 'payment-out.link':
      return linkPayments(context, action.marketplaceId, look.key, action.how);
    case 'payment-out.relink':
      return moveLink(context, look, action);
    case 'payment-out.create':
      return createOrderPayment(context, look, action);
  }
}

async function moveLink(
  { account, store }: AccountRecords,
  look: Look,
  { marketplaceId, how }: Extract<PaymentOutAction, { action: 'payment-out.relink' }>,
): Promise<Applied> {
  const by = how === 'equal' ? 'an approved plan' : 'payment-out';
  await store.links.link({ account, kind: 'payment', marketplaceId, erpId: look.key, how }, true, by);
  return { outcome: 'noted', answer: `marketplace payment ${marketplaceId} is ERP payment ${look.key}` };
}

async function orderOfErpPayment({ account, store }: AccountRecords, key: string): Promise<string> {
  const { payment, orderNumber } = await store.observe.paymentOut(account, key, []);
  return orderNumber ?? payment?.reference ?? key;
}

async function observePaymentOut(
  { account, config, store }: AccountRecords,
  key: string,
): Promise<PaymentOutSnapshot | null> {
  const rules = config.payments;
  if (rules === null) return null;
  const rows = await store.observe.paymentOut(account, key, [PAYMENTS_KNOWN]);
  const { payment, orderNumber, linkedId } = rows;
  return {
    ...rows,
    invalidErpRow: invalidRowText(rows.invalidErpRow),
    linked: linkedId === null ? null : { id: linkedId, shown: rows.shown, gone: rows.shownGone },
    type: payment === null ? null : typeOfMethod(rules, payment.method),
    unlinked: rows.unlinked.map((each) => ({ id: each.id, ...factsOfMarketplace(each) })),
    left: rows.left.map(({ payment: each, of }) => ({ id: each.id, of, ...factsOfMarketplace(each) })),
    unsettled: unsettledPayments(rows.unsettled, key),
    recordedHere: rows.recordedHere.map(({ payment: each, of }) => ({
      id: each.id,
      of,
      ...factsOfErp(each, orderNumber ?? each.reference, rules),
    })),
    paymentsKnown: rows.facts.has(PAYMENTS_KNOWN),
    rules: { create: rules.toMarketplace, currency: config.currency, from: rules.from },
  };
}

/**
 * The time of the marketplace's newest payment, after which a new one must lie. If it is in the future, the
 * marketplace's clock was wrong and may be right by now, so our time is used. An earlier time only makes the read
 * longer.
 */
async function lookUpFrom({ account, store, now }: AccountRecords): Promise<string | null> {
  const newest = (await store.cursors.get(account, 'payments'))?.value ?? null;
  const here = new Date(now()).toISOString();
  return newest !== null && isBefore(here, newest) ? here : newest;
}

/** The marketplace stores no id of ours, so a lost answer is looked up among the payments recorded since. */
async function createOrderPayment(
  context: MarketplaceReading,
  look: WriteLook,
  { payment }: CreateMarketplacePayment,
): Promise<Applied> {
  const { account, client, store } = context;
  const since = await lookUpFrom(context);
  const intent = { kind: 'payment-out', key: look.key } as const;
  let unreadable = 0;
  return createOnce<{ id: number; row: PaymentRow | null }>(context, {
    intent: payment === null ? intent : { ...intent, sent: sentText(payment, since) },
    alwaysFind: false,
    async find() {
      const found = await findSent(context, look);
      unreadable = found.unreadable;
      return found.rows.map((row) => ({ id: row.id, row }));
    },
    unprovable: async () =>
      unreadable === 0 ? null : { evidence: cause('payments-unreadable', { count: unreadable }), candidates: [] },
    create:
      payment === null
        ? null
        : async (sending) => {
            const again = revalidatedBy(look, () => isStillNew(context, look.key, payment));
            const { id } = await client.call('order-payments.create', { body: bodyOf(payment) }, { ...again, sending });
            return { id, row: null };
          },
    async record({ id, row }) {
      // A payment that was found is already stored. An answer may contain only the id.
      if (row !== null || payment === null) return;
      const { orderNumber, amount, type, paidAt } = payment;
      const shown = { id: String(id), orderNumber, total: amount, currency: null, type, paidAt, createdAt: null };
      if ((await store.payments.get(account, shown.id)) === null)
        await store.payments.record({ account, rows: [shown], invalidRows: [], lane: look.lane });
    },
    idOf: ({ id }) => id,
  });
}

/**
 * Decides again right before sending, without this create's own intent. A payment entered by hand meanwhile counts as
 * the same.
 */
async function isStillNew(context: AccountRecords, key: string, payment: NewOrderPayment): Promise<boolean> {
  const seen = await observePaymentOut(context, key);
  const [first] = decidePaymentOut(seen && { ...seen, createInDoubt: false }).actions;
  if (first?.action !== 'payment-out.create' || first.payment === null) return false;
  return sentText(first.payment, null) === sentText(payment, null);
}

function bodyOf({ orderNumber, amount, type, paidAt }: NewOrderPayment) {
  return { order: orderNumber, payment_date: paidAt, total: amount.toFixed(2), payment_type: type };
}

/** Finds the unlinked payment that equals the values of an earlier attempt, whatever the ERP shows now. */
async function findSent(
  context: MarketplaceReading,
  look: Look,
): Promise<{ rows: readonly PaymentRow[]; unreadable: number }> {
  const { account, store } = context;
  const earlier = await store.intents.unsettled({ account, kind: 'payment-out', key: look.key });
  if (earlier === null) return { rows: [], unreadable: 0 };
  const { since, ...sent } = sentFacts(earlier);
  const unlinked: (PaymentFacts & { readonly row: PaymentRow })[] = [];
  let unreadable = 0;
  for await (const page of listPaymentsSince(context, look, since)) {
    unreadable += page.invalidRows.length;
    for (const row of page.rows) {
      const mapping = await store.mappings.byMarketplaceId(account, 'payment', String(row.id));
      if (mapping?.state !== 'linked') unlinked.push({ ...factsOfMarketplace(readPayment(row)), row });
    }
  }
  return { rows: alike(sent, unlinked).map(({ row }) => row), unreadable };
}
