import { createHash } from 'node:crypto';
import { parseJson } from '../../../http/json.ts';
import type { WireFile } from '../../../marketplace/operations/wire.ts';
import { type Answer, entity, type Handler, NO_CONTENT } from '../call.ts';
import { type Allocation, setAllocations } from '../inventory/allocations.ts';
import { listProducts } from '../listing.ts';
import type { Market } from '../market.ts';
import {
  figures,
  findProduct,
  isManaged,
  isProduct,
  type ProductRow,
  productJson,
  productsById,
} from '../product-rows.ts';
import { patchProduct } from '../products.ts';
import { type Fields, invalid, readDecimal, without } from '../wire-values.ts';
import { createRecord, listAnswer, patchRecord, recordAnswer } from './crud.ts';
import {
  allRecords,
  checkViewer,
  deleteRecord,
  type Family,
  field,
  fieldsOf,
  findRecord,
  needRecord,
  ofCompany,
  type RecordRow,
} from './family.ts';

/** Spec 2, Product image. Only what distinguishes the file is stored. */
const productImages: Family = {
  name: 'product-images',
  times: ['created_date', 'modified_date'],
  initial: { crop_x: null, crop_y: null, crop_w: null, crop_h: null },
  refers: { product: isProduct },
  searched: [field('file.name')],
  attributes: { product__id: field('product') },
  filters: { company: ofCompany },
  handlers: {
    /** The shorter listing omits the crop box. */
    list: (market, call) =>
      listAnswer(market, { ...productImages, show: (_market, { product, position }) => ({ product, position }) }, call),
    create: (market, { body: { image, ...place } }) =>
      recordAnswer(
        market,
        productImages,
        createRecord(market, productImages, { ...place, file: kept('image', image) }),
      ),
    clone(market, { params, body }) {
      const { file } = fieldsOf(needRecord(market, productImages, params['id']));
      return recordAnswer(market, productImages, createRecord(market, productImages, { ...body, file }));
    },
    upload(market, { body }) {
      const { product_id: product, images, positions } = body as { [name: string]: unknown; positions: number[] };
      if (!isProduct(market, product)) throw invalid('product_id', 'There is no such product.');
      for (const [index, image] of (images as WireFile[]).entries()) {
        createRecord(market, productImages, { product, position: positions[index], file: kept('images', image) });
      }
      return NO_CONTENT;
    },
  },
  show: (_market, fields) => without(fields, new Set(['file'])),
};

/** @throws Refusal 400 for a file that is no image */
function kept(name: string, file: unknown): Fields {
  const { name: fileName, contentType, bytes } = file as WireFile;
  if (!contentType.startsWith('image/') || bytes.length === 0) throw invalid(name, 'Upload a valid image.');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: fileName, content_type: contentType, size: bytes.length, sha256 };
}

/** Named as a number or {id}. The SQL equals that of the index. */
const LINE_OF = `coalesce(json_extract(fields, '$.product_line.id'), json_extract(fields, '$.product_line'))`;

/** Spec 2, Product line. Each product names its line. */
const productLines: Family = {
  name: 'product-lines',
  times: ['created_date', 'modified_date'],
  initial: { menu_position: null },
  refers: { brand_id: 'brands', product_ids: isProduct },
  attributes: { brand: field('brand_id') },
  filters: { company: ofCompany },
  handlers: {
    create: (market, { body }) => withProducts(market, createRecord(market, productLines, body), body),
    patch(market, { params, body }) {
      const row = needRecord(market, productLines, params['id']);
      return withProducts(market, patchRecord(market, productLines, row, body), body);
    },
  },
  take: (_market, fields) => without(fields, new Set(['product_ids'])),
  show: (market, { brand_id: id, ...fields }, row) => ({
    ...fields,
    display_name: fields['name'],
    brand: brandOf(market, id),
    products: productsOf(market, row.id).map((product) => ({ id: product.id, name: product.name })),
  }),
};

/** Archived ones included. */
export function productsOf(market: Market, line: number): ProductRow[] {
  return market.sql.all<ProductRow>(`SELECT * FROM products WHERE ${LINE_OF} = ? ORDER BY id`, line);
}

/** Replaces the products of a line. */
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

/** Spec 2, Assignment: one record for each assigned product, by the product's id. */
const productAssignments: Family = {
  name: 'product-assignments',
  filters: {
    company_id: () => null,
    product_ids: (ids) => ({ sql: 'id IN (SELECT value FROM json_each(?))', values: [`[${String(ids)}]`] }),
  },
  searched: [`(SELECT name FROM products WHERE id = ${field('product_id')})`],
  handlers: {
    list(market, call) {
      checkViewer(market, call.query['company_id']);
      return listAnswer(market, productAssignments, call);
    },
    replace(market, { query, body: { product_ids: ids, ...terms } }) {
      checkViewer(market, query['company_id']);
      for (const id of ids as number[]) assign(market, id, terms);
      return entity({});
    },
  },
  show: (market, fields) => ({ seller_id: market.settings().sellerId, ...fields }),
};

export const listWithAssignments: Handler = (market, call) => {
  checkViewer(market, call.query['company_id']);
  const { company_id: _, include_children: children, ...query } = call.query;
  const wanted = typeof children === 'string' ? children.split(',') : [];
  const page = listProducts(market, { ...call, query });
  const settings = market.settings();
  const rows = page.rows.map((row) => {
    const assigned = findRecord(market, productAssignments.name, row.id);
    const seller = { seller_id: settings.sellerId };
    return JSON.stringify({
      ...(JSON.parse(productJson(row, settings)) as Fields),
      available_inventory: figures(row).available.toFixed(),
      ...childrenOf(market, row, wanted),
      assignments: assigned === undefined ? [] : [{ ...seller, ...fieldsOf(assigned) }],
    });
  });
  return { kind: 'rows', count: page.count, rows };
};

/** Spec 2: the children requested for a product. */
function childrenOf(market: Market, row: ProductRow, wanted: readonly string[]): Fields {
  const fields = parseJson(row.fields) as Fields;
  const images = allRecords(market, productImages.name).map((image) => ({ id: image.id, ...fieldsOf(image) }));
  const known: Fields = {
    images: images.filter((image) => (image as Fields)['product'] === row.id),
    volume_discounts: fields['volume_discounts'] ?? [],
    strains: fields['strains'] ?? [],
  };
  return Object.fromEntries(Object.entries(known).filter(([name]) => wanted.includes(name)));
}

/** The sent list is complete: a missing owner loses the product. */
function assign(market: Market, id: number, sent: Fields): void {
  if (!isProduct(market, id)) throw invalid('product_ids', `There is no product ${id}.`);
  const { assigned_buyers: buyers = [], assigned_groups: groups = [], is_exclusive: isExclusive = false } = sent;
  const terms = { is_exclusive: isExclusive, assigned_buyers: buyers as Fields[], assigned_groups: groups as Fields[] };
  const before = findRecord(market, productAssignments.name, id);
  if (before) deleteRecord(market, productAssignments, before);
  const isAssigned = isExclusive === true || terms.assigned_buyers.length + terms.assigned_groups.length > 0;
  if (isAssigned) createRecord(market, productAssignments, { id, product_id: id, ...terms });
  const row = findProduct(market, id);
  if (!isManaged(row)) return;
  const allocated = ({ quantity }: Fields, to: Pick<Allocation, 'buyer' | 'customer_group'>): Allocation => ({
    product: id,
    ...to,
    quantity: readDecimal('quantity', quantity ?? 0, { places: 4, min: 0 }).toFixed(),
  });
  const wanted = [
    ...terms.assigned_buyers.map((each) =>
      allocated(each, { buyer: each['buyer_id'] as number, customer_group: null }),
    ),
    ...terms.assigned_groups.map((each) =>
      allocated(each, { buyer: null, customer_group: each['customer_group_id'] as number }),
    ),
  ];
  // An assignment with a quantity allocates it.
  setAllocations(
    market,
    row,
    wanted.filter(({ quantity }) => Number(quantity) > 0),
  );
}

export const PRODUCT_FAMILIES: readonly Family[] = [productImages, productLines, productAssignments];
