import { Decimal, decimalOrNull } from '../../domain/decimal.ts';
import type { MarketplaceProduct, StockFigures } from '../../domain/product.ts';
import type { StoredProduct } from '../marketplace.ts';
import { and, eq } from './orm.ts';
import { rowBy } from './queries.ts';
import { products } from './tables/marketplace.ts';

export type ProductRow = typeof products.$inferSelect;

export const findProduct = rowBy(products, 'account', 'id');

export function isProduct(account: string, id: number) {
  return and(eq(products.account, account), eq(products.id, id));
}

export function contentOf(product: MarketplaceProduct) {
  return {
    sku: product.sku,
    externalId: product.externalId,
    name: product.name ?? null,
    description: product.description ?? null,
    priceAmount: product.price?.amount.toFixed() ?? null,
    currency: product.price?.currency ?? null,
    unitMultiplier: product.unitMultiplier?.toFixed() ?? null,
    managed: product.managed,
  };
}

export function figuresOf(figures: StockFigures) {
  return {
    quantity: figures.quantity?.toFixed() ?? null,
    reserved: figures.reserved?.toFixed() ?? null,
    available: figures.available?.toFixed() ?? null,
  };
}

export function sameContent(row: ProductRow, fields: Partial<ProductRow>): boolean {
  return Object.entries(fields).every(([name, value]) => row[name as keyof ProductRow] === value);
}

export function toStored(row: ProductRow): StoredProduct {
  return {
    id: row.id,
    sku: row.sku,
    modified: row.modified,
    createdOn: row.createdOn,
    archived: row.archived,
    externalId: row.externalId,
    figures: {
      quantity: decimalOrNull(row.quantity),
      reserved: decimalOrNull(row.reserved),
      available: decimalOrNull(row.available),
    },
    name: row.name ?? undefined,
    description: row.description ?? undefined,
    price:
      row.priceAmount === null || row.currency === null
        ? undefined
        : { amount: new Decimal(row.priceAmount), currency: row.currency },
    unitMultiplier: decimalOrNull(row.unitMultiplier) ?? undefined,
    managed: row.managed,
    certain: row.certain,
    unexplained: new Decimal(row.unexplained),
    observedTick: row.observedTick,
  };
}
