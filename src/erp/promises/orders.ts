import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal, type Figure, figure, sum, ZERO } from '../../domain/decimal.ts';
import type { ErpOrder, ErpOrderDraft, ErpOrderLine, StockRow } from '../connector.ts';
import { type Bench, type Figures, testProducts } from './bench.ts';
import { assertPromise, assertSame, NotTestable } from './broken.ts';

/** Begins the checks' references, which are as long as a marketplace order number. */
export const REFERENCE_PREFIX = 'stockbridge-check-';

export function newReference(): string {
  return REFERENCE_PREFIX + randomUUID().replaceAll('-', '').slice(0, 18);
}

/** With as many decimals as the ERP holds. */
export function roundedDown(digits: string, most: number | null): Figure<never> {
  return figure(new Decimal(digits).toDecimalPlaces(most ?? 4, Decimal.ROUND_DOWN));
}

const DETAILS = {
  shipTo: { address: '1 Check Street', city: 'Reno', state: 'NV', zipcode: '89501' },
  deliveryDate: '2030-02-01',
};

/** The account's status for new orders, where a check does not care. */
export function firstStatus({ uses }: Bench): 'draft' | 'reserved' {
  return uses.drafts ? 'draft' : 'reserved';
}

/** An order of both test products, whose total is the sum of its parts. */
export async function draftOf(
  bench: Bench,
  status: 'draft' | 'reserved',
  quantities: readonly [string, string] = ['2', '1'],
): Promise<ErpOrderDraft> {
  const { price, quantity } = bench.can.decimals;
  const products = await testProducts(bench);
  const lines = products.map(({ sku }, index) => ({
    sku,
    quantity: roundedDown(quantities[index] ?? '1', quantity),
    unitPrice: roundedDown(index === 0 ? '12.3456' : '0.05', price),
    ...(bench.can.orderDetails ? { key: String(index + 1), unitMultiplier: new Decimal(1) } : {}),
  }));
  return {
    reference: newReference(),
    status,
    customer: bench.customer,
    currency: products[0].currency,
    lines,
    discount: ZERO,
    shipping: ZERO,
    tax: ZERO,
    total: totalOf(lines),
    note: 'A check of the connection. It is cancelled again.',
    ...(bench.can.orderDetails ? DETAILS : {}),
  };
}

export function totalOf(lines: readonly ErpOrderLine[]): Decimal {
  return sum(lines.map(({ quantity, unitPrice }) => quantity.times(unitPrice))).toDecimalPlaces(2);
}

export async function makeOrder(bench: Bench, ...how: [status: 'draft' | 'reserved', quantities?: [string, string]]) {
  return acceptedOrder(bench, await bench.erp.createOrder(await draftOf(bench, ...how)));
}

/**
 * Waits until the ERP has accepted the order, which takes a while for files or writes in steps.
 * @throws NotTestable when it does not in time
 */
export async function acceptedOrder(bench: Bench, order: ErpOrder): Promise<ErpOrder> {
  if (order.finished !== false) return order;
  const { value } = await waitFor(bench, async () => {
    const now = await currentOrder(bench, order.id);
    return now.finished === false ? null : now;
  });
  if (value !== null) return value;
  throw new NotTestable(`the ERP has not taken order ${order.id} up within ${bench.patience.forMs / 1_000} s`);
}

export async function cancel(bench: Bench, { id }: ErpOrder): Promise<ErpOrder> {
  const order = await acceptedOrder(bench, await bench.erp.updateOrder(id, { status: 'cancelled' }));
  assertSame(order.status, 'cancelled', 'let a change of the status to cancelled cancel the order, and show it');
  return order;
}

/** Forgets a shipped order, which cannot be cancelled, and the figures that it changed. */
export function forgetShipped({ made, start }: Bench, { id }: ErpOrder): void {
  made.orders.delete(id);
  start.figures = null;
}

export async function currentOrder(bench: Bench, id: string): Promise<ErpOrder> {
  const order = await bench.erp.getOrder(id);
  assertPromise(order !== null, () => ({
    expected: `order ${id}, by its id`,
    came: 'nothing',
    mend: 'let the look-up of an order by its id find it',
  }));
  return order as ErpOrder;
}

/** Whether the ERP deleted the order instead of cancelling it. */
export async function isGone({ erp }: Bench, id: string): Promise<boolean> {
  return (await erp.getOrder(id)) === null;
}

/** Comparable lines: 1.50 equals 1.5. */
export function lineFacts(lines: readonly ErpOrderLine[]): unknown {
  return lines.map(({ sku, quantity, unitPrice }) => `${quantity.toFixed()} ${sku} at ${unitPrice.toFixed()}`).sort();
}

/** The order's facts that this ERP keeps. */
export function factsOf({ can }: Bench, order: Omit<ErpOrder, 'id' | 'changedAt'>): Record<string, unknown> {
  const { reference, origin, status, currency, discount, shipping, tax, total, lines } = order;
  const money = { discount, shipping, tax, total };
  const amounts = Object.entries(money).map(([name, amount]) => `${name} ${amount.toFixed()}`);
  const kept = can.totals === 'stored' ? { amounts: amounts.join(', ') } : {};
  return { reference, origin, status, currency, lines: lineFacts(lines), ...kept };
}

export async function figures(bench: Bench): Promise<Figures> {
  const skus = (await testProducts(bench)).map(({ sku }) => sku);
  const { items } = await bench.erp.readStock(skus);
  return skus.map((sku) => {
    const rows = items.filter((row) => row.sku === sku);
    const total = (one: (row: StockRow) => Decimal) => sum(rows.map(one)).toFixed();
    return {
      sku,
      onHand: total(({ onHand }) => onHand),
      reserved: total(({ reserved }) => reserved),
      available: total(({ available }) => available),
    };
  });
}

export function figuresAfter(
  start: Figures,
  more: { readonly reserved?: readonly Decimal[]; readonly gone?: Decimal },
): Figures {
  return start.map(({ sku, ...row }, index) => {
    const onHand = new Decimal(row.onHand).minus(more.gone ?? ZERO);
    const reserved = new Decimal(row.reserved).plus(more.reserved?.[index] ?? ZERO);
    const available = onHand.minus(reserved);
    return { sku, onHand: onHand.toFixed(), reserved: reserved.toFixed(), available: available.toFixed() };
  });
}

/**
 * Waits for the figures without test orders, since earlier orders may take a while to disappear. Other figures mean
 * that somebody else changed them.
 */
export async function figuresWithoutOrders(bench: Bench): Promise<Figures> {
  const { start } = bench;
  const now = start.figures ?? (await figures(bench));
  const isAsBefore = async () => {
    const read = await figures(bench);
    return JSON.stringify(read) === JSON.stringify(now) ? read : null;
  };
  start.figures = (await waitFor(bench, isAsBefore)).value ?? (await figures(bench));
  return start.figures;
}

/**
 * Repeats `look` until it returns a value or patience ends. `lateMs`: from now to the start of the last failed look.
 */
export async function waitFor<T>(
  { patience, signal }: Pick<Bench, 'patience' | 'signal'>,
  look: () => Promise<T | null>,
): Promise<{ readonly value: T | null; readonly lateMs: number }> {
  const startedMs = performance.now();
  for (let lateMs = 0; ; ) {
    const lookedMs = performance.now() - startedMs;
    const value = await look();
    if (value !== null) return { value, lateMs };
    lateMs = Math.max(1, Math.round(lookedMs));
    if (lookedMs > patience.forMs) return { value, lateMs };
    await sleep(patience.everyMs, undefined, { signal });
  }
}
