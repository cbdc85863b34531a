import { Exact } from '../exact.ts';
import type { Catalog } from './catalog.ts';
import type { NewOrder } from './orders.ts';
import { Refusal } from './refusal.ts';

/** Refuses orders above the available stock, once enabled. */
export function createShortage(catalog: Catalog) {
  let isRefused = false;
  return {
    refuse(): void {
      isRefused = true;
    },
    /** @throws Refusal 409 naming the products whose stock it waits for */
    check({ reference, status, lines }: NewOrder): void {
      if (isRefused && reference !== null && status === 'reserved') refuseMissing(lines, catalog);
    },
  };
}

function refuseMissing(lines: NewOrder['lines'], catalog: Catalog): void {
  const wanted = Map.groupBy(lines, ({ sku }) => sku);
  const missing = [...wanted].flatMap(([sku, of]) => {
    const quantity = of.reduce((sum, line) => sum.plus(line.quantity), new Exact(0));
    const lacking = quantity.minus(catalog.stockOf(sku).available);
    return lacking.greaterThan(0) ? [{ sku, lacking: lacking.toFixed() }] : [];
  });
  if (missing.length === 0) return;
  const text = missing.map(({ sku, lacking }) => `${lacking} of ${sku}`).join(', ');
  throw new Refusal(409, `Missing: ${text}`, { waits_for: 'stock', skus: missing.map(({ sku }) => sku) });
}
