import type { Answer, Handler } from '../call.ts';
import type { Market } from '../market.ts';
import { isProduct, type ProductRow, productsById } from '../product-rows.ts';
import { patchProduct } from '../products.ts';
import { type Fields, without } from '../wire-values.ts';
import { ofSeller } from './companies.ts';
import { createRecord, patchRecord, recordAnswer } from './crud.ts';
import { type Family, field, type RecordRow } from './family.ts';
import { fieldsOf, findRecord, needRecord } from './rows.ts';

/** A product names its line, as a number or as {id}. Written as in the index. */
const LINE_OF = `coalesce(json_extract(fields, '$.product_line.id'), json_extract(fields, '$.product_line'))`;

/** Spec 2, Product line. Each product names the line that it is in. */
export const productLines: Family = {
  name: 'product-lines',
  times: ['created_date', 'modified_date'],
  initial: { menu_position: null },
  refers: { brand_id: 'brands', product_ids: isProduct },
  attributes: { brand: field('brand_id') },
  searched: [field('name')],
  filters: {
    company: (id, _all, market) => (id === market.settings().sellerId ? null : { sql: '0', values: [] }),
    company_slug: ofSeller,
  },
  take: (_market, fields) => without(fields, new Set(['product_ids'])),
  show: (market, { brand_id: id, ...fields }, row) => ({
    ...fields,
    display_name: fields['name'],
    brand: brandOf(market, id),
    products: productsOf(market, row.id).map((product) => ({ id: product.id, name: product.name })),
  }),
};

export const productLineHandlers: Readonly<Record<string, Handler>> = {
  'product-lines.create': (market, { body }) => withProducts(market, createRecord(market, productLines, body), body),
  'product-lines.patch': (market, { params, body }) => {
    const row = needRecord(market, productLines, params['id']);
    return withProducts(market, patchRecord(market, productLines, row, body), body);
  },
};

/** Products of one line, archived ones too. */
export function productsOf(market: Market, line: number): ProductRow[] {
  return market.sql.all<ProductRow>(`SELECT * FROM products WHERE ${LINE_OF} = ? ORDER BY id`, line);
}

/** The products are all of the line: others leave it. */
function withProducts(market: Market, row: RecordRow, { product_ids: products }: Fields): Answer {
  if (products === undefined) return recordAnswer(market, productLines, row);
  const wanted = productsById(market, products as number[]);
  const before = productsOf(market, row.id);
  for (const { id } of before) if (!wanted.has(id)) patchProduct(market, id, { product_line: null }, 'api');
  const line = { id: row.id, name: fieldsOf(row)['name'] };
  for (const id of wanted.keys()) {
    if (!before.some((product) => product.id === id)) patchProduct(market, id, { product_line: line }, 'api');
  }
  return recordAnswer(market, productLines, row);
}

function brandOf(market: Market, id: unknown): Fields {
  const brand = findRecord(market, 'brands', id);
  return { id, name: brand === undefined ? null : fieldsOf(brand)['name'] };
}
