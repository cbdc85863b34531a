import { OPERATIONS } from '../../../marketplace/operations/table.ts';
import { type Answer, type Call, entity, type Handler } from '../call.ts';
import type { Market } from '../market.ts';
import { productsById } from '../product-rows.ts';
import { checkViewer } from '../records/companies.ts';
import { wholeList } from '../whole-list.ts';
import type { Fields } from '../wire-values.ts';
import { allocationsFor } from './allocations.ts';
import { commandStatus, queueCommand } from './command-queue.ts';
import { COMMANDS, type CommandType } from './commands.ts';
import { type Key, measurements } from './measurements.ts';
import { reservationsOf } from './reservations.ts';

const BY = 'inventory.measurements-by-';
/** The keys of a grouping, joined as in the operation table: `product-facility`. */
const GROUPINGS = Object.keys(OPERATIONS).flatMap((id) => (id.startsWith(BY) ? [id.slice(BY.length)] : []));

/** The commands, and the measurements by each grouping. */
const ALIKE: readonly (readonly [operation: string, Handler])[] = [
  ...(Object.keys(COMMANDS) as CommandType[]).map((type): [string, Handler] => [
    type,
    (market, { body }) => entity(queueCommand(market, type, body)),
  ]),
  ...GROUPINGS.map((grouping): [string, Handler] => {
    const keys = grouping.split('-').map((part) => `${part}_id` as Key);
    return [`measurements-by-${grouping}`, (market, { query }) => wholeList(measurements(market, keys, query), null)];
  }),
];

const OTHERS: Readonly<Record<string, Handler>> = {
  'command-status': (market, { params }) => entity(commandStatus(market, params['id'] as number)),
  'buyer-allocations': (market, call) =>
    records(market, call, allocationsFor(market, 'buyer', call.params['buyer_id'] as number)),
  'group-allocations': (market, call) =>
    records(market, call, allocationsFor(market, 'customer_group', call.params['group_id'] as number)),
  'order-reservations': (market, call) =>
    records(market, call, reservationsOf(market, call.params['order_id'] as number)),
};

/** The handler of each inventory operation (spec 2, Multi-facility inventory). */
export const inventoryHandlers: Readonly<Record<string, Handler>> = Object.fromEntries(
  [...ALIKE, ...Object.entries(OTHERS)].map(([operation, handler]): [string, Handler] => [
    `inventory.${operation}`,
    (market, call) => {
      checkViewer(market, call.query['company_id']);
      return handler(market, call);
    },
  ]),
);

/** Rows of one of the record lists: searched by SKU and name of the product, and ordered. */
function records(market: Market, { query, window }: Call, rows: readonly Fields[]): Answer {
  return wholeList(searched(market, rows, query['search']), window.ordering);
}

function searched(market: Market, rows: readonly Fields[], search: unknown): readonly Fields[] {
  if (typeof search !== 'string') return rows;
  const products = productsById(
    market,
    rows.map((row) => row['product_id'] as number),
  );
  const wanted = search.toLowerCase();
  return rows.filter((row) => {
    const product = products.get(row['product_id'] as number);
    return `${product?.sku} ${product?.name}`.toLowerCase().includes(wanted);
  });
}
