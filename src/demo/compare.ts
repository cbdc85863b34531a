import { Decimal } from '../domain/decimal.ts';
import type { ErpState } from '../sandbox/erp/control.ts';
import { casePrice } from '../sandbox/erp/seed.ts';
import type { OrderState, ProductState } from '../sandbox/marketplace/actions.ts';

/*
 * Compares the two sides by their own records. It shares no code with the daemon's deciders, so it does not repeat
 * their mistakes.
 */

export interface SidesState {
  readonly orders: readonly OrderState[];
  readonly listings: readonly ProductState[];
  readonly erp: ErpState;
}

type ErpOrder = ErpState['orders'][number];
type ErpProduct = ErpState['products'][number];
export type StrategyLetter = 'a' | 'b' | 'c';

const LEFT_THE_HOUSE = ['Fulfilled', 'Shipped', 'Complete'];
const EXPORTED: Readonly<Record<StrategyLetter, readonly string[]>> = {
  a: LEFT_THE_HOUSE,
  b: ['Submitted', 'Accepted', ...LEFT_THE_HOUSE],
  c: ['Submitted', 'Accepted', ...LEFT_THE_HOUSE],
};
const DEAD = ['Rejected', 'Canceled'];

/** Indexes from one side to the other. */
interface Books extends SidesState {
  /** By marketplace order number. */
  readonly erpOrders: ReadonlyMap<string, readonly ErpOrder[]>;
  /** Orders made in the ERP, by id. */
  readonly erpOwn: ReadonlyMap<string, ErpOrder>;
  /** By external id. */
  readonly marked: ReadonlyMap<string | null, readonly OrderState[]>;
  /** Not archived, by SKU. */
  readonly live: ReadonlyMap<string, readonly ProductState[]>;
}

function booksOf(sides: SidesState): Books {
  const live = sides.listings.filter(({ archived }) => !archived);
  const from = (side: ErpOrder['origin']) => sides.erp.orders.filter(({ origin }) => origin === side);
  return {
    ...sides,
    erpOrders: Map.groupBy(from('marketplace'), ({ reference }) => reference),
    erpOwn: new Map(from('erp').map((order) => [order.id, order])),
    marked: Map.groupBy(sides.orders, ({ externalId }) => externalId),
    live: Map.groupBy(live, ({ sku }) => sku),
  };
}

/** The differences as sentences; empty: none. */
export function disagreements(state: SidesState, strategy: StrategyLetter): string[] {
  const sides = booksOf(state);
  return [
    ...sides.orders.flatMap((order) => orderProblems(sides, order, strategy)),
    ...sides.erp.orders.flatMap((order) => erpOrderProblems(sides, order)),
    ...sides.erp.products.flatMap((product) => productProblems(sides, product)),
    ...stockDifferences(state).map(
      ({ sku, shown, expected }) => `stock of ${sku}: the marketplace shows ${shown}, it should be ${expected}`,
    ),
  ];
}

/** Extra ERP orders of one marketplace order, and extra listings of one SKU. */
export function duplicates(state: SidesState): number {
  const sides = booksOf(state);
  const beyondFirst = (counts: readonly number[]) => counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  const orders = sides.orders.map((order) => erpOrdersOf(sides, order).length);
  const own = sides.erp.orders.map((order) => marketplaceOrdersOf(sides, order).length);
  const listings = sides.erp.products.map((product) => liveListings(sides, product.sku).length);
  return beyondFirst(orders) + beyondFirst(own) + beyondFirst(listings);
}

/** Includes the original order if it was made in the ERP. */
function erpOrdersOf(sides: Books, { number, externalId }: OrderState): readonly ErpOrder[] {
  const told = sides.erpOrders.get(number) ?? [];
  const own = externalId === null ? undefined : sides.erpOwn.get(externalId);
  return own === undefined ? told : [...told, own];
}

/** Empty for an order not made in the ERP. */
function marketplaceOrdersOf({ marked }: Books, { id, origin }: ErpOrder): readonly OrderState[] {
  return origin === 'erp' ? (marked.get(id) ?? []) : [];
}

function liveListings({ live }: Books, sku: string): readonly ProductState[] {
  return live.get(sku) ?? [];
}

function orderProblems(sides: Books, order: OrderState, strategy: StrategyLetter): string[] {
  const name = `order ${order.number} (${order.status})`;
  const found = erpOrdersOf(sides, order);
  const [only] = found;
  if (only === undefined) return EXPORTED[strategy].includes(order.status) ? [`${name} is not in the ERP`] : [];
  if (found.length > 1) {
    return [`${name} is ${found.length} orders in the ERP: ${found.map(({ id }) => id).join(', ')}`];
  }
  const problems = [...statusProblems(order, only, strategy), ...contentProblems(sides, order, only)];
  if (order.externalId !== only.id) problems.push(`its external_id is ${order.externalId}`);
  return problems.map((problem) => `${name} and ERP order ${only.id} (${only.status}): ${problem}`);
}

function statusProblems({ status }: OrderState, erp: ErpOrder, strategy: StrategyLetter): string[] {
  const left = LEFT_THE_HOUSE.includes(status);
  if (DEAD.includes(status) !== (erp.status === 'cancelled')) return ['one is dead, the other is not'];
  if (erp.status === 'shipped' && !left) return ['one is shipped, the other is not'];
  if (strategy === 'b' && left && erp.status !== 'shipped') return ['one is fulfilled, the other is not shipped'];
  if (left && erp.status === 'draft') return ['one is fulfilled, the other is not even reserved'];
  return [];
}

/** Compares SKU, quantity and price of each line, and the total. Dead orders may differ. */
function contentProblems(sides: SidesState, order: OrderState, erp: ErpOrder): string[] {
  if (DEAD.includes(order.status)) return [];
  const ours = order.lines.map((line) => {
    const listing = sides.listings.find(({ id }) => id === line.product);
    const sale = line.salePrice ?? { amount: '0' };
    const price = new Decimal(sale.amount).greaterThan(0) ? sale.amount : line.price.amount;
    return lineText(listing?.sku ?? `product ${line.product}`, line.quantity, new Decimal(price));
  });
  const theirs = erp.lines.map((line) => {
    const product = sides.erp.products.find(({ sku }) => sku === line.sku);
    return lineText(line.sku, line.quantity, new Decimal(line.unit_price).times(product?.unit_multiplier ?? 1));
  });
  const problems: string[] = [];
  if (ours.toSorted().join() !== theirs.toSorted().join()) {
    problems.push(`the lines differ: ${ours.join(', ')} there, ${theirs.join(', ')} here`);
  }
  // The marketplace adds shipping and tax to an order made in the ERP.
  if (erp.origin === 'marketplace' && !new Decimal(order.total).equals(erp.total)) {
    problems.push(`the totals differ: ${order.total} there, ${erp.total} here`);
  }
  return problems;
}

function lineText(sku: string, quantity: string, price: Decimal): string {
  return `${new Decimal(quantity).toFixed()} x ${sku} at ${price.toFixed(2)}`;
}

function erpOrderProblems(sides: Books, order: ErpOrder): string[] {
  const { id, origin, reference, status } = order;
  if (origin === 'marketplace') {
    const known = sides.orders.some(({ number }) => number === reference);
    return known ? [] : [`ERP order ${id} refers to order ${reference}, which the marketplace does not have`];
  }
  const found = marketplaceOrdersOf(sides, order);
  if (found.length === 1 || (found.length === 0 && status === 'cancelled')) return [];
  return [`ERP order ${id}, made in the ERP (${status}), is ${found.length} orders on the marketplace`];
}

function productProblems(sides: Books, product: ErpProduct): string[] {
  const { sku, active, deleted } = product;
  const price = casePrice(product);
  const listings = liveListings(sides, sku);
  const [listing] = listings;
  const sold = active && !deleted;
  if (!sold) return listing === undefined ? [] : [`${sku} is not sold any more and listing ${listing.id} is there`];
  if (listings.length > 1) return [`${sku} is listed ${listings.length} times`];
  if (listing === undefined) return [`${sku} is not listed`];
  if (new Decimal(listing.price.amount).equals(price.amount)) return [];
  return [`the price of ${sku} is ${listing.price.amount} on the marketplace and ${price.amount} in the ERP`];
}

/** What buyers may order: available stock in the ERP, less open orders that it does not count yet. */
export function stockDifferences(state: SidesState) {
  const sides = booksOf(state);
  const uncounted = uncountedByListing(sides);
  return sides.erp.stock.flatMap(({ sku, available }) => {
    const listing = liveListings(sides, sku)[0];
    if (listing === undefined || !listing.managed) return [];
    const expected = new Decimal(available).minus(uncounted.get(listing.id) ?? 0);
    const shown = new Decimal(listing.available);
    const agrees = expected.isNegative() ? !shown.greaterThan(0) : shown.equals(expected);
    return agrees ? [] : [{ sku, shown: shown.toFixed(), expected: expected.toFixed() }];
  });
}

function uncountedByListing(sides: Books): Map<number, Decimal> {
  const sums = new Map<number, Decimal>();
  for (const order of sides.orders) {
    if (erpOrdersOf(sides, order).some(({ status }) => status === 'reserved' || status === 'shipped')) continue;
    for (const { product, quantity, counted } of order.lines) {
      if (counted !== 'none') sums.set(product, (sums.get(product) ?? new Decimal(0)).plus(quantity));
    }
  }
  return sums;
}
