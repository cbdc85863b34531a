import { alike } from '../../../domain/payment.ts';
import type { ErpPayment } from '../../../erp/connector.ts';
import type { Known, Look, MarketplaceReading, ReadContext } from '../../../shadow/context.ts';
import type { PaymentInRows } from '../../../store/observe.ts';
import { misfitText } from '../../../store/reading.ts';
import { createOnce, lookAlikes } from '../../engine/create-once.ts';
import type { Applied, Flow } from '../../engine/flow.ts';
import { type CreateErpPayment, decidePaymentIn, type PaymentInAction, type PaymentInSnapshot } from './decide.ts';
import { linkPayments } from './link.ts';
import {
  factsOfErp,
  factsOfMarketplace,
  methodOfType,
  type PaymentRules,
  type UnlinkedPayment,
  unsettledPayments,
} from './observe.ts';

/** Records payments of the marketplace in the ERP, once. Its key is the marketplace's payment id. */
export const paymentInFlow: Flow<PaymentInSnapshot, PaymentInAction> = {
  name: 'payment-in',
  decide: decidePaymentIn,
  observe: (context, look) => observePayment(context, look.key),
  apply: (context, look, action) =>
    action.action === 'payment-in.link'
      ? linkPayments(context, look.key, action.erpId, 'equal')
      : createErpPayment(context, look, action),
};

/** The order of this payment. The payments of one order are worked on one at a time. */
export async function orderOfPayment({ account, store }: Known, key: string): Promise<string> {
  return (await store.payments.get(account, key))?.orderNumber ?? key;
}

async function observePayment({ account, config, store }: Known, key: string): Promise<PaymentInSnapshot> {
  const rows = await store.observe.paymentIn(account, key);
  const rules = config.payments;
  const { payment } = rows;
  return {
    payment,
    misfit: misfitText(rows.misfit),
    linked: rows.mapping?.state === 'linked',
    createInDoubt: rows.createInDoubt,
    reference: rows.reference,
    method: payment === null || rules === null ? '' : methodOfType(rules, payment.type),
    unlinked: rules === null ? [] : unlinkedInErp(rows, rules),
    unsettled: rules === null ? [] : unsettledPayments(rows.unsettled, key),
    paymentsKnown: rows.paymentsKnown,
    rules: rules === null ? null : { create: rules.toErp, currency: config.currency, from: rules.from },
  };
}

function unlinkedInErp({ payment, unlinked }: PaymentInRows, rules: PaymentRules): UnlinkedPayment[] {
  if (payment === null) return [];
  return unlinked.map((each) => ({ id: each.id, ...factsOfErp(each, payment.orderNumber, rules) }));
}

async function createErpPayment(context: ReadContext, look: Look, { payment }: CreateErpPayment): Promise<Applied> {
  const { account, erp, store } = context;
  return createOnce<ErpPayment>(context, {
    intent: { kind: 'payment-in', key: look.key },
    // Asking the ERP is cheap, and a payment that it has already must never be made twice.
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

/** An ERP that does not keep marketplace_id has a payment that only looks like ours. */
async function lookAlike(context: MarketplaceReading, look: Look) {
  const { account, config, store } = context;
  if (config.payments === null || (await store.payments.get(account, look.key)) === null) return null;
  await context.readNow('erp-payments', look);
  const rows = await store.observe.paymentIn(account, look.key);
  if (rows.payment === null) return null;
  const found = alike(factsOfMarketplace(rows.payment), unlinkedInErp(rows, config.payments));
  return lookAlikes(
    'Payments without a marketplace_id look like it',
    found.map(({ id }) => id),
  );
}
