import { expect, test } from 'vitest';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { recordReadTime } from '../../../src/shadow/last-read.ts';
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
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();
const look = { key: 'P-1', lane: 'poll', signal: new AbortController().signal } as const;

test('a known order that ships during a write is not mistaken for the order that no list has', async () => {
  const { store } = shelf();
  let minute = 1;
  const show = async (quantity: number, reserved: number) => {
    const figures = { quantity: d(`${quantity}`), reserved: d(`${reserved}`), available: d(`${quantity - reserved}`) };
    await store.products.record(productBatch([product({ figures, modified: at(minute++) })]));
  };
  const known = { lines: [line({ quantity: d('7') })] };
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'created' });
  await show(100, 0);
  await store.orders.record(orderBatch([order(known)]));
  // 5 of the reserved units belong to an order that cannot be read.
  await show(100, 12);
  await show(100, 12);
  await store.erp.recordStock('main', [stockRow({ onHand: d('60'), available: d('60'), asOf: at(3) })], 'poll');

  const writes: number[] = [];
  const call = async (_: string, { body }: { body: { available_inventory: { rawJSON: string } } }) => {
    const available = Number(body.available_inventory.rawJSON);
    writes.push(available);
    return { quantity: available + 5, reserved_qty: 5, available_inventory: available };
  };
  const readNow: AccountContext['readNow'] = async (collection, _look, stillWanted) => {
    if ((await stillWanted?.()) === false || collection !== 'orders') return;
    const tick = await store.cursors.tick('main');
    if (writes.length > 0) {
      await store.orders.record(orderBatch([order({ ...known, status: 'Fulfilled', modified: at(9) })]));
    }
    await recordReadTime({ account: 'main', store, now: () => 0 }, 'orders', { tick, atMs: 1_000_000 });
  };
  const client = { call } as unknown as AccountContext['client'];
  const context = { ...accountContext(store, accountConfig(), { client }), readNow };
  const free = async () => ({ dryRun: false, paused: null, brake: null });
  for (let time = 0; time < 3; time += 1) {
    expect(await FLOW_RUNS.stock.reconcile(context, look, free)).toMatchObject({ state: 'in-sync' });
    await show((writes.at(-1) ?? 0) + 5, 5);
  }
  // 60, less the 7 that the ERP does not count, less the 5.
  expect(writes).toEqual([48]);
  expect((await store.unseenSales.kept({ account: 'main', erpId: 'P-1' })).toNumber()).toBe(0);
});
