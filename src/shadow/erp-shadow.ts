import { cause } from '../domain/causes/cause.ts';
import { stockRowName } from '../domain/erp-place.ts';
import type { ErpStock } from '../domain/shadow/erp-stock.ts';
import type { ErpPage, InvalidRow, StockRow } from '../erp/connector.ts';
import type { Lane, WorkKey } from '../store/work.ts';
import type { AccountRecords, Look } from './context.ts';

/** Every answer of the ERP is stored here: valid and invalid rows. */

type Shadow = Pick<AccountRecords, 'account' | 'store'>;
export type ErpCollection = 'erp-products' | 'erp-stock' | 'erp-orders' | 'erp-payments' | 'erp-customers' | 'erp-lots';

/**
 * Returns a recorder of pages, created when the read begins. Valid rows are stored before invalid ones.
 * @param recordItems receives our own time at the beginning of the read
 */
export function pageRecorder<Row>(
  shadow: Shadow & Pick<AccountRecords, 'now'>,
  { lane }: Pick<Look, 'lane'>,
  collection: ErpCollection,
  recordItems: (items: readonly Row[], askedAtMs: number) => Promise<unknown>,
): (page: ErpPage<Row>) => Promise<void> {
  const askedAtMs = shadow.now();
  return async ({ items, invalidRows }) => {
    await recordItems(items, askedAtMs);
    await recordInvalidErpRows(shadow, collection, invalidRows, lane);
  };
}

/**
 * Stores valid rows first. An impossible figure is stored with its problem.
 * @param lookedAt products whose looks wait for this read
 */
export async function recordErpStock(
  { account, store }: Shadow,
  page: ErpPage<StockRow>,
  lane: Lane,
  lookedAt: readonly string[] = [],
): Promise<void> {
  await store.erp.recordStock(account, page.items.map(withProblem), lane, lookedAt);
  await recordInvalidErpRows({ account, store }, 'erp-stock', page.invalidRows, lane);
}

function withProblem(row: StockRow): ErpStock {
  if (row.reserved.isNegative()) return { ...row, problem: `reserved is negative (${row.reserved.toFixed()})` };
  const expected = row.onHand.minus(row.reserved);
  if (row.available.equals(expected)) return { ...row, problem: null };
  const problem = `available ${row.available.toFixed()} is not on hand − reserved (${expected.toFixed()})`;
  return { ...row, problem };
}

/** Stores invalid rows. Their entities are held until a valid row arrives. */
export async function recordInvalidErpRows(
  { account, store }: Shadow,
  collection: ErpCollection,
  invalidRows: readonly InvalidRow[],
  lane: Lane,
): Promise<void> {
  const found = [];
  const targets: WorkKey[] = [];
  for (const { contradicts, ...invalidRow } of invalidRows) {
    const ids = invalidRow.id === null ? await idsBySku({ account, store }, invalidRow.sku) : [invalidRow.id];
    const names = ids.map((id) => stockRowName({ ...invalidRow, productId: id }));
    const shown = contradicts ? { ...invalidRow, path: '', message: '', cause: cause('row-contradicts') } : invalidRow;
    for (const what of names.length > 0 ? names : [invalidRow.what]) found.push({ ...shown, what });
    for (const id of ids) targets.push(...(await keysOf({ account, store }, collection, id)));
  }
  await store.invalidRows.record(account, collection, found);
  if (targets.length > 0) await store.work.mark(targets, lane, 'a row of the ERP does not fit');
}

async function idsBySku({ account, store }: Shadow, sku: string | null): Promise<string[]> {
  return sku === null ? [] : (await store.erp.productsBySku(account, sku)).map(({ id }) => id);
}

const FLOW_OF: Readonly<Record<ErpCollection, string>> = {
  'erp-products': 'product',
  'erp-stock': 'stock',
  'erp-lots': 'batch-out',
  'erp-orders': 'order-out',
  'erp-payments': 'payment-out',
  'erp-customers': 'customer-out',
};

async function keysOf({ account, store }: Shadow, collection: ErpCollection, id: string): Promise<WorkKey[]> {
  const itself = { account, flow: FLOW_OF[collection], key: id };
  if (collection !== 'erp-orders') return [itself];
  const known = await store.erp.order(account, id);
  const mapping = await store.mappings.byErpId(account, 'order', id);
  const number = mapping?.marketplaceId ?? (known?.origin === 'marketplace' ? known.reference : null);
  return number === null ? [itself] : [itself, { account, flow: 'order-in', key: number }];
}
