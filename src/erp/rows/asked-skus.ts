const MAX_SKUS = 100;

/** What a connector may be asked the stock of. @throws RangeError for none, too many, or an empty one */
export function checkSkus(skus: readonly string[]): void {
  if (skus.length > 0 && skus.length <= MAX_SKUS && !skus.includes('')) return;
  throw new RangeError(`Stock is read for 1 to ${MAX_SKUS} SKUs at a time, none of them empty; got ${skus.length}.`);
}
