import type { ErpProduct, ErpProducts } from '../connector.ts';
import { productBody } from '../rows/bodies.ts';
import { productRow } from '../rows/rows.ts';
import { type Compiled, findOf, plain, writeOf } from './compiled.ts';
import { findRows, firstFound } from './find.ts';

/** Creating products in the ERP, where the description has a write for them. */
export function productsOf(of: Compiled): ErpProducts {
  if (of.description.writes?.['product-create'] === undefined) return {};
  const bySku = findOf(of, 'products-by-sku', { row: productRow });
  const create = writeOf(of, 'product-create', 'products', productRow);
  const found = (sku: string, purpose: string, signal: AbortSignal | undefined) => {
    const fits = (product: ErpProduct) => product.sku === sku;
    return findRows(of.caller, bySku, { given: { sku }, purpose, fits }, signal);
  };
  return {
    findProducts: (sku, signal) => found(sku, `find the products with SKU ${sku}`, signal),
    async createProduct(draft, signal) {
      const purpose = `create the product with SKU ${draft.sku}`;
      const read = async () => firstFound(await found(draft.sku, purpose, signal));
      return (await create({ given: { draft: plain(productBody(draft)) }, purpose, read }, signal)).row;
    },
  };
}
