import { deepStrictEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Decimal, sum, ZERO } from '../../domain/decimal.ts';
import { CallFailure } from '../../domain/failure.ts';
import type { ErpApproval, ErpConnector, ErpOrder, ErpOrderDraft, ErpPage } from '../connector.ts';

/** The records of the ERP, as far as the checks need them. Nobody else may touch these records while the checks run. */
export interface ErpDescription {
  /** SKUs of at least two different products with stock, each there once. */
  readonly skus: readonly [string, string, ...string[]];
  readonly currency: string;
  /** The number of products, where it is known, so that a check can show that paging loses none. */
  readonly productCount?: number;
  /** Ids of products whose rows do not fit the interface. */
  readonly misfitIds?: readonly string[];
  /** Does the ERP list and take payments? */
  readonly payments?: boolean;
  /** Do its orders keep what became of their transports? */
  readonly transports?: boolean;
  /** Adds a lot of the product with this SKU as people do, where a script can do it; answers its id. */
  readonly addLot?: (sku: string, batch: string) => Promise<string>;
  /** Gives a verdict on an order as people do, where a script can do it. */
  readonly approve?: (orderId: string, approval: ErpApproval) => Promise<void>;
  /** Ships an order as people do, where a script can do it. */
  readonly ship?: (orderId: string) => Promise<void>;
}

/** Promises as sentences, each with its check, which throws an AssertionError that says how the promise is broken. */
export type Checks = Readonly<Record<string, () => Promise<void>>>;

export function draftOf(has: ErpDescription, status: 'draft' | 'reserved', quantity: string): ErpOrderDraft {
  const line = (sku: string, unitPrice: string) => ({
    sku,
    quantity: new Decimal(quantity),
    unitPrice: new Decimal(unitPrice),
  });
  return {
    reference: `conformance-${randomUUID()}`,
    status,
    customer: { name: 'conformance check' },
    currency: has.currency,
    lines: [line(has.skus[0], '12.3450'), line(has.skus[1], '0.05')],
    discount: new Decimal('1.10'),
    shipping: new Decimal('5.00'),
    tax: ZERO,
    total: new Decimal('16.3'),
    note: 'made by a conformance check ✓',
  };
}

export async function cancel(erp: ErpConnector, order: ErpOrder): Promise<void> {
  deepStrictEqual((await erp.updateOrder(order.id, { status: 'cancelled' })).status, 'cancelled');
}

export async function known(erp: ErpConnector, id: string): Promise<ErpOrder> {
  const order = await erp.getOrder(id);
  ok(order !== null, `order ${id} is not there`);
  return order;
}

export async function failureOf(work: Promise<unknown>): Promise<CallFailure> {
  try {
    await work;
  } catch (error) {
    ok(error instanceof CallFailure, `a CallFailure was expected, not ${String(error)}`);
    return error;
  }
  throw new Error('a failure was expected');
}

/** The facts of an order that the bridge tells an ERP, in a form that compares: 1.50 is 1.5. */
export function factsOf(order: Omit<ErpOrder, 'id' | 'changedAt'>): unknown {
  const { reference, origin, status, currency, discount, shipping, tax, total, note } = order;
  const lines = order.lines.map(({ sku, quantity, unitPrice }) => [sku, quantity.toFixed(), unitPrice.toFixed()]);
  const money = [discount, shipping, tax, total].map((amount) => amount.toFixed());
  return { reference, origin, status, customer: order.customer.name, currency, lines, money, note };
}

type Figures = { sku: string; onHand: string; reserved: string }[];

/** The figures of the first two SKUs, over all locations. */
export async function figures(erp: ErpConnector, has: ErpDescription): Promise<Figures> {
  const skus = has.skus.slice(0, 2);
  const { items } = await erp.readStock(skus);
  return skus.map((sku) => {
    const rows = items.filter((row) => row.sku === sku);
    const onHand = sum(rows.map((row) => row.onHand));
    return { sku, onHand: onHand.toFixed(), reserved: sum(rows.map((row) => row.reserved)).toFixed() };
  });
}

export function moved(start: Figures, onHand: string, reserved: string): Figures {
  return start.map((row) => ({
    sku: row.sku,
    onHand: new Decimal(row.onHand).plus(onHand).toFixed(),
    reserved: new Decimal(row.reserved).plus(reserved).toFixed(),
  }));
}

export function sameDecimal(actual: Decimal, expected: Decimal, what: string): void {
  deepStrictEqual(actual.toFixed(), expected.toFixed(), what);
}

export function asOf(pages: readonly ErpPage<unknown>[]): string {
  const first = pages[0];
  ok(first !== undefined, 'a listing has at least one page');
  return first.asOf;
}

export function idsOf(pages: readonly ErpPage<{ readonly id: string }>[]): string[] {
  return pages.flatMap((page) => [
    ...page.items.map((item) => item.id),
    ...page.misfits.map((row) => row.id ?? row.what),
  ]);
}
