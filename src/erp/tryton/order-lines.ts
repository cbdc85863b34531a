import { z } from 'zod';
import { Decimal, figure } from '../../domain/decimal.ts';
import type { ErpOrderLine } from '../connector.ts';
import type { Tryton } from './books.ts';
import { UNIT_PRICE_DIGITS } from './lines.ts';
import { allRecords } from './records.ts';
import type { RpcCallOptions } from './rpc.ts';
import { decimalOut, quantityOut, unit, unitsIn } from './values.ts';

/** The wanted lines of a sale: goods, then shipping and discount. */
export interface Wanted {
  readonly lines: readonly ErpOrderLine[];
  readonly shipping: Decimal;
  readonly discount: Decimal;
}

/** A line in Tryton's form, with its product's code. */
export interface LineValues {
  readonly sku: string;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal;
  readonly values: Readonly<Record<string, unknown>>;
}

const productRow = z.object({
  id: z.int(),
  code: z.string(),
  'default_uom.': unit,
  'sale_uom.': unit.nullable(),
  'template.': z.object({ account_category: z.int().nullable() }),
});
type Product = z.output<typeof productRow>;

/** The taxes that a form adds to a line, with their positions. */
const taxesAnswer = z.object({
  taxes: z.object({ add: z.array(z.tuple([z.int(), z.object({ id: z.int() })])).optional() }).optional(),
});

/**
 * The lines in Tryton's form. Only a form fills in taxes, so they are asked for; they depend on the product's account
 * category and the party.
 * @throws CallFailure `refused`, `not-applied`, for a missing or duplicate product
 */
export async function lineValues(
  tryton: Tryton,
  wanted: Wanted,
  party: number,
  asked: RpcCallOptions,
): Promise<LineValues[]> {
  const lines = [...wanted.lines, ...chargeLines(tryton, wanted, asked)];
  const products = await productsOf(tryton, new Set(lines.map(({ sku }) => sku)), asked);
  const taxes = new Map<number | null, readonly number[]>();
  const all: LineValues[] = [];
  for (const { sku, quantity, unitPrice, description } of lines) {
    const product = products.get(sku);
    if (product === undefined) {
      throw tryton.rpc.refuse(asked, `there is no product with the code ${sku} that is not archived. Create it there.`);
    }
    const category = product['template.'].account_category;
    const known = taxes.get(category) ?? (await taxesOf(tryton, product, party, asked));
    taxes.set(category, known);
    const values = {
      type: 'line',
      product: product.id,
      ...measured(product, quantity, unitPrice),
      taxes: [['add', known]],
      ...(description === undefined ? {} : { description }),
    };
    all.push({ sku, quantity, unitPrice, values });
  }
  return all;
}

/** The decimals of a price in Tryton. */
const PRICE_DIGITS = 4;

/** In the product's default unit, or by the case where only the case price is exact and whole cases are ordered. */
function measured({ 'default_uom.': piece, 'sale_uom.': sold }: Product, quantity: Decimal, unitPrice: Decimal) {
  const units = unitsIn(sold ?? piece, piece);
  const price = unitPrice.times(units).toDecimalPlaces(PRICE_DIGITS);
  const isExact = price.dividedBy(units).toDecimalPlaces(UNIT_PRICE_DIGITS).equals(unitPrice);
  if (sold !== null && unitPrice.decimalPlaces() > PRICE_DIGITS && isExact && quantity.modulo(units).isZero()) {
    return { unit: sold.id, quantity: quantityOut(quantity.dividedBy(units)), unit_price: decimalOut(price) };
  }
  return { unit: piece.id, quantity: quantityOut(quantity), unit_price: decimalOut(unitPrice) };
}

function chargeLines({ rpc, settings }: Tryton, { shipping, discount }: Wanted, asked: RpcCallOptions): ErpOrderLine[] {
  const line = (amount: Decimal, sku: string | undefined, setting: string): ErpOrderLine[] => {
    if (amount.isZero()) return [];
    if (sku !== undefined) return [{ sku, quantity: figure(new Decimal(1)), unitPrice: figure(amount) }];
    const name = setting.replace('_', ' ').replace(' product', '');
    const why = `an order with a ${name} needs a service product for it. Name its code in erp.settings.${setting}.`;
    throw rpc.refuse(asked, why);
  };
  return [
    ...line(shipping, settings.shippingProduct, 'shipping_product'),
    ...line(discount.negated(), settings.discountProduct, 'discount_product'),
  ];
}

async function productsOf(
  { rpc }: Tryton,
  skus: ReadonlySet<string>,
  asked: RpcCallOptions,
): Promise<Map<string, Product>> {
  const query = { model: 'product.product', domain: [['code', 'in', [...skus]]], record: productRow };
  const found = await allRecords(rpc, query, { ...asked, write: false });
  const products = new Map<string, Product>();
  for (const product of found) {
    if (products.has(product.code))
      throw rpc.refuse(asked, `two of its products have the code ${product.code}. Archive one.`);
    products.set(product.code, product);
  }
  return products;
}

async function taxesOf(
  { rpc }: Tryton,
  product: Product,
  party: number,
  asked: RpcCallOptions,
): Promise<readonly number[]> {
  const { company } = await rpc.who();
  const line = { product: product.id, quantity: 1, sale: { party, company } };
  const reading = { ...asked, write: false };
  const answer: unknown = await rpc.call('model.sale.line.on_change_product', [line], reading);
  const read = taxesAnswer.safeParse(answer);
  if (!read.success) throw rpc.invalidAnswer(reading, 'taxes', 'expected the taxes that a form would add');
  return (read.data.taxes?.add ?? []).map(([, { id }]) => id);
}
