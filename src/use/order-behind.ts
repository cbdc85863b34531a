import type { AccountConfig } from '../config/resolve.ts';
import type { Decimal } from '../domain/decimal.ts';
import { orderTotals } from '../domain/totals.ts';
import type { StoredOrder } from '../store/marketplace.ts';
import type { BrakeItem } from '../store/record.ts';
import type { Opened } from './open.ts';

export interface OrderBehind {
  readonly customer: string | null;
  /** null: neither total nor lines are shown. */
  readonly total: string | null;
  readonly currency: string | null;
  /** The first known change: the marketplace does not show when an order was created. */
  readonly modified: string;
}

export type OrdersBehind = ReadonlyMap<number, OrderBehind>;

const NAMED_BY_ORDER = 'order-in';

export async function ordersBehind(
  { config, store }: Pick<Opened, 'config' | 'store'>,
  items: readonly Pick<BrakeItem, 'id' | 'account' | 'flow' | 'key'>[],
): Promise<OrdersBehind> {
  const behind = new Map<number, OrderBehind>();
  for (const { id, account, flow, key } of items) {
    const rules = config.accounts.find(({ name }) => name === account);
    const stored = flow === NAMED_BY_ORDER && rules !== undefined ? await store.orders.get(account, key) : null;
    if (stored !== null && rules !== undefined)
      behind.set(id, orderBehind({ ...stored, lines: await linesWithCases(store, account, stored.lines) }, rules));
  }
  return behind;
}

/** A line without units per case takes its listing's. */
async function linesWithCases(
  store: Opened['store'],
  account: string,
  lines: StoredOrder['lines'],
): Promise<StoredOrder['lines']> {
  if (lines === null) return null;
  const whole = lines.map(async (line) => {
    if (line.unitMultiplier !== null) return line;
    return { ...line, unitMultiplier: (await store.products.get(account, line.productId))?.unitMultiplier ?? null };
  });
  return Promise.all(whole);
}

function orderBehind(stored: StoredOrder, rules: AccountConfig): OrderBehind {
  const { order, lines, seen } = stored;
  const total = order.total ?? totalOf(stored, rules);
  return {
    customer: order.customer.name,
    total: total?.toFixed() ?? null,
    currency: lines?.[0]?.orderedUnitPrice.currency ?? null,
    modified: seen.firstModified ?? order.modified,
  };
}

/** As it would be entered. */
function totalOf({ order, lines }: StoredOrder, { units, orders }: AccountConfig): Decimal | null {
  if (lines === null) return null;
  return orderTotals({ ...order, lines }, units, orders.exciseTax).total;
}

/** `Corner Shop, 12.00 USD, last changed 2026-11-28T03:20:48Z` */
export function orderBehindText({ customer, total, currency, modified }: OrderBehind): string {
  const money = total === null ? 'total not shown' : [total, currency].filter((part) => part !== null).join(' ');
  return `${customer ?? 'no customer shown'}, ${money}, last changed ${modified}`;
}
