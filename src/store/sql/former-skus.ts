import { type FormerSkuStore, TAKEN_SKUS, takenSkus } from '../erp.ts';
import { findFact, putFact } from './cursors.ts';
import type { Queryable, Readable } from './database.ts';
import type { Reads } from './part.ts';
import { matching, selecting } from './queries.ts';
import { erpProducts } from './tables/erp.ts';

/*
 * An ERP may rename a SKU while its order lines keep the former one. Renames are rare, so they are facts: one per
 * product, and one per former SKU.
 */
export const FORMER_SKUS = 'former-skus:';
export const SKU_WAS = 'sku-was:';
const ofProduct = (id: string) => `${FORMER_SKUS}${id}`;
const ofSku = (sku: string) => `${SKU_WAS}${sku}`;
/** The most renames kept per product, the newest ones. */
const MAX_FORMER = 20;
/** The most taken SKUs kept, the newest ones. */
const MAX_TAKEN = 500;

export function noteFormerSku(
  tx: Queryable,
  { account, id, sku }: { account: string; id: string; sku: string },
  nowMs: number,
): void {
  const former = formerSkusOf(tx, account, id).filter((other) => other !== sku);
  const value = JSON.stringify([...former, sku].slice(-MAX_FORMER));
  putFact(tx, { account, name: ofProduct(id), value, updatedAtMs: nowMs });
  putFact(tx, { account, name: ofSku(sku), value: id, updatedAtMs: nowMs });
}

/**
 * Records that a product received a SKU that another product has in the shadow. The other may have a new SKU by now.
 */
export function noteTakenSku(
  tx: Queryable,
  { account, id, sku }: { account: string; id: string; sku: string },
  nowMs: number,
): void {
  const fact = findFact(tx, { account, name: TAKEN_SKUS })?.value ?? null;
  const others = [...takenSkus(fact)].filter(([taken, by]) => taken !== sku && by !== id);
  const value = JSON.stringify(Object.fromEntries([...others, [sku, id]].slice(-MAX_TAKEN)));
  putFact(tx, { account, name: TAKEN_SKUS, value, updatedAtMs: nowMs });
}

export const erpProductsBySku = selecting({ id: erpProducts.id }, (db, fields) =>
  db
    .select(fields)
    .from(erpProducts)
    .where(matching(erpProducts, 'account', 'sku'))
    .limit(10),
);

export function formerOwner(db: Readable, account: string, sku: string): string | null {
  return findFact(db, { account, name: ofSku(sku) })?.value ?? null;
}

function formerSkusOf(db: Readable, account: string, id: string): string[] {
  const fact = findFact(db, { account, name: ofProduct(id) });
  return fact === undefined ? [] : (JSON.parse(fact.value) as string[]);
}

export const formerSkuReads = {
  formerSkus({ db }, account, id) {
    return formerSkusOf(db, account, id).filter((sku) => formerOwner(db, account, sku) === id);
  },
} satisfies Reads<FormerSkuStore>;
