import { Decimal } from 'decimal.js';
import { isAlteredForm } from '../../src/domain/reference.ts';
import { casePrice } from '../../src/sandbox/erp/seed.ts';
import type { Stage } from './stage.ts';

const RANK: Readonly<Record<string, number>> = { Submitted: 1, Accepted: 2, Fulfilled: 3, Shipped: 4, Complete: 5 };
const EXPORT_FROM = { a: 3, b: 1, c: 1 } as const;
const RESERVE_FROM = { a: 3, b: 1, c: 3 } as const;

type ErpState = ReturnType<Stage['erp']['control']['state']>;
type ErpOrder = ErpState['orders'][number];
interface Sides extends Pick<Stage, 'marketplace'> {
  readonly erp: { readonly control: { state(): ErpState; stockOf: Stage['erp']['control']['stockOf'] } };
}

/** The ERP's SKU of a listing that shows another SKU; undefined: the listing shows the ERP's SKU. */
type TrueSku = (listingId: number) => string | undefined;

/** All differences between the two sides, from their own state alone; empty when they are in step. */
export function disagreements(stage: Sides, strategy: 'a' | 'b' | 'c', trueSku: TrueSku = () => undefined): string[] {
  const { marketplace } = stage;
  const state = withoutAmended(stage.erp.control.state());
  const erp = { control: { state: () => state, stockOf: stage.erp.control.stockOf } };
  return [
    ...orderDisagreements({ marketplace, erp }, strategy, trueSku),
    ...productDisagreements({ marketplace, erp }, strategy),
  ];
}

/** The ERP without the cancelled orders that another order of the same reference has replaced. */
function withoutAmended(all: ErpState): ErpState {
  const isLive = new Set(all.orders.filter(({ status }) => status !== 'cancelled').map(({ reference }) => reference));
  return { ...all, orders: all.orders.filter((one) => one.status !== 'cancelled' || !isLive.has(one.reference)) };
}

function orderDisagreements({ marketplace, erp }: Sides, strategy: 'a' | 'b' | 'c', trueSku: TrueSku): string[] {
  const found: string[] = [];
  const erpOrders = erp.control.state().orders;
  const skuOf = (listing: number) => trueSku(listing) ?? marketplace.product(listing).sku;
  const orders = marketplace.orders();
  for (const order of orders) {
    // An order that was made in the ERP is another one, whatever reference it has.
    const mine = erpOrders.filter(
      ({ id, reference, origin }) => id === order.externalId || (reference === order.number && origin !== 'erp'),
    );
    const rank = RANK[order.status] ?? 0;
    if (mine.length > 1) found.push(`order ${order.number} stands ${mine.length} times in the ERP`);
    const [erpOrder] = mine;
    if (erpOrder === undefined) {
      if (rank >= EXPORT_FROM[strategy]) found.push(`order ${order.number} (${order.status}) is not in the ERP`);
      continue;
    }
    if (order.externalId !== erpOrder.id)
      found.push(`order ${order.number} carries ${order.externalId}, not ${erpOrder.id}`);
    const dead = order.status === 'Rejected' || order.status === 'Canceled';
    if (dead && erpOrder.status !== 'cancelled' && erpOrder.status !== 'shipped') {
      found.push(`order ${order.number} is ${order.status} and ${shownStatus(erpOrder)} in the ERP`);
    }
    if (erpOrder.status === 'shipped' && !dead && rank < 3 && order.status !== 'Submitted') {
      found.push(`order ${order.number} is shipped in the ERP and ${order.status}`);
    }
    if (erpOrder.status === 'cancelled' && !dead) {
      found.push(`order ${order.number} is ${order.status} and cancelled in the ERP`);
    }
    if (dead || erpOrder.origin === 'erp' || erpOrder.status === 'shipped' || erpOrder.status === 'cancelled') continue;
    if (erpOrder.status === 'draft' && rank >= RESERVE_FROM[strategy])
      found.push(`order ${order.number} is only a draft`);
    const lines = order.lines
      .map((line) => `${skuOf(line.product)} ${new Decimal(line.quantity).toFixed()}`)
      .toSorted();
    const theirs = erpOrder.lines
      .map(({ sku, quantity, given_up = '0' }) => ({ sku, left: new Decimal(quantity).minus(given_up) }))
      .flatMap(({ sku, left }) => (left.isZero() ? [] : [`${sku} ${left.toFixed()}`]))
      .toSorted();
    if (lines.join() !== theirs.join())
      found.push(`order ${order.number} has ${lines.join()}, the ERP ${theirs.join()}`);
  }
  const references = new Set<string>();
  for (const { reference, origin } of erpOrders) {
    if (origin === 'marketplace' && references.has(reference)) found.push(`the ERP has ${reference} twice`);
    references.add(reference);
  }
  const numbers = new Set(orders.map(({ number }) => number));
  for (const erpOrder of erpOrders) {
    const { id, origin, reference, status } = erpOrder;
    const isOpen = status === 'draft' || status === 'reserved';
    if (origin === 'marketplace' && isOpen && !numbers.has(reference))
      found.push(`ERP order ${id} is ${shownStatus(erpOrder)} for order ${reference}, which is gone`);
  }
  for (const erpOrder of erpOrders.filter((order) => order.origin === 'erp')) {
    const created = orders.filter((order) => order.externalId === erpOrder.id);
    if (created.length > 1) found.push(`ERP order ${erpOrder.id} stands ${created.length} times on the marketplace`);
    if (created.length === 0 && !['cancelled', 'shipped'].includes(erpOrder.status))
      found.push(`ERP order ${erpOrder.id} is not on the marketplace`);
  }
  return found;
}

/** The status of an order. An open order with some shipped goods is `partly-shipped`. */
function shownStatus({ status, lines }: ErpOrder): string {
  return lines.some(({ shipped = '0' }) => new Decimal(shipped).greaterThan(0)) ? 'partly-shipped' : status;
}

function productDisagreements({ marketplace, erp }: Sides, strategy: 'a' | 'b' | 'c'): string[] {
  const found: string[] = [];
  // Both are copies of everything that a side has.
  const { products, orders: erpOrders } = erp.control.state();
  const orders = marketplace.orders();
  const bySku = Map.groupBy(marketplace.products(), ({ sku }) => sku);
  // While a product is not sold, its listing is archived, and keeps the SKU that people have given it.
  const unsold = new Set(products.filter(({ active, deleted }) => !active || deleted).map(({ id }) => id));
  for (const product of products) {
    const isOfAnother = ({ archived, externalIds }: Listing) =>
      archived && Object.values(externalIds).some((id) => id !== product.id && unsold.has(id));
    const listings = (bySku.get(product.sku) ?? []).filter((listing) => !isOfAnother(listing));
    if (listings.length > 1) found.push(`${product.sku} is listed ${listings.length} times`);
    const [listing] = listings;
    const sold = product.active && !product.deleted;
    if (listing === undefined) {
      if (sold) found.push(`${product.sku} is not listed`);
      continue;
    }
    if (listing.archived === sold)
      found.push(`${product.sku} is ${sold ? 'sold' : 'not sold'} and archived: ${listing.archived}`);
    if (!sold) continue;
    const price = casePrice(product).amount;
    if (!new Decimal(listing.price.amount).equals(price)) {
      found.push(`${product.sku} costs ${listing.price.amount}, in the ERP ${price}`);
    }
    if (listing.archived) continue;
    const wanted = new Decimal(erp.control.stockOf(product.sku).available).minus(
      uncounted({ orders, erpOrders }, listing.id, product.sku),
    );
    const shown = Decimal.max(wanted, 0);
    const actual = new Decimal(listing.available);
    // With a quantity write, a shortage shows as a negative figure; neither can be bought.
    if (!actual.equals(shown) && !(wanted.isNegative() && actual.lte(0))) {
      found.push(`${product.sku}: buyers can take ${actual.toFixed()}, ${wanted.toFixed()} is there (${strategy})`);
    }
  }
  return found;
}

type Listing = ReturnType<Sides['marketplace']['products']>[number];

interface AllOrders {
  readonly orders: ReturnType<Sides['marketplace']['orders']>;
  readonly erpOrders: readonly ErpOrder[];
}

/** The units that live lines of this listing take and the ERP does not count. */
function uncounted({ orders, erpOrders }: AllOrders, listing: number, sku: string): Decimal {
  let total = new Decimal(0);
  for (const order of orders) {
    if (RANK[order.status] === undefined) continue;
    const live = order.lines.filter((line) => line.product === listing && !line.late);
    const quantity = live.reduce((sum, line) => sum.plus(line.quantity), new Decimal(0));
    const erpOrder = erpOrders.find(
      ({ reference, id, origin }) =>
        id === order.externalId ||
        (origin !== 'erp' && (reference === order.number || isAlteredForm(order.number, reference))),
    );
    const isCounted = erpOrder?.status === 'reserved' || erpOrder?.status === 'shipped';
    const told = isCounted ? erpOrder.lines.filter((line) => line.sku === sku) : [];
    const counted = told.reduce((sum, line) => sum.plus(line.quantity), new Decimal(0));
    total = total.plus(Decimal.max(quantity.minus(counted), 0));
  }
  return total;
}
