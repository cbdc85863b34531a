import { type Cause, cause, isCause } from '../../../domain/causes/cause.ts';
import { type Gone, reportedGone } from '../../../domain/gone.ts';
import { isBefore } from '../../../domain/instant.ts';
import { inCurrency } from '../../../domain/money-text.ts';
import { alike, type MarketplacePayment, type PaymentFacts } from '../../../domain/payment.ts';
import type { ErpPayment } from '../../../erp/connector.ts';
import type { PaymentOutRows } from '../../../store/observe.ts';
import { act, type Decision, hold, holdForLink, inSync, type Planned } from '../../engine/decision.ts';
import type { Braked } from '../../engine/policy.ts';
import {
  amountProblem,
  decideUnlinked,
  linkWords,
  type OtherSide,
  type PaymentType,
  recordWords,
} from '../other-side.ts';

export interface PaymentOutSnapshot
  extends OtherSide,
    Pick<PaymentOutRows, 'payment' | 'orderNumber' | 'orderGone' | 'named' | 'former'> {
  readonly invalidErpRow: string | null;
  /** The linked marketplace payment. `shown` null: not read yet. */
  readonly linked: {
    readonly id: string;
    readonly shown: MarketplacePayment | null;
    readonly gone: Gone | null;
  } | null;
  /** Marketplace payments of its order whose ERP payment is gone. */
  readonly left: OtherSide['recordedHere'];
  /** null: its method is not configured. */
  readonly type: PaymentType | null;
}

export interface NewOrderPayment extends PaymentFacts {
  readonly type: PaymentType;
}

export type PaymentOutAction = LinkMarketplacePayment | MoveLink | CreateMarketplacePayment;

interface LinkMarketplacePayment extends Planned {
  readonly action: 'payment-out.link';
  readonly marketplaceId: string;
  readonly how: 'equal' | 'marketplace_id';
}

/** Links the marketplace payment of a gone ERP payment to this one. */
interface MoveLink extends Planned, Braked {
  readonly action: 'payment-out.relink';
  readonly marketplaceId: string;
  readonly how: LinkMarketplacePayment['how'];
}

export interface CreateMarketplacePayment extends Planned {
  readonly action: 'payment-out.create';
  /** null: only settle an earlier create. */
  readonly payment: NewOrderPayment | null;
}

/** @param snapshot null: payments are not synchronized */
export function decidePaymentOut(snapshot: PaymentOutSnapshot | null): Decision<PaymentOutAction> {
  if (snapshot === null) return inSync();
  const { payment, linked, invalidErpRow, named } = snapshot;
  if (invalidErpRow !== null) return hold(cause('erp-payment-invalid', { problem: invalidErpRow }));
  if (payment === null) return inSync();
  if (linked !== null) return inSync(disagreements(payment, linked, snapshot.orderNumber));
  const { id, marketplaceId } = payment;
  const wanted = wantedOf(payment, snapshot);
  if (snapshot.createInDoubt) return act([creation(id, isCause(wanted) ? null : wanted)]);
  if (marketplaceId !== null && named === 'there') return act([link(id, marketplaceId, 'marketplace_id')]);
  // The ERP itself names the payment.
  if (marketplaceId !== null && named === 'left') return act([moved(id, marketplaceId, 'marketplace_id')]);
  const facts = isCause(wanted) ? null : wanted;
  const [former] = snapshot.former;
  const maybe = former === undefined ? null : { erpPayment: id, other: former };
  const decision = decideUnlinked<NewOrderPayment, PaymentOutAction>(
    { id, facts, wanted, side: 'marketplace', maybe },
    snapshot,
    {
      create: (sent) => creation(id, sent),
      link: (other) => link(id, other, 'equal'),
    },
  );
  const isNew = decision.actions.some(({ action }) => action === 'payment-out.create');
  return isNew && facts !== null ? (inPlaceOfAnother(id, facts, snapshot) ?? decision) : decision;
}

/** This payment may replace one that is gone from the ERP. It is recorded only after a person has decided. */
function inPlaceOfAnother(
  id: string,
  facts: PaymentFacts,
  { left }: PaymentOutSnapshot,
): Decision<PaymentOutAction> | null {
  const [one, ...more] = alike(facts, left);
  if (one === undefined) return null;
  if (more.length === 0) return act([{ ...moved(id, one.id, 'equal'), brake: 'relink' }]);
  const found = [one, ...more].map((each) => each.id);
  return holdForLink(cause('payment-several', { payment: id, side: 'marketplace', found }));
}

/** null: nothing to record. A cause: why it cannot be recorded. */
function wantedOf(
  payment: ErpPayment,
  { orderNumber, orderGone, type, rules: { create, currency, from } }: PaymentOutSnapshot,
): NewOrderPayment | Cause | null {
  if (!create || payment.voided) return null;
  if (from !== null && isBefore(payment.receivedAt ?? payment.changedAt, from)) return null;
  const problem = amountProblem(payment, currency);
  if (problem !== null) return problem;
  const { id, method, reference } = payment;
  if (type === null) return cause('payment-method-unknown', { payment: id, method: String(method) });
  if (orderNumber === null)
    return cause('payment-order-unknown', { payment: id, order: reference, side: 'marketplace' });
  if (orderGone) return cause('payment-order-gone', { payment: id, order: orderNumber });
  return { orderNumber, amount: payment.amount, type, paidAt: payment.receivedAt };
}

function creation(id: string, payment: NewOrderPayment | null): PaymentOutAction {
  const after = payment && `${payment.amount.toFixed(2)} ${payment.type}, order ${payment.orderNumber}`;
  const words = recordWords(`marketplace payment for ERP payment ${id}`, after, 'received in the ERP');
  return { action: 'payment-out.create', ...words, payment };
}

function link(id: string, marketplaceId: string, how: LinkMarketplacePayment['how']): PaymentOutAction {
  const words = linkWords(`ERP payment ${id}`, `marketplace payment ${marketplaceId}`, how);
  return { action: 'payment-out.link', ...words, marketplaceId, how };
}

function moved(id: string, marketplaceId: string, how: LinkMarketplacePayment['how']): MoveLink {
  const words = linkWords(`ERP payment ${id}`, `marketplace payment ${marketplaceId}`, how);
  const why = `${words.why}, and the payment that had it is gone from the ERP`;
  return { action: 'payment-out.relink', ...words, why, marketplaceId, how };
}

/** The marketplace's API cannot change or delete payments. People must repeat the ERP's corrections there. */
function disagreements(
  payment: ErpPayment,
  { id, shown, gone }: NonNullable<PaymentOutSnapshot['linked']>,
  orderNumber: string | null,
): Cause[] {
  const both = { payment: payment.id, there: id };
  if (gone !== null && !payment.voided) return [cause('payment-gone', { ...both, ...reportedGone(gone) })];
  if (shown === null) return [];
  const [amount, total] = [payment.amount, shown.total].map((one) => inCurrency(one, payment.currency)) as [
    string,
    string,
  ];
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
