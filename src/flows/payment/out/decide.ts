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
  /** What it is on the marketplace; `shown` as far as it was read. */
  readonly linked: { readonly id: string; readonly shown: MarketplacePayment | null } | null;
  /** A create that may have been applied. */
  readonly createInDoubt: boolean;
  /** null while the marketplace's order is not known. */
  readonly orderNumber: string | null;
  /** null when its method has to be configured. */
  readonly type: PaymentType | null;
  /** Of its order, on the marketplace. */
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
  if (erpMisfit !== null) return hold(`the ERP's payment does not fit: ${erpMisfit}`);
  if (payment === null) return inSync();
  if (linked !== null) return inSync(disagreements(payment, linked, snapshot.orderNumber));
  const wanted = wantedOf(payment, snapshot, rules);
  if (snapshot.createInDoubt) return act([creation(payment, typeof wanted === 'string' ? null : wanted)]);
  if (payment.marketplaceId !== null) return act([link(payment, payment.marketplaceId, 'marketplace_id')]);
  if (wanted === null) return inSync();
  if (typeof wanted === 'string') return hold(wanted);
  if (!snapshot.paymentsKnown) return hold('the payments of the marketplace have not been read yet');
  const [unsettled] = alike(wanted, snapshot.unsettled);
  if (unsettled !== undefined) return hold(`it is like ${unsettled.what}, which is being recorded: that comes first`);
  const [found, another] = alike(wanted, snapshot.unlinked);
  if (another !== undefined) return contested(severalText(payment.id, alike(wanted, snapshot.unlinked)));
  return act([found === undefined ? creation(payment, wanted) : link(payment, found.id, 'equal')]);
}

/** null: nothing is wanted. A text: why it cannot be recorded. */
function wantedOf(
  payment: ErpPayment,
  { orderNumber, type }: PaymentOutSnapshot,
  { create, currency, from }: NonNullable<PaymentOutSnapshot['rules']>,
): NewOrderPayment | string | null {
  if (!create || payment.voided) return null;
  if (from !== null && isBefore(payment.receivedAt ?? payment.changedAt, from)) return null;
  if (payment.currency !== currency) return `it is in ${payment.currency}, the account's currency is ${currency}`;
  const problem = paymentAmountProblem(payment.amount);
  if (problem !== null) return problem;
  if (type === null) return `its method "${payment.method}" is no type of the marketplace: name it in payments.types`;
  if (orderNumber === null) return `its order ${payment.reference} is not known on the marketplace (yet)`;
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

function severalText(id: string, found: readonly UnlinkedPayment[]): string {
  const ids = found.map((one) => one.id).join(', ');
  return `${found.length} payments on the marketplace may be it (${ids}): link one with "stockbridge map link payment ID ${id}"`;
}

/** The marketplace has neither a change nor a delete of payments: what was corrected in the ERP, people correct there. */
function disagreements(
  payment: ErpPayment,
  { id, shown }: NonNullable<PaymentOutSnapshot['linked']>,
  orderNumber: string | null,
): string[] {
  if (shown === null) return [];
  const amount = payment.amount.toFixed();
  const there = `payment ${id} on the marketplace`;
  const mend = 'correct it there by hand: its API has no way to';
  if (payment.voided) return [`it was voided in the ERP, and ${there} still says ${shown.total.toFixed()}: ${mend}`];
  const alerts: string[] = [];
  if (!payment.amount.equals(shown.total)) {
    alerts.push(`it is ${amount} in the ERP, and ${there} says ${shown.total.toFixed()}: ${mend}`);
  }
  if (orderNumber !== null && orderNumber !== shown.orderNumber) {
    alerts.push(`it is for order ${orderNumber} in the ERP, and ${there} is for ${shown.orderNumber}: ${mend}`);
  }
  return alerts;
}
