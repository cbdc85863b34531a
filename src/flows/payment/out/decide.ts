import { type Cause, cause, isCause } from '../../../domain/causes/cause.ts';
import { isBefore } from '../../../domain/instant.ts';
import { alike, type MarketplacePayment, type PaymentFacts, paymentAmountProblem } from '../../../domain/payment.ts';
import type { ErpPayment } from '../../../erp/connector.ts';
import { act, contested, type Decision, hold, inSync, type Planned } from '../../engine/decision.ts';
import type { PaymentType, UnlinkedPayment, UnsettledPayment } from '../in/observe.ts';

/** A payment of the ERP, and what the marketplace knows of it. */
export interface PaymentOutSnapshot {
  readonly payment: ErpPayment | null;
  /** Why the ERP's last row of it cannot be read. */
  readonly erpMisfit: string | null;
  /** Its payment on the marketplace; `shown` as far as it was read. */
  readonly linked: { readonly id: string; readonly shown: MarketplacePayment | null } | null;
  /** A create that may have been applied. */
  readonly createInDoubt: boolean;
  /** null while the marketplace's order is not known. */
  readonly orderNumber: string | null;
  /** null when its method has to be configured. */
  readonly type: PaymentType | null;
  /** Payments of its order, on the marketplace. */
  readonly unlinked: readonly UnlinkedPayment[];
  readonly unsettled: readonly UnsettledPayment[];
  /** Every payment of the marketplace has been read. */
  readonly paymentsKnown: boolean;
  /** null where payments are not kept in step. */
  readonly rules: { readonly create: boolean; readonly currency: string; readonly from: string | null } | null;
}

export interface NewOrderPayment extends PaymentFacts {
  readonly type: PaymentType;
}

export type PaymentOutAction = LinkMarketplacePayment | CreateMarketplacePayment;

export interface LinkMarketplacePayment extends Planned {
  readonly action: 'payment-out.link';
  readonly marketplaceId: string;
  readonly how: string;
}

export interface CreateMarketplacePayment extends Planned {
  readonly action: 'payment-out.create';
  /** null: an earlier create may have been applied, and no new one is wanted. */
  readonly payment: NewOrderPayment | null;
}

export function decidePaymentOut(snapshot: PaymentOutSnapshot): Decision<PaymentOutAction> {
  const { payment, rules, linked, erpMisfit } = snapshot;
  if (rules === null) return inSync();
  if (erpMisfit !== null) return hold(cause('erp-payment-misfit', { problem: erpMisfit }));
  if (payment === null) return inSync();
  if (linked !== null) return inSync(disagreements(payment, linked, snapshot.orderNumber));
  const wanted = wantedOf(payment, snapshot, rules);
  if (snapshot.createInDoubt) return act([creation(payment, isCause(wanted) ? null : wanted)]);
  if (payment.marketplaceId !== null) return act([link(payment, payment.marketplaceId, 'marketplace_id')]);
  if (wanted === null) return inSync();
  if (isCause(wanted)) return hold(wanted);
  if (!snapshot.paymentsKnown) return hold(cause('payments-unread', { side: 'marketplace' }));
  const [unsettled] = alike(wanted, snapshot.unsettled);
  if (unsettled !== undefined) {
    return hold(cause('payment-like-another', { payment: payment.id, other: unsettled.what }));
  }
  const [found, another] = alike(wanted, snapshot.unlinked);
  if (another !== undefined) {
    const ids = alike(wanted, snapshot.unlinked).map(({ id }) => id);
    return contested(cause('payment-several', { payment: payment.id, side: 'marketplace', found: ids }));
  }
  return act([found === undefined ? creation(payment, wanted) : link(payment, found.id, 'equal')]);
}

/** null: nothing is wanted. A cause tells why it cannot be recorded. */
function wantedOf(
  payment: ErpPayment,
  { orderNumber, type }: PaymentOutSnapshot,
  { create, currency, from }: NonNullable<PaymentOutSnapshot['rules']>,
): NewOrderPayment | Cause | null {
  if (!create || payment.voided) return null;
  if (from !== null && isBefore(payment.receivedAt ?? payment.changedAt, from)) return null;
  const { id } = payment;
  if (payment.currency !== currency) {
    return cause('payment-currency', { payment: id, shown: payment.currency, wanted: currency });
  }
  const problem = paymentAmountProblem(payment.amount);
  if (problem !== null) return cause('payment-amount', { payment: id, problem });
  if (type === null) return cause('payment-method-unknown', { payment: id, method: String(payment.method) });
  if (orderNumber === null) {
    return cause('payment-order-unknown', { payment: id, order: payment.reference, side: 'marketplace' });
  }
  return { orderNumber, amount: payment.amount, type, paidAt: payment.receivedAt };
}

function creation(payment: ErpPayment, wanted: NewOrderPayment | null): CreateMarketplacePayment {
  return {
    action: 'payment-out.create',
    target: `marketplace payment for ERP payment ${payment.id}`,
    before: null,
    after: wanted === null ? 'nothing more' : `${wanted.amount.toFixed(2)} ${wanted.type}, order ${wanted.orderNumber}`,
    why: wanted === null ? 'whether an earlier attempt was applied has to be settled' : 'received in the ERP',
    payment: wanted,
  };
}

function link(payment: ErpPayment, marketplaceId: string, how: string): LinkMarketplacePayment {
  return {
    action: 'payment-out.link',
    target: `ERP payment ${payment.id}`,
    before: 'not linked',
    after: `linked to marketplace payment ${marketplaceId}`,
    why: how === 'equal' ? 'of the same order, amount, type and day' : 'the ERP says which one it is',
    marketplaceId,
    how,
  };
}

/** The marketplace has neither a change nor a delete of payments: people correct there what was corrected in the ERP. */
function disagreements(
  payment: ErpPayment,
  { id, shown }: NonNullable<PaymentOutSnapshot['linked']>,
  orderNumber: string | null,
): Cause[] {
  if (shown === null) return [];
  const both = { payment: payment.id, there: id };
  const [amount, total] = [payment.amount.toFixed(), shown.total.toFixed()];
  if (payment.voided) return [cause('payment-voided', { ...both, amount: total })];
  const alerts: Cause[] = [];
  if (!payment.amount.equals(shown.total)) {
    alerts.push(cause('payment-amount-differs', { ...both, amount, shown: total }));
  }
  if (orderNumber !== null && orderNumber !== shown.orderNumber) {
    alerts.push(cause('payment-order-differs', { ...both, order: orderNumber, shown: shown.orderNumber }));
  }
  return alerts;
}
