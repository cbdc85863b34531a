import { z } from 'zod';
import type { ErpPage, ErpProduct } from '../connector.ts';
import { productRow } from '../rows/rows.ts';
import type { Books } from './books.ts';
import { listOf, type Mapping } from './records.ts';
import type { Rpc } from './rpc.ts';
import { changedAt, changedSince, fieldsAt, figure, stampFields, stamps, unit, unitFields, unitsIn } from './values.ts';

/** The domain of products that have a SKU and can lie in a warehouse. Archived ones are shown only with the context below. */
export const SOLD = [
  ['code', '!=', null],
  ['code', '!=', ''],
  ['template.type', 'in', ['goods', 'assets']],
];
export const WITH_ARCHIVED = { active_test: false };

/** The records whose change is a change of a product. A change of a price may change only its own record. */
const PLACES_OF_CHANGE = ['', 'template.', 'template.list_prices.'];

const productRecord = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  active: z.boolean(),
  salable: z.boolean(),
  list_price: figure,
  'default_uom.': unit,
  'sale_uom.': unit.nullable(),
  ...stamps,
  'template.': z.object({ ...stamps, 'list_prices.': z.array(z.object(stamps)) }),
});

const FIELDS = [
  ...fieldsAt('', 'code', 'name', 'description', 'active', 'salable', 'list_price'),
  ...unitFields('default_uom'),
  ...unitFields('sale_uom'),
  ...PLACES_OF_CHANGE.flatMap(stampFields),
];

function mappingOf({ currency }: Books): Mapping<z.output<typeof productRecord>, ErpProduct> {
  return {
    row: productRow,
    record: productRecord,
    toRow: ({ 'default_uom.': piece, 'sale_uom.': sold, 'template.': template, ...product }) => ({
      id: String(product.id),
      sku: product.code,
      name: product.name,
      description: product.description,
      active: product.active && product.salable,
      deleted: false,
      // Tryton's list price is the price of a piece. The contract has the price of the unit that the product is sold in.
      price: { amount: product.list_price.times(unitsIn(sold ?? piece, piece)).toFixed(), currency },
      unit_multiplier: unitsIn(sold ?? piece, piece).toFixed(),
      attributes: { unit: piece.symbol, sold_in: (sold ?? piece).symbol },
      changed_at: changedAt([product, template, ...template['list_prices.']]),
    }),
  };
}

/** Lists the products. ERP units are their default units of measure. Prices are list prices, without price lists of customers. */
export async function* listProducts(
  rpc: Rpc,
  books: () => Promise<Books>,
  since: string | null,
  signal?: AbortSignal,
): AsyncGenerator<ErpPage<ErpProduct>> {
  const changed = since === null ? [] : [changedSince(since, PLACES_OF_CHANGE)];
  const asked = { purpose: 'list the products', context: WITH_ARCHIVED, signal };
  const query = { model: 'product.product', domain: [...SOLD, ...changed], fields: FIELDS };
  yield* listOf(rpc, query, mappingOf(await books()), asked);
}
