import { Decimal } from '../../../domain/decimal.ts';
import type { MarketplacePayment, PaymentFacts } from '../../../domain/payment.ts';
import type { ErpPayment } from '../../../erp/connector.ts';
import { ORDER_PAYMENT_TYPES } from '../../../marketplace/operations/orders.ts';
import type { Intent } from '../../../store/intents.ts';
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

/** The marketplace's order of an ERP payment: its reference is that order's number, or the id of an ERP order linked to it. */
export async function orderNumberOf({ account, store }: AccountContext, reference: string): Promise<string | null> {
  if ((await store.orders.get(account, reference)) !== null) return reference;
  return store.mappings.linkedTo(account, 'order', reference);
}

export async function unlinkedOnMarketplace(
  { account, store }: AccountContext,
  orderNumber: string,
): Promise<UnlinkedPayment[]> {
  const unlinked: UnlinkedPayment[] = [];
  for (const payment of await store.payments.ofOrder(account, orderNumber)) {
    const mapping = await store.mappings.byMarketplaceId(account, 'payment', payment.id);
    if (mapping?.state !== 'linked') unlinked.push({ id: payment.id, ...factsOfMarketplace(payment) });
  }
  return unlinked;
}

export async function unlinkedInErp(
  { account, store }: AccountContext,
  orderNumber: string,
  rules: PaymentRules,
): Promise<UnlinkedPayment[]> {
  const erpOrderId = (await store.mappings.byMarketplaceId(account, 'order', orderNumber))?.erpId;
  const references = [orderNumber, ...(erpOrderId == null ? [] : [erpOrderId])];
  const unlinked: UnlinkedPayment[] = [];
  for (const payment of await store.erp.paymentsByReference(account, references)) {
    if (payment.voided || payment.marketplaceId !== null) continue;
    // One that is being recorded on the marketplace may have been changed since: what it was is among the unsettled.
    if ((await store.intents.unsettled({ account, kind: 'payment-out', key: payment.id })) !== null) continue;
    const linked = await store.mappings.linkedTo(account, 'payment', payment.id);
    if (linked === null) unlinked.push({ id: payment.id, ...factsOfErp(payment, orderNumber, rules) });
  }
  return unlinked;
}

/** What is being recorded, on either side, and is not settled: a payment like it may be that one. */
export async function unsettledPayments(
  { account, store }: AccountContext,
  exceptKey: string,
): Promise<UnsettledPayment[]> {
  const unsettled: UnsettledPayment[] = [];
  for (const intent of await store.intents.listUnsettled(account, 'payment-out')) {
    if (intent.key !== exceptKey) unsettled.push({ what: `ERP payment ${intent.key}`, ...sentFacts(intent) });
  }
  for (const { key } of await store.intents.listUnsettled(account, 'payment-in')) {
    const payment = key === exceptKey ? null : await store.payments.get(account, key);
    if (payment !== null) unsettled.push({ what: `marketplace payment ${key}`, ...factsOfMarketplace(payment) });
  }
  return unsettled;
}

interface Sent {
  readonly orderNumber: string;
  readonly amount: string;
  readonly type: string;
  readonly paidAt: string | null;
  /** Where looking for it begins: the marketplace's newest payment when it was sent; null when it had none. */
  readonly since: string | null;
}

/** What has to be known of a payment to find it among the marketplace's, which keep no id of ours. */
export function sentText(facts: PaymentFacts & { readonly type: string }, since: string | null): string {
  const { orderNumber, amount, type, paidAt } = facts;
  return JSON.stringify({ orderNumber, amount: amount.toFixed(), type, paidAt, since } satisfies Sent);
}

export function sentFacts({ sent }: Intent): PaymentFacts & Pick<Sent, 'since'> {
  const { amount, ...facts } = JSON.parse(sent) as Sent;
  return { ...facts, amount: new Decimal(amount) };
}
