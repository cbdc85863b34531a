import type { ErpState } from '../../src/sandbox/erp/control.ts';
import type { OrderState } from '../../src/sandbox/marketplace/actions.ts';
import type { Sides } from '../simulation/sides.ts';

/** The product that the table speaks of. */
export const SKU = 'A-100';
/** A second product of the order, and one that other buyers order. */
export const OTHER_SKU = 'B-200';
export const BUSY_SKU = 'C-300';

export const PRODUCTS = [
  {
    sku: SKU,
    name: 'Amber Glass',
    description: 'A glass.',
    on_hand: '100',
    price: { amount: '12.00', currency: 'USD' },
  },
  {
    sku: OTHER_SKU,
    name: 'Blue Bowl',
    description: 'A bowl.',
    on_hand: '80',
    price: { amount: '7.00', currency: 'USD' },
  },
  {
    sku: BUSY_SKU,
    name: 'Clay Cup',
    description: 'A cup.',
    on_hand: '900',
    price: { amount: '3.00', currency: 'USD' },
  },
];
const PAID_AT = '2026-01-05T08:00:00.000Z';

/** The things to which people do what the table says: in a cell of the table, and in a story of the simulation. */
export interface Scene {
  readonly sides: Sides;
  /** The clock of the ERP. */
  readonly clock: { nowMs(): number };
  /** The buyer of the order, by its id on the marketplace. */
  readonly customer: number;
  /** The customer's id in the ERP. @throws CannotHappen before it is there */
  erpCustomer(): string;
  /** The id of the subject's listing. @throws before it is there */
  listing(): number;
  /** The order on the marketplace. */
  order(): OrderState;
  readonly number: string;
  /** People go on some time later. */
  later(delayMs: number, act: () => void): void;
  /** The SKU of a listing, also of one that is gone. */
  skuOf(listing: number): string | undefined;
  /** The order in the ERP. @throws CannotHappen before it is there */
  erpOrder(): ErpState['orders'][number];
}

/** The act has no object at this time. */
export class CannotHappen extends Error {}

interface SubjectParts extends Pick<Scene, 'sides' | 'clock' | 'customer' | 'later'> {
  readonly number: () => string;
}

/** The subject, and the names that it had before people act: a deed may take them away. */
export function createSubject({ number, ...given }: SubjectParts): Scene & { remember(): void } {
  const { sides, customer } = given;
  const listed = new Map<number, string>();
  let erpCustomerId: string | null = null;
  const inErp = () => sides.erp.control.state().customers.find(({ marketplace_id: id }) => id === customer)?.id;
  return {
    ...given,
    remember() {
      for (const { id, sku } of sides.marketplace.products()) listed.set(id, sku);
      erpCustomerId = inErp() ?? null;
    },
    erpCustomer() {
      erpCustomerId = inErp() ?? erpCustomerId;
      return need(erpCustomerId ?? undefined);
    },
    listing: () => sides.marketplace.productBySku(SKU).id,
    order: () => sides.marketplace.order(number()),
    get number() {
      return number();
    },
    skuOf: (listing) => listed.get(listing),
    erpOrder() {
      const all = sides.erp.control.state().orders.filter(({ reference }) => reference === number());
      return need(all.find(({ status }) => status !== 'cancelled') ?? all[0]);
    },
  };
}

function need<One>(one: One | undefined): One {
  if (one === undefined) throw new CannotHappen('it is not there yet');
  return one;
}

/** The subject's order, with a payment. Returns its number. */
export function orderSubject({ marketplace }: Sides, customer: number): string {
  const items = [
    { product: marketplace.productBySku(SKU).id, quantity: '5' },
    { product: marketplace.productBySku(OTHER_SKU).id, quantity: '2' },
  ];
  const { number } = marketplace.placeOrder({ customer, items });
  pay({ marketplace }, number, '9.00');
  return number;
}

export function pay({ marketplace }: Pick<Sides, 'marketplace'>, order: string, total: string): void {
  marketplace.addRecord('order-payments', { order, total, payment_type: 'cash', payment_date: PAID_AT });
}

/** Renames products of the ERP, by their old SKUs. Their ids stay, and their orders show the new SKUs. */
export function renameInErp(
  { sides: { tables }, clock }: Pick<Scene, 'sides' | 'clock'>,
  skus: ReadonlyMap<string, string>,
): void {
  const now = clock.nowMs();
  const { erp } = tables;
  for (const { n, sku } of erp.all<{ n: number; sku: string }>('SELECT n, sku FROM products')) {
    const renamed = { sku: skus.get(sku) ?? sku, changed_ms: now, stock_changed_ms: now };
    if (skus.has(sku)) erp.update('products', 'n', { n, ...renamed });
  }
  for (const { n, lines } of erp.all<{ n: number; lines: string }>('SELECT n, lines FROM orders')) {
    const all = (JSON.parse(lines) as { sku: string }[]).map((line) => ({
      ...line,
      sku: skus.get(line.sku) ?? line.sku,
    }));
    erp.update('orders', 'n', { n, lines: JSON.stringify(all) });
  }
}
