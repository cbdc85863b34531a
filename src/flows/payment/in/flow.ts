import { alike } from '../../../domain/payment.ts';
import type { ErpPayment } from '../../../erp/connector.ts';
import type { Look } from '../../../shadow/context.ts';
import type { AccountContext } from '../../engine/context.ts';
import { createOnce, lookAlikes } from '../../engine/create-once.ts';
import type { Applied, Flow } from '../../engine/flow.ts';
import { type CreateErpPayment, decidePaymentIn, type PaymentInAction, type PaymentInSnapshot } from './decide.ts';
import { linkPayments } from './link.ts';
import { factsOfMarketplace, methodOfType, unlinkedInErp, unsettledPayments } from './observe.ts';

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

/** Which order's payments this one is alone with. */
export async function orderOfPayment({ account, store }: AccountContext, key: string): Promise<string> {
  return (await store.payments.get(account, key))?.orderNumber ?? key;
}

async function observePayment(context: AccountContext, key: string): Promise<PaymentInSnapshot> {
  const { account, config, store } = context;
  const rules = config.payments;
  const payment = await store.payments.get(account, key);
  const misfit = await store.misfits.get(account, 'payments', key);
  const mapping = await store.mappings.byMarketplaceId(account, 'payment', key);
  return {
    payment,
    misfit: misfit === null ? null : `${misfit.path}: ${misfit.message}`,
    linked: mapping?.state === 'linked',
    createInDoubt: (await store.intents.unsettled({ account, kind: 'payment-in', key })) !== null,
    reference: payment === null ? null : await referenceOf(context, payment.orderNumber),
    method: payment === null || rules === null ? '' : methodOfType(rules, payment.type),
    unlinked: payment === null || rules === null ? [] : await unlinkedInErp(context, payment.orderNumber, rules),
    unsettled: rules === null ? [] : await unsettledPayments(context, key),
    paymentsKnown: (await store.cursors.get(account, 'erp-payments')) !== null,
    rules: rules === null ? null : { create: rules.toErp, currency: config.currency, from: rules.from },
  };
}

/** What the ERP knows the order by: the number of one that came from the marketplace, its own id of one that it made. */
async function referenceOf({ account, store }: AccountContext, orderNumber: string): Promise<string | null> {
  const mapping = await store.mappings.byMarketplaceId(account, 'order', orderNumber);
  if (mapping?.state !== 'linked' || mapping.erpId === null) return null;
  return (await store.erp.order(account, mapping.erpId))?.reference ?? null;
}

async function createErpPayment(context: AccountContext, look: Look, { payment }: CreateErpPayment): Promise<Applied> {
  const { account, config, erp, store } = context;
  return createOnce<ErpPayment>(context, {
    intent: { account, kind: 'payment-in', key: look.key, externalId: look.key },
    // Asking the ERP is cheap, and a payment that it has already must never be made twice.
    alwaysFind: true,
    adoptOnly: payment === null,
    settleMs: 2 * config.erp.timeoutMs,
    find: () => erp.findPayments(look.key, look.signal),
    unprovable: () => lookAlike(context, look),
    create: () => {
      if (payment === null) throw new Error('invariant: nothing is created that is not wanted');
      return erp.createPayment({ ...payment, marketplaceId: look.key }, look.signal);
    },
    record: (made) => store.erp.recordPayments(account, [made], look.lane),
    link: ({ id }, how) => ({ account, kind: 'payment', marketplaceId: look.key, erpId: id, how }),
    show: ({ id }) => `ERP payment ${id}`,
  });
}

/** An ERP that does not keep marketplace_id has a payment that only looks like ours. */
async function lookAlike(context: AccountContext, look: Look) {
  const { account, config, store } = context;
  const payment = await store.payments.get(account, look.key);
  if (payment === null || config.payments === null) return null;
  await context.readNow('erp-payments', look);
  const unlinked = await unlinkedInErp(context, payment.orderNumber, config.payments);
  const found = alike(factsOfMarketplace(payment), unlinked);
  return lookAlikes(
    'payments without a marketplace_id look like it',
    found.map(({ id }) => id),
  );
}
