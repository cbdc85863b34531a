import { parseJson } from '../../../http/json.ts';
import { Exact } from '../../exact.ts';
import { entity, type Handler } from '../call.ts';
import type { Market } from '../market.ts';
import { findProduct, type ProductRow } from '../product-rows.ts';
import { patchProduct } from '../products.ts';
import { productsOf } from '../records/products.ts';
import { type Fields, invalid, type Money, Refusal, readDecimal, readMoney } from '../wire-values.ts';

const PRICES = ['retail_price', 'wholesale_price', 'sale_price'];

interface Problem {
  readonly message: string;
  readonly product: ProductRow;
}

/** Spec 2, Update multiple products: new prices for all products of product lines. */
export const bulkUpdate: Handler = (market, { items }) => {
  const problems = new Map<string, Problem[]>();
  const updated = new Set<number>();
  const expected = new Set<number>();
  for (const { selector_values: lines, update_data: updates } of items) {
    const products = (lines as number[])
      .flatMap((line) => productsOf(market, line))
      .filter((row) => row.archived === 0);
    for (const { id } of products) expected.add(id);
    for (const update of updates as Fields[]) {
      const field = checkedField(update);
      for (const { id } of products) {
        const message = changePrice(market, findProduct(market, id), field, update['value']);
        if (message === null) updated.add(id);
        else problems.set(field, [...(problems.get(field) ?? []), { message, product: findProduct(market, id) }]);
      }
    }
  }
  const errors = Object.fromEntries([...problems].map(([field, all]) => [field, grouped(all)]));
  return entity({ updated: updated.size, expected: expected.size, errors });
};

/** The spec shows only `percentage_delta` of `retail_price`; other prices are accepted too. */
function checkedField({ type, field }: Fields): string {
  if (type !== 'percentage_delta')
    throw invalid('update_data', `The type ${String(type)} is not known: percentage_delta.`);
  if (PRICES.includes(String(field))) return String(field);
  throw invalid('update_data', `The field ${String(field)} cannot be changed: ${PRICES.join(', ')}.`);
}

/** Why the product was not updated; null: it was. */
function changePrice(market: Market, row: ProductRow, field: string, percent: unknown): string | null {
  const price = priceOf(row, field);
  if (price === null) return `This product has no ${field}.`;
  const factor = readDecimal('value', percent, { places: 4 }).div(100).plus(1);
  const amount = new Exact(price.amount).times(factor).toDecimalPlaces(2);
  if (amount.isNegative()) return 'Ensure the price is greater than or equal to 0.';
  patchProduct(market, row.id, { [field]: { amount: amount.toFixed(2), currency: price.currency } }, 'api');
  return null;
}

/** Only the retail price is stored as sent. */
function priceOf(row: ProductRow, field: string): Money | null {
  if (field === 'wholesale_price') return { amount: row.price, currency: row.currency };
  if (field === 'sale_price') return { amount: row.sale_price, currency: row.currency };
  const sent = (parseJson(row.fields) as Fields)[field];
  try {
    return sent === undefined || sent === null ? null : readMoney(field, sent);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function grouped(problems: readonly Problem[]): Fields[] {
  return Array.from(
    Map.groupBy(problems, ({ message }) => message),
    ([message, all]) => ({
      message,
      products: all.map(({ product }) => ({ id: product.id, name: product.name, display_name: product.name })),
    }),
  );
}
