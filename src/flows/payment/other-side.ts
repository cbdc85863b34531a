import type { AccountConfig } from '../../config/resolve.ts';
import { type Cause, cause, isCause } from '../../domain/causes/cause.ts';
import { Decimal } from '../../domain/decimal.ts';
import { alike, type MarketplacePayment, type PaymentFacts, paymentAmountProblem } from '../../domain/payment.ts';
import type { ErpPayment } from '../../erp/connector.ts';
import { ORDER_PAYMENT_TYPES } from '../../marketplace/operations/orders.ts';
import type { Intent } from '../../store/intents.ts';
import type { UnsettledPayments } from '../../store/observe.ts';
import { act, type Decision, hold, holdForLink, inSync, type Planned } from '../engine/decision.ts';

/** Shared by both payment flows. */

export type PaymentRules = NonNullable<AccountConfig['payments']>;
export type PaymentType = (typeof ORDER_PAYMENT_TYPES)[number];

export interface OtherSide {
  /** A create on the other side may have been applied. */
  readonly createInDoubt: boolean;
  /** Of the payment's order. */
  readonly unlinked: readonly UnlinkedPayment[];
  readonly unsettled: readonly UnsettledPayment[];
  /** Payments of its order that we recorded on the payment's own side, with their originals. */
  readonly recordedHere: readonly RecordedPayment[];
  /** Every payment of the other side has been read. */
  readonly paymentsKnown: boolean;
  readonly rules: { readonly create: boolean; readonly currency: string; readonly from: string | null };
}

interface UnlinkedPayment extends PaymentFacts {
  readonly id: string;
}

interface RecordedPayment extends UnlinkedPayment {
  /** The other side's payment from which this one was made. */
  readonly of: string;
}

/** A payment that is being recorded, with unknown success. */
interface UnsettledPayment extends PaymentFacts {
  /** "ERP payment PAY-17" */
  readonly what: string;
}

/** The marketplace's type for an ERP method. null: not configured. A payment without a method is `other`. */
export function typeOfMethod({ types }: PaymentRules, method: string | null): PaymentType | null {
  const name = method?.toLowerCase() ?? 'other';
  const configured = types.find((entry) => entry.method.toLowerCase() === name)?.type;
  return configured ?? ORDER_PAYMENT_TYPES.find((type) => type === name) ?? null;
}

/** The ERP's method for a marketplace type: the first configured one, or else the type itself. */
export function methodOfType({ types }: PaymentRules, type: string): string {
  return types.find((entry) => entry.type === type)?.method ?? type;
}

export function factsOfMarketplace({ orderNumber, total, type, paidAt }: MarketplacePayment): PaymentFacts {
  return { orderNumber, amount: total, type, paidAt };
}

export function factsOfErp(payment: ErpPayment, orderNumber: string, rules: PaymentRules): PaymentFacts {
  const { amount, method, receivedAt } = payment;
  return { orderNumber, amount, type: typeOfMethod(rules, method), paidAt: receivedAt };
}

/** Payments that are being recorded on either side. An equal payment may be the same. */
export function unsettledPayments({ out, in: recorded }: UnsettledPayments, exceptKey: string): UnsettledPayment[] {
  const sent = out.map((intent) => ({ key: intent.key, what: `ERP payment ${intent.key}`, ...sentFacts(intent) }));
  const known = recorded.map(({ key, payment }) => ({
    key,
    what: `marketplace payment ${key}`,
    ...factsOfMarketplace(payment),
  }));
  return [...sent, ...known].filter(({ key }) => key !== exceptKey);
}

interface Sent {
  readonly orderNumber: string;
  readonly amount: string;
  readonly type: string;
  readonly paidAt: string | null;
  /** Start of the search: the marketplace's newest payment when it was sent. null: there was none. */
  readonly since: string | null;
}

/** The facts that identify a sent payment, because the marketplace's payments keep no id of ours. */
export function sentText(facts: PaymentFacts & { readonly type: string }, since: string | null): string {
  const { orderNumber, amount, type, paidAt } = facts;
  return JSON.stringify({ orderNumber, amount: amount.toFixed(), type, paidAt, since } satisfies Sent);
}

export function sentFacts({ sent }: Intent): PaymentFacts & Pick<Sent, 'since'> {
  const { amount, ...facts } = JSON.parse(sent) as Sent;
  return { ...facts, amount: new Decimal(amount) };
}

/** Why the amount cannot be recorded on the other side, or null. */
export function amountProblem(
  { id, amount, currency }: { readonly id: string; readonly amount: Decimal; readonly currency: string | null },
  wanted: string,
): Cause | null {
  if (currency !== null && currency !== wanted)
    return cause('payment-currency', { payment: id, shown: currency, wanted });
  const problem = paymentAmountProblem(amount, wanted);
  return problem === null ? null : cause('payment-amount', { payment: id, problem });
}

interface Unlinked<Wanted> {
  readonly id: string;
  /** null: unknown. */
  readonly facts: PaymentFacts | null;
  /** null: nothing to record on the other side. A cause: why it cannot be recorded. */
  readonly wanted: Wanted | Cause | null;
  readonly side: 'ERP' | 'marketplace';
  /** An ERP payment that may be the earlier `other` under a new id. Until that is decided, nothing is recorded. */
  readonly maybe: { readonly erpPayment: string; readonly other: string } | null;
}

/**
 * Links a payment to its equal on the other side, or records it there. If we recorded an equal payment on its own side,
 * somebody may have entered the same money on both sides.
 */
export function decideUnlinked<Wanted extends object, Action extends Planned>(
  { id, facts, wanted, side, maybe }: Unlinked<Wanted>,
  there: OtherSide,
  to: { link(other: string): Action; create(wanted: Wanted): Action },
): Decision<Action> {
  if (wanted === null) return inSync();
  const [unsettled] = facts === null ? [] : alike(facts, there.unsettled);
  if (unsettled !== undefined) return hold(cause('payment-like-another', { payment: id, other: unsettled.what }));
  if (isCause(wanted)) return hold(wanted);
  if (!there.paymentsKnown) return hold(cause('payments-unread', { side }));
  if (maybe !== null) return hold(cause('payment-like-earlier', maybe));
  const found = facts === null ? [] : alike(facts, there.unlinked).map((other) => other.id);
  if (found.length > 1) return holdForLink(cause('payment-several', { payment: id, side, found }));
  const [only] = found;
  const [twin] = only !== undefined || facts === null ? [] : alike(facts, there.recordedHere);
  if (twin !== undefined)
    return holdForLink(cause('payment-entered-twice', { payment: id, other: twin.id, of: twin.of, side }));
  return act([only === undefined ? to.create(wanted) : to.link(only)]);
}

/**
 * @param target what is linked
 * @param other its counterpart, in words
 */
export function linkWords(target: string, other: string, how: 'equal' | 'marketplace_id' = 'equal') {
  const why = how === 'equal' ? 'of the same order, amount, type and day' : 'the ERP says which one it is';
  return { target, before: 'not linked', after: `linked to ${other}`, why };
}

/** @param after the recorded values; null: an earlier attempt is settled, and no new one is made */
export function recordWords(target: string, after: string | null, why: string) {
  return after === null
    ? { target, before: null, after: 'nothing more', why: 'whether an earlier attempt was applied has to be settled' }
    : { target, before: null, after, why };
}
