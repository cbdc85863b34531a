import { Decimal } from '../../../domain/decimal.ts';
import type { MarketplacePayment, PaymentFacts } from '../../../domain/payment.ts';
import type { ErpPayment } from '../../../erp/connector.ts';
import { ORDER_PAYMENT_TYPES } from '../../../marketplace/operations/orders.ts';
import type { Intent } from '../../../store/intents.ts';
import type { UnsettledPayments } from '../../../store/observe.ts';
import type { AccountContext } from '../../engine/context.ts';

export type PaymentRules = NonNullable<AccountContext['config']['payments']>;
export type PaymentType = (typeof ORDER_PAYMENT_TYPES)[number];

/** A payment of the other side that nothing is linked to. */
export interface UnlinkedPayment extends PaymentFacts {
  readonly id: string;
}

/** A payment that is being recorded on the other side, and whether it was is not settled yet. */
export interface UnsettledPayment extends PaymentFacts {
  /** "ERP payment PAY-17" */
  readonly what: string;
}

/** The marketplace's type of an ERP method; null when it has to be configured. A payment without a method is `other`. */
export function typeOfMethod({ types }: PaymentRules, method: string | null): PaymentType | null {
  const name = method?.toLowerCase() ?? 'other';
  const configured = types.find((entry) => entry.method.toLowerCase() === name)?.type;
  return configured ?? ORDER_PAYMENT_TYPES.find((type) => type === name) ?? null;
}

/** The ERP's method of a marketplace type: the first that is configured for it, else the type itself. */
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

/** Payments that are being recorded, on either side, and are not settled: a payment like one of them may be that one. */
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
  /** Where looking for it begins: the marketplace's newest payment when it was sent; null when it had none. */
  readonly since: string | null;
}

/** The facts that find a payment among the marketplace's, which keep no id of ours. */
export function sentText(facts: PaymentFacts & { readonly type: string }, since: string | null): string {
  const { orderNumber, amount, type, paidAt } = facts;
  return JSON.stringify({ orderNumber, amount: amount.toFixed(), type, paidAt, since } satisfies Sent);
}

export function sentFacts({ sent }: Intent): PaymentFacts & Pick<Sent, 'since'> {
  const { amount, ...facts } = JSON.parse(sent) as Sent;
  return { ...facts, amount: new Decimal(amount) };
}
