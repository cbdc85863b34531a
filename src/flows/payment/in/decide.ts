import { type Cause, cause, isCause } from '../../../domain/causes/cause.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import { isBefore } from '../../../domain/instant.ts';
import { alike, type MarketplacePayment, paymentAmountProblem } from '../../../domain/payment.ts';
import { act, contested, type Decision, hold, inSync, type Planned } from '../../engine/decision.ts';
import type { UnlinkedPayment, UnsettledPayment } from './observe.ts';

/** A payment of the marketplace, and what the ERP knows of it. */
export interface PaymentInSnapshot {
  readonly payment: MarketplacePayment | null;
  /** Why the marketplace's last row of it cannot be read. */
  readonly misfit: string | null;
  readonly linked: boolean;
  /** A create in the ERP that may have been applied. */
  readonly createInDoubt: boolean;
  /** The reference of its order in the ERP; null while the ERP has none. */
  readonly reference: string | null;
  /** The ERP's name of its type. */
  readonly method: string;
  /** Payments of its order, in the ERP. */
  readonly unlinked: readonly UnlinkedPayment[];
  readonly unsettled: readonly UnsettledPayment[];
  /** Every payment of the ERP has been read. */
  readonly paymentsKnown: boolean;
  /** null where payments are not kept in step. */
  readonly rules: { readonly create: boolean; readonly currency: string; readonly from: string | null } | null;
}

export type PaymentInAction = LinkErpPayment | CreateErpPayment;

export interface LinkErpPayment extends Planned {
  readonly action: 'payment-in.link';
  readonly erpId: string;
}

export interface CreateErpPayment extends Planned {
  readonly action: 'payment-in.create';
  /** null: an earlier create may have been applied, and no new one is wanted. */
  readonly payment: NewErpPayment | null;
}

export interface NewErpPayment {
  readonly reference: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly method: string;
  readonly receivedAt: string | null;
}

export function decidePaymentIn(snapshot: PaymentInSnapshot): Decision<PaymentInAction> {
  const { payment, rules } = snapshot;
  if (rules === null) return inSync();
  if (snapshot.misfit !== null) return hold(cause('payment-misfit', { problem: snapshot.misfit }));
  if (payment === null || snapshot.linked) return inSync();
  const wanted = wantedOf(payment, snapshot, rules);
  if (snapshot.createInDoubt) return act([creation(payment, isCause(wanted) ? null : wanted)]);
  if (wanted === null) return inSync();
  const facts = { ...payment, amount: payment.total };
  const [unsettled] = alike(facts, snapshot.unsettled);
  if (unsettled !== undefined) {
    return hold(cause('payment-like-another', { payment: payment.id, other: unsettled.what }));
  }
  if (isCause(wanted)) return hold(wanted);
  if (!snapshot.paymentsKnown) return hold(cause('payments-unread', { side: 'ERP' }));
  const found = alike(facts, snapshot.unlinked);
  if (found.length > 1) {
    const ids = found.map(({ id }) => id);
    return contested(cause('payment-several', { payment: payment.id, side: 'ERP', found: ids }));
  }
  const [only] = found;
  return act([only === undefined ? creation(payment, wanted) : link(payment, only.id)]);
}

/** null: nothing is wanted. A cause tells why it cannot be recorded. */
function wantedOf(
  payment: MarketplacePayment,
  { reference, method }: PaymentInSnapshot,
  { create, currency, from }: NonNullable<PaymentInSnapshot['rules']>,
): NewErpPayment | Cause | null {
  const { id, total, paidAt } = payment;
  if (!create) return null;
  if (from !== null && isBefore(paidAt ?? payment.createdAt ?? from, from)) return null;
  if (payment.currency !== null && payment.currency !== currency) {
    return cause('payment-currency', { payment: id, shown: payment.currency, wanted: currency });
  }
  const problem = paymentAmountProblem(total);
  if (problem !== null) return cause('payment-amount', { payment: id, problem });
  if (reference === null) {
    return cause('payment-order-unknown', { payment: id, order: payment.orderNumber, side: 'ERP' });
  }
  return { reference, amount: total, currency, method, receivedAt: paidAt };
}

function creation(payment: MarketplacePayment, wanted: NewErpPayment | null): CreateErpPayment {
  return {
    action: 'payment-in.create',
    target: `ERP payment for marketplace payment ${payment.id}`,
    before: null,
    after:
      wanted === null
        ? 'nothing more'
        : `${wanted.amount.toFixed(2)} ${wanted.currency}, ${wanted.method}, for ${wanted.reference}`,
    why: wanted === null ? 'whether an earlier attempt was applied has to be settled' : 'recorded on the marketplace',
    payment: wanted,
  };
}

function link(payment: MarketplacePayment, erpId: string): LinkErpPayment {
  return {
    action: 'payment-in.link',
    target: `marketplace payment ${payment.id}`,
    before: 'not linked',
    after: `linked to ERP payment ${erpId}`,
    why: 'of the same order, amount, type and day',
    erpId,
  };
}
