import { z } from 'zod';
import type { ErpPage, ErpProduct } from '../connector.ts';
import { productRow } from '../rows/rows.ts';
import type { Books, Tryton } from './books.ts';
import { listOf, type Mapping } from './records.ts';
import { changedAt, figure, stamps, unit, unitsIn } from './values.ts';

/** Products with a SKU that can be in a warehouse. Archived ones need the context below. */
export const SOLD = [
  ['code', '!=', null],
  ['code', '!=', ''],
  ['template.type', 'in', ['goods', 'assets']],
];
export const WITH_ARCHIVED = { active_test: false };

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

function mappingOf({ currency }: Books): Mapping<z.output<typeof productRecord>, ErpProduct> {
  return {
    row: productRow,
    model: 'product.product',
    domain: SOLD,
    context: WITH_ARCHIVED,
    record: productRecord,
    // A price change may change only its own record.
    placesOfChange: ['', 'template.', 'template.list_prices.'],
    toRow: ({ 'default_uom.': piece, 'sale_uom.': sold, 'template.': template, ...product }) => ({
      id: String(product.id),
      sku: product.code,
      name: product.name,
      description: product.description,
      active: product.active && product.salable,
      deleted: false,
      // The list price is for a piece, the ERP unit.
      price: { amount: product.list_price.toFixed(), currency },
      unit_multiplier: unitsIn(sold ?? piece, piece).toFixed(),
      attributes: { unit: piece.symbol, sold_in: (sold ?? piece).symbol },
      changed_at: changedAt([product, template, ...template['list_prices.']]),
    }),
  };
}

/** ERP units are default units of measure. Prices are list prices, without customers' price lists. */
export async function* listProducts(
  { rpc, books }: Tryton,
  since: string | null,
  signal?: AbortSignal,
): AsyncGenerator<ErpPage<ErpProduct>> {
  yield* listOf(rpc, mappingOf(await books()), since, { purpose: 'list the products', signal });
}
