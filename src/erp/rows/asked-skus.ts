const MAX_SKUS = 100;

/** As in "when asked to {purpose}". */
export function stockPurpose(skus: readonly string[]): string {
  return `read the stock of ${skus.length === 1 ? `SKU ${skus[0]}` : `${skus.length} SKUs`}`;
}

/** @throws RangeError for no SKU, too many, or an empty one */
export function checkSkus(skus: readonly string[]): void {
  if (skus.length > 0 && skus.length <= MAX_SKUS && !skus.includes('')) return;
  throw new RangeError(`Stock is read for 1 to ${MAX_SKUS} SKUs at a time, none of them empty; got ${skus.length}.`);
}
