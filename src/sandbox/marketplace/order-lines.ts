import type { Answer, Handler } from './call.ts';
import { type Listed, listPage } from './list-query.ts';
import type { Market } from './market.ts';
import { lineJson } from './order-json.ts';
import { findOrderOfLine, type Line, linesOf } from './order-rows.ts';
import { patchOrder } from './orders.ts';
import { productsIn } from './product-rows.ts';
import { invalid } from './wire-values.ts';

/** A line with the number of its order. */
interface OrderedLine {
  readonly id: number;
  readonly number: string;
  /** JSON of `Line`. */
  readonly line: string;
}

const SOURCE = `(
  SELECT json_extract(l.value, '$.id') AS id, orders.number AS number, l.value AS line
  FROM orders, json_each(orders.lines) AS l
)`;
/** Attributes that lists are ordered by, in SQL. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  id: 'id',
  order: 'number',
  product: "json_extract(line, '$.product')",
  quantity: "CAST(json_extract(line, '$.quantity') AS REAL)",
};
const LISTED: Listed = {
  source: SOURCE,
  sqlOf(name) {
    const sql = ATTRIBUTES[name];
    if (sql === undefined) throw invalid('ordering', `${name} is no attribute to order by.`);
    return sql;
  },
  isTime: () => false,
  searched: [],
  filters: { search: (number) => ({ sql: 'number = ?', values: [number] }) },
  ordering: 'id',
};

/** Spec 1, Permissions, /line-items/: the lines of all orders. */
export const lineHandlers: Readonly<Record<string, Handler>> = {
  'line-items.list': (market, call) => {
    const { count, rows } = listPage<OrderedLine>(market, LISTED, call, []);
    const lines = rows.map(({ number, line }) => ({ number, line: JSON.parse(line) as Line }));
    return { kind: 'rows', count, rows: shown(market, lines) };
  },
  'line-items.get': (market, { params }) => entity(market, params['id'] as number),
  'line-items.patch': (market, { params, body }) => {
    const id = params['id'] as number;
    const { number } = findOrderOfLine(market, id);
    patchOrder(market, number, { line_items: [{ ...body, id }] }, 'api');
    return entity(market, id);
  },
};

function entity(market: Market, id: number): Answer {
  const order = findOrderOfLine(market, id);
  const lines = linesOf(order).filter((line) => line.id === id);
  const [json = null] = shown(
    market,
    lines.map((line) => ({ number: order.number, line })),
  );
  return { kind: 'entity', json };
}

function shown(market: Market, lines: readonly { readonly number: string; readonly line: Line }[]): string[] {
  const products = productsIn(
    market,
    lines.map(({ line }) => line),
  );
  return lines.map(({ number, line }) =>
    JSON.stringify({ ...lineJson(line, products.get(line.product)), order: number }),
  );
}
