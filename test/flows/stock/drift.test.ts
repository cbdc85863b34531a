import { expect, test } from 'vitest';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { judgeDrift } from '../../../src/flows/stock/drift.ts';
import { recordErpStock } from '../../../src/shadow/erp-shadow.ts';
import {
  at,
  d,
  erpProduct,
  line,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../../store/shelf.ts';
import { LINES_IN_CASES } from '../../support/units.ts';
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();
const CASE = d('12');

/** Lines are in cases, and do not say how many units a case holds. */
const inCases = { units: LINES_IN_CASES } as const;

async function show(minute: number, quantity: string): Promise<void> {
  const figures = { quantity: d(quantity), reserved: d('0'), available: d(quantity) };
  const listing = product({ figures, unitMultiplier: CASE, modified: at(minute) });
  await shelf().store.products.record(productBatch([listing], inCases));
}

test('a late line is counted in the units of its cases, though only its listing states them', async () => {
  const { store } = shelf();
  const context = accountContext(
    store,
    accountConfig({ inventory: { strategy: 'b', line_quantity_in: 'cases', stock_in: 'units' } }),
  );
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await show(0, '100');
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  const first = line({ id: 1, quantity: d('1') });
  const late = line({ id: 2, quantity: d('2') });
  await store.orders.record(orderBatch([order({ status: 'Fulfilled', modified: at(1), lines: [first] })], inCases));
  await show(2, '88');
  await store.orders.record(
    orderBatch([order({ status: 'Fulfilled', modified: at(3), lines: [first, late] })], inCases),
  );
  await show(4, '64');
  await judgeDrift(context, { key: 'P-1', lane: 'poll', signal: new AbortController().signal });
  expect(await store.drifts.ofListing('main', 70, 10)).toMatchObject([{ kind: 'late-line' }]);
});

test('a write of ours between two reads causes no drift, also for a product that is sold by the case', async () => {
  const { store } = shelf();
  const inventory = { inventory: { strategy: 'b', line_quantity_in: 'cases', stock_in: 'units' } };
  const context = accountContext(store, accountConfig(inventory), { now: () => shelf().nowMs });
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await show(0, '100');
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  const rows = [stockRow({ onHand: d('88'), available: d('88'), asOf: at(1) })];
  await recordErpStock(context, { items: rows, invalidRows: [], asOf: at(1), complete: true }, 'poll');
  const [write] = (await FLOW_RUNS.stock.plan(context, 'P-1')).actions;
  if (write === undefined) throw new Error('there is a write');
  const { action, target, before, after, why } = write;
  const entry = { account: 'main', flow: 'stock', key: 'P-1', action, target, before, after, why };
  await store.journal.sending(await store.journal.begin(entry));
  await show(2, '88');
  await judgeDrift(context, { key: 'P-1', lane: 'poll', signal: new AbortController().signal });
  expect(await store.drifts.ofListing('main', 70, 10)).toMatchObject([{ kind: 'own-write' }]);
});
