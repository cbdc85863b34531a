import { decimalText, parseJson } from '../../../http/json.ts';
import { Exact } from '../../exact.ts';
import type { Answer, Call, Handler } from '../call.ts';
import { listProducts } from '../listing.ts';
import type { Market } from '../market.ts';
import { isActive, type ProductRow } from '../product-rows.ts';
import { checkViewer } from '../records/family.ts';
import { type Fields, moneyJson, numberJson } from '../wire-values.ts';

/** Spec 2, Product tile. The dashboard shows active products, with or without a deal. */
export const tileHandlers: Readonly<Record<string, Handler>> = {
  'products.dashboard': (market, call) => tiles(market, call, active(market, call.query['search'])),
  'products.recommendations': (market, call) => {
    const { brand_id: brand, category, subcategory, object_id: known, product_count: most, search } = call.query;
    const wanted = active(market, search, {
      ...(brand === undefined ? {} : { brand }),
      ...(Array.isArray(category) ? { category: category.join(',') } : {}),
      ...(subcategory === undefined ? {} : { sub_category: subcategory }),
    }).filter(({ id }) => !(known as number[] | undefined)?.includes(id));
    const best = typeof most === 'number' ? wanted.slice(0, Math.max(0, most)) : wanted;
    return tiles(market, call, best, (rank) => ({
      score: numberJson(new Exact(1).div(rank).toDecimalPlaces(4)),
      is_on_purchase_list: false,
    }));
  },
};

/** More than a page ever shows. */
const MOST = 1000;

function active(market: Market, search: unknown, filters: Fields = {}): ProductRow[] {
  const query = { ...filters, ...(search === undefined ? {} : { search }) };
  return listProducts(market, { query, window: { ordering: null, limit: MOST, offset: 0 } }).rows.filter(isActive);
}

function tiles(
  market: Market,
  { query, window: { limit, offset } }: Call,
  rows: readonly ProductRow[],
  more: (rank: number) => Fields = () => ({}),
): Answer {
  checkViewer(market, query['company_id']);
  const shown = rows.slice(offset, offset + limit);
  const texts = shown.map((row, index) => JSON.stringify({ ...tile(market, row), ...more(offset + index + 1) }));
  return { kind: 'rows', count: rows.length, rows: texts };
}

function tile(market: Market, row: ProductRow): Fields {
  const { sellerId, brand } = market.settings();
  const fields = parseJson(row.fields) as Fields;
  const money = (amount: string) => moneyJson({ amount, currency: row.currency });
  const isDeal = new Exact(row.sale_price).greaterThan(0);
  const effective = isDeal ? row.sale_price : row.price;
  const unit = new Exact(effective).div(row.unit_multiplier).toDecimalPlaces(2).toFixed(2);
  return {
    id: row.id,
    name: row.name,
    company_id: sellerId,
    company_name: brand.name,
    enable_vendor_menu: false,
    slug: `${row.name}-${row.id}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    featured: false,
    spotlight_badges: isDeal ? ['deal'] : [],
    display_price: new Exact(effective).toFixed(2),
    display_unit_price: unit,
    display_price_unit: 'each',
    unit_price: unit,
    base_unit_price: unit,
    sale_or_deal_price: isDeal ? numberJson(new Exact(row.sale_price)) : null,
    minimum_order: decimalText(fields['minimum_order'] ?? 1),
    pricing: {
      base_price: money(row.price),
      price_per_unit: money(unit),
      wholesale_price: money(row.price),
      sale_price: money(row.sale_price),
      effective_price: money(effective),
      base_unit_price: money(unit),
    },
    sub_category: fields['sub_category'] ?? null,
    unit_multiplier: numberJson(new Exact(row.unit_multiplier)),
  };
}
