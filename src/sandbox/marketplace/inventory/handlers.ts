import type { Answer, Call } from '../call.ts';
import type { Market } from '../market.ts';
import { productsById } from '../product-rows.ts';
import { checkViewer } from '../records/companies.ts';
import { wholeList } from '../whole-list.ts';
import type { Fields } from '../wire-values.ts';
import { allocationsFor } from './allocations.ts';
import { commandStatus, queueCommand } from './command-queue.ts';
import type { CommandType } from './commands.ts';
import { type Key, measurements } from './measurements.ts';
import { reservationsOf } from './reservations.ts';

type InventoryHandler = (market: Market, call: Call) => Answer;

const command =
  (type: CommandType): InventoryHandler =>
  (market, call) => {
    checkViewer(market, call.query['company_id']);
    return { kind: 'entity', json: JSON.stringify(queueCommand(market, type, call.body)) };
  };

const measuredBy =
  (...keys: readonly Key[]): InventoryHandler =>
  (market, call) => {
    checkViewer(market, call.query['company_id']);
    return wholeList(measurements(market, keys, call.query), null);
  };

/** Rows of one of the record lists: searched by SKU and name of the product, and ordered. */
const records =
  (find: (market: Market, call: Call) => Fields[]): InventoryHandler =>
  (market, call) => {
    checkViewer(market, call.query['company_id']);
    return wholeList(searched(market, find(market, call), call.query['search']), call.window.ordering);
  };

/** The work of the marketplace for each inventory operation (spec 2, Multi-facility inventory). */
export const inventoryHandlers = {
  'inventory.buyer-allocations': records((market, { params }) =>
    allocationsFor(market, 'buyer', params['buyer_id'] as number),
  ),
  'inventory.group-allocations': records((market, { params }) =>
    allocationsFor(market, 'customer_group', params['group_id'] as number),
  ),
  'inventory.order-reservations': records((market, { params }) => reservationsOf(market, params['order_id'] as number)),
  'inventory.measurements-by-batch': measuredBy('batch_id'),
  'inventory.measurements-by-facility': measuredBy('facility_id'),
  'inventory.measurements-by-facility-batch': measuredBy('facility_id', 'batch_id'),
  'inventory.measurements-by-product': measuredBy('product_id'),
  'inventory.measurements-by-product-batch': measuredBy('product_id', 'batch_id'),
  'inventory.measurements-by-product-facility': measuredBy('product_id', 'facility_id'),
  'inventory.measurements-by-product-facility-batch': measuredBy('product_id', 'facility_id', 'batch_id'),
  'inventory.command-status': (market: Market, call: Call): Answer => {
    checkViewer(market, call.query['company_id']);
    return { kind: 'entity', json: JSON.stringify(commandStatus(market, call.params['id'] as number)) };
  },
  'inventory.archive': command('archive'),
  'inventory.unarchive': command('unarchive'),
  'inventory.destroy': command('destroy'),
  'inventory.hold': command('hold'),
  'inventory.unhold': command('unhold'),
  'inventory.putaway': command('putaway'),
  'inventory.reconcile': command('reconcile'),
  'inventory.transfer': command('transfer'),
  'inventory.fulfill': command('fulfill'),
  'inventory.unfulfill': command('unfulfill'),
  'inventory.unreserve': command('unreserve'),
} as const;

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
