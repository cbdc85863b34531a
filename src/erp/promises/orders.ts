import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal, type Figure, figure, sum, ZERO } from '../../domain/decimal.ts';
import type { ErpOrder, ErpOrderDraft, ErpOrderLine, StockRow } from '../connector.ts';
import { type Bench, type Figures, testProducts } from './bench.ts';
import { CannotTell, promised, same } from './broken.ts';

/** The beginning of every reference that the checks make. A reference is as long as an order number of the marketplace. */
export const REFERENCE_PREFIX = 'stockbridge-check-';

export function madeUpReference(): string {
  return REFERENCE_PREFIX + randomUUID().replaceAll('-', '').slice(0, 18);
}

/** The number with as many decimals as the ERP can hold. */
export function fitting(digits: string, most: number | null): Figure<never> {
  return figure(new Decimal(digits).toDecimalPlaces(most ?? 4, Decimal.ROUND_DOWN));
}

const DETAILS = {
  shipTo: { address: '1 Check Street', city: 'Reno', state: 'NV', zipcode: '89501' },
  deliveryDate: '2030-02-01',
};

/** The status with which the account makes an order, where the check does not care. */
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
    quantity: fitting(quantities[index] ?? '1', quantity),
    unitPrice: fitting(index === 0 ? '12.3456' : '0.05', price),
    ...(bench.can.orderDetails ? { key: String(index + 1), unitMultiplier: new Decimal(1) } : {}),
  }));
  return {
    reference: madeUpReference(),
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
  return takenUp(bench, await bench.erp.createOrder(await draftOf(bench, ...how)));
}

/**
 * Waits until the ERP has taken the order up. An ERP that reads files, or whose writes have several steps, says so later.
 * @throws CannotTell when the ERP does not say so in time
 */
export async function takenUp(bench: Bench, order: ErpOrder): Promise<ErpOrder> {
  if (order.finished !== false) return order;
  const { value } = await awaited(bench, async () => {
    const now = await shown(bench, order.id);
    return now.finished === false ? null : now;
  });
  if (value !== null) return value;
  throw new CannotTell(`the ERP has not taken order ${order.id} up within ${bench.patience.forMs / 1_000} s`);
}

export async function cancel(bench: Bench, { id }: ErpOrder): Promise<ErpOrder> {
  const order = await takenUp(bench, await bench.erp.updateOrder(id, { status: 'cancelled' }));
  same(order.status, 'cancelled', 'let a change of the status to cancelled cancel the order, and show it');
  return order;
}

/** Forgets a shipped order, which cannot be cancelled. The stock has changed for good, so its figures are read again. */
export function leaveShipped({ made, start }: Bench, { id }: ErpOrder): void {
  made.orders.delete(id);
  start.figures = null;
}

/** The order as the ERP has it now. */
export async function shown(bench: Bench, id: string): Promise<ErpOrder> {
  const order = await bench.erp.getOrder(id);
  promised(order !== null, () => ({
    expected: `order ${id}, by its id`,
    came: 'nothing',
    mend: 'let the look-up of an order by its id find it',
  }));
  return order as ErpOrder;
}

/** Has the ERP deleted the order in place of cancelling it? */
export async function isGone({ erp }: Bench, id: string): Promise<boolean> {
  return (await erp.getOrder(id)) === null;
}

/** The lines in a form that can be compared: 1.50 equals 1.5. */
export function lineFacts(lines: readonly ErpOrderLine[]): unknown {
  return lines.map(({ sku, quantity, unitPrice }) => `${quantity.toFixed()} ${sku} at ${unitPrice.toFixed()}`).sort();
}

/** The facts of an order that the bridge sends and this ERP keeps. */
export function factsOf({ can }: Bench, order: Omit<ErpOrder, 'id' | 'changedAt'>): Record<string, unknown> {
  const { reference, origin, status, currency, discount, shipping, tax, total, lines } = order;
  const money = { discount, shipping, tax, total };
  const amounts = Object.entries(money).map(([name, amount]) => `${name} ${amount.toFixed()}`);
  const kept = can.totals === 'stored' ? { amounts: amounts.join(', ') } : {};
  return { reference, origin, status, currency, lines: lineFacts(lines), ...kept };
}

/** The figures of both test products, over all their places. */
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

/** The figures after the given quantities were reserved or have left. */
export function after(
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
 * The figures without any test order. Orders of an earlier check may take a while to disappear from the figures, so the figures
 * of the beginning are waited for. When they do not come back, somebody else has changed them.
 */
export async function startFigures(bench: Bench): Promise<Figures> {
  const { start } = bench;
  const now = start.figures ?? (await figures(bench));
  const isAsBefore = async () => {
    const read = await figures(bench);
    return JSON.stringify(read) === JSON.stringify(now) ? read : null;
  };
  start.figures = (await awaited(bench, isAsBefore)).value ?? (await figures(bench));
  return start.figures;
}

/** Repeats `look` until it returns a value or patience ends. `lateMs`: the time from now to the start of the last vain look. */
export async function awaited<T>(
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
