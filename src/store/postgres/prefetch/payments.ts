import { findCursor, findFact } from '../../sql/cursors.ts';
import { findErpOrder } from '../../sql/erp-orders.ts';
import { findIntents } from '../../sql/intents.ts';
import { findByErpId, findByMarketplaceId } from '../../sql/mappings.ts';
import { STANDS_IN_ERP } from '../../sql/observe-payments.ts';
import { findLines, findOrder } from '../../sql/order-rows.ts';
import { findErpPayment, findErpPaymentsByReference, findPayment, findPaymentsOfOrder } from '../../sql/payments.ts';
import type { Ask, ColumnOf } from '../prefetch-plan.ts';
import { findIntentsOfKind, type Of, prefetchAnyInvalid, prefetchFacts, prefetchUnsettled } from './questions.ts';

export const paymentIn: Of<'paymentIn'> = (ask, account, id) => {
  const { orderNumber } = ask(findPayment, { account, id });
  prefetchAnyInvalid(ask, account, 'payments');
  ask(findErpPayment, {
    account,
    id: ask(findByMarketplaceId, { account, kind: 'payment', marketplaceId: id }).erpId,
  });
  prefetchUnsettled(ask, account, 'payment-in', id);
  const { erpId } = ask(findByMarketplaceId, { account, kind: 'order', marketplaceId: orderNumber });
  ask(findErpOrder, { account, id: erpId });
  for (const reference of [orderNumber, erpId]) {
    const paid = ask(findErpPaymentsByReference, { account, reference });
    prefetchUnsettled(ask, account, 'payment-out', paid.id);
    tellNamed(ask, account, paid.marketplaceId);
    ask(findByErpId, { account, kind: 'payment', erpId: paid.id });
    ask(findErpPayment, { account, id: paid.id });
  }
  ask(findFact, { account, name: STANDS_IN_ERP });
  const { erpId: madeOf } = tellPaymentsOfOrder(ask, account, orderNumber);
  ask(findIntents, { account, kind: 'payment-out', key: madeOf });
  tellUnsettledPayments(ask, account);
  ask(findCursor, { account, collection: 'erp-payments' });
};

export const paymentOut: Of<'paymentOut'> = (ask, account, id, facts) => {
  const { reference, marketplaceId: named } = ask(findErpPayment, { account, id });
  tellNamed(ask, account, named);
  prefetchAnyInvalid(ask, account, 'erp-payments');
  ask(findPayment, { account, id: ask(findByErpId, { account, kind: 'payment', erpId: id }).marketplaceId });
  prefetchUnsettled(ask, account, 'payment-out', id);
  // The reference is the number of a marketplace order or the id of an ERP order.
  const { marketplaceId } = ask(findByErpId, { account, kind: 'order', erpId: reference });
  for (const number of [reference, marketplaceId]) {
    ask(findOrder, { account, number });
    ask(findLines, { account, number });
    ask(findErpPayment, { account, id: tellPaymentsOfOrder(ask, account, number).erpId });
  }
  ask(findFact, { account, name: STANDS_IN_ERP });
  const paid = ask(findErpPaymentsByReference, { account, reference });
  const made = ask(findByErpId, { account, kind: 'payment', erpId: paid.id });
  ask(findIntents, { account, kind: 'payment-in', key: made.marketplaceId });
  tellUnsettledPayments(ask, account);
  prefetchFacts(ask, account, facts);
};

function tellNamed(ask: Ask, account: string, id: ColumnOf<string | null>): void {
  ask(findPayment, { account, id });
  ask(findErpPayment, { account, id: ask(findByMarketplaceId, { account, kind: 'payment', marketplaceId: id }).erpId });
}

function tellPaymentsOfOrder(ask: Ask, account: string, orderNumber: ColumnOf<string | null>) {
  const paid = ask(findPaymentsOfOrder, { account, orderNumber });
  return ask(findByMarketplaceId, { account, kind: 'payment', marketplaceId: paid.id });
}

function tellUnsettledPayments(ask: Ask, account: string): void {
  ask(findIntentsOfKind, { account, kind: 'payment-out' });
  ask(findPayment, { account, id: ask(findIntentsOfKind, { account, kind: 'payment-in' }).key });
}
