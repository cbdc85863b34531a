import type { Decimal } from '../decimal.ts';
import { isGone } from '../product.ts';
import type { Price } from '../units.ts';
import { type Due, dueOfBoth, hasFields, type Recorded } from './row.ts';

export interface ErpProduct {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  readonly deleted: boolean;
  readonly price: Price<'erp price'>;
  /** Units per sold-in unit. */
  readonly unitMultiplier: Decimal;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly changedAt: string;
}

/** Decimals are exact text. */
export type ErpProductRow = ReturnType<typeof contentOf> & {
  readonly id: string;
  readonly changedAt: string;
  /** The number of the last complete list that contained it. */
  readonly listing: number;
};

function contentOf({ sku, name, description, active, deleted, price, unitMultiplier, attributes }: ErpProduct) {
  return {
    sku,
    name,
    description,
    active,
    deleted,
    priceAmount: price.amount.toFixed(),
    currency: price.currency,
    unitMultiplier: unitMultiplier.toFixed(),
    /** The connector's attributes as lossless JSON. */
    attributes: JSON.stringify(attributes),
    /** The number of complete lists in a row without the product. */
    absences: 0,
  };
}

/** @param listing number of the complete list that contains the product; null: the product was read alone */
export function withErpProduct(
  before: ErpProductRow | undefined,
  product: ErpProduct,
  { listing, mended }: { readonly listing: number | null; readonly mended: boolean },
): Recorded<ErpProductRow> & { readonly isOther: boolean } {
  const { id: key, changedAt } = product;
  const content = contentOf(product);
  if (before !== undefined && hasFields(before, content))
    return {
      row: null,
      isOther: false,
      due: mended ? [{ flow: 'product', key, why: 'its row in the ERP fits again' }] : [],
    };
  const why = before === undefined ? 'product seen for the first time in the ERP' : 'product changed in the ERP';
  const inStock = ['sku', 'unitMultiplier', 'active', 'deleted'] as const;
  const isBack = before !== undefined && isGone(before) && !isGone(content);
  const isStockOther = isBack || inStock.some((name) => before?.[name] !== content[name]);
  const row = { id: key, ...content, changedAt, listing: listing ?? before?.listing ?? 0 };
  // A product that was absent for a while has not changed.
  const isOther = before === undefined || !hasFields(before, { ...content, absences: before.absences });
  return { row, isOther, due: isStockOther ? dueOfBoth(key, why) : [{ flow: 'product', key, why }] };
}

/**
 * The work for products that share a SKU: they hold each other, so all are checked when one comes or goes.
 * @param ids the products with this SKU
 */
export function dueOfTwins(id: string, sku: string, ids: readonly string[]): Due[] {
  return ids.filter((other) => other !== id).flatMap((other) => dueOfBoth(other, `SKU ${sku} is shared with ${id}`));
}

/** The work for orders that name a renamed SKU, which may be another product's by now. */
export function dueOfRenamed(sku: string, orders: Iterable<string>): Due[] {
  return [...new Set(orders)].map((key) => ({
    flow: 'order-in',
    key,
    why: `SKU ${sku} of a line was renamed in the ERP`,
  }));
}
