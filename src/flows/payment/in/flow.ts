import { alike } from '../../../domain/payment.ts';
import type { ErpPayment } from '../../../erp/connector.ts';
import type { AccountRecords, Look, MarketplaceReading, ReadContext } from '../../../shadow/context.ts';
import type { PaymentInRows } from '../../../store/observe.ts';
import { invalidRowText } from '../../../store/reading.ts';
import { beforeCreate } from '../../engine/before-create.ts';
import { createOnce, similarEntities } from '../../engine/create-once.ts';
import type { Applied, Flow } from '../../engine/flow.ts';
import { linkFound } from '../../engine/link-found.ts';
import { factsOfErp, factsOfMarketplace, methodOfType, type PaymentRules, unsettledPayments } from '../other-side.ts';
import { type CreateErpPayment, decidePaymentIn, type PaymentInAction, type PaymentInSnapshot } from './decide.ts';

/** Records the marketplace's payments in the ERP, once. Key: marketplace payment id. */
export const paymentInFlow: Flow<PaymentInSnapshot | null, PaymentInAction> = {
  name: 'payment-in',
  // Only existing links distinguish two equal payments of one order.
  excludes: async (context, key) => [`payments of ${await orderOfPayment(context, key)}`],
  decide: decidePaymentIn,
  observe: observePayment,
  observeFresh: beforeCreate({
    observe: observePayment,
    decide: decidePaymentIn,
    create: 'payment-in.create',
    list: 'erp-payments',
  }),
  apply: (context, look, action) =>
    action.action === 'payment-in.link'
      ? linkPayments(context, look.key, action.erpId, 'equal')
      : createErpPayment(context, look, action),
};

export function linkPayments(
  context: AccountRecords,
  marketplaceId: string,
  erpId: string,
  how: string,
): Promise<Applied> {
  const answer = `marketplace payment ${marketplaceId} is ERP payment ${erpId}`;
  return linkFound(context, { kind: 'payment', marketplaceId, erpId, how }, answer);
}

async function orderOfPayment({ account, store }: AccountRecords, key: string): Promise<string> {
  return (await store.payments.get(account, key))?.orderNumber ?? key;
}

async function observePayment(
  { account, config, store }: AccountRecords,
  key: string,
): Promise<PaymentInSnapshot | null> {
  const rules = config.payments;
  if (rules === null) return null;
  const rows = await store.observe.paymentIn(account, key);
  const { payment } = rows;
  return {
    ...rows,
    invalidRow: invalidRowText(rows.invalidRow),
    linked: rows.mapping?.state === 'linked',
    gone: rows.erpGone === null ? null : { erpId: rows.mapping?.erpId ?? '', since: rows.erpGone },
    method: payment === null ? '' : methodOfType(rules, payment.type),
    unlinked: unlinkedInErp(rows, rules),
    unsettled: unsettledPayments(rows.unsettled, key),
    recordedHere: rows.recordedHere.map(({ payment: each, of }) => ({ id: each.id, of, ...factsOfMarketplace(each) })),
    rules: { create: rules.toErp, currency: config.currency, from: rules.from },
  };
}

function unlinkedInErp({ payment, unlinked }: PaymentInRows, rules: PaymentRules): PaymentInSnapshot['unlinked'] {
  if (payment === null) return [];
  return unlinked.map((each) => ({ id: each.id, ...factsOfErp(each, payment.orderNumber, rules) }));
}

async function createErpPayment(context: ReadContext, look: Look, { payment }: CreateErpPayment): Promise<Applied> {
  const { account, erp, store } = context;
  return createOnce<ErpPayment>(context, {
    intent: { kind: 'payment-in', key: look.key },
    // Searching the ERP is cheap, and an existing payment must never be recorded twice.
    alwaysFind: true,
    find: () => erp.findPayments(look.key, look.signal),
    unprovable: () => lookAlike(context, look),
    create:
      payment === null
        ? null
        : async (sending) => {
            await sending();
            return erp.createPayment({ ...payment, marketplaceId: look.key }, look.signal);
          },
    record: (made) => store.erp.recordPayments(account, [made], look.lane),
    idOf: ({ id }) => id,
  });
}

/** An ERP that does not store marketplace_id leaves a payment that only its content identifies. */
async function lookAlike(context: MarketplaceReading, look: Look) {
  const { account, config, store } = context;
  if (config.payments === null || (await store.payments.get(account, look.key)) === null) return null;
  await context.readNow('erp-payments', look);
  const rows = await store.observe.paymentIn(account, look.key);
  if (rows.payment === null) return null;
  const found = alike(factsOfMarketplace(rows.payment), unlinkedInErp(rows, config.payments));
  return similarEntities(
    'Payments without a marketplace_id look like it',
    found.map(({ id }) => id),
  );
}
