import { expect, test } from 'vitest';
import { readBatches } from '../../src/shadow/read-batches.ts';
import { readMeasurements } from '../../src/shadow/read-measurements.ts';
import { readTransportOrders } from '../../src/shadow/read-transports.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';

/* I19. A row on which our own code fails is set aside, and the rows beside it are stored. */

const shelf = useShelf();

const FACILITIES = {
  created_by: 17,
  batches: { match: 'name', fields: { name: 'batch' } },
  map: [{ erp_location: 'EAST', facility_id: 2 }],
};
const CONFIG = accountConfig({ facilities: FACILITIES, orders: { transports: { order: 'order_number' } } });
const LOOK = { key: 'all', lane: 'poll', signal: new AbortController().signal } as const;

/** A row of which every reading fails at this field. */
const broken = (row: object, field: string) =>
  Object.defineProperty({ ...row }, field, {
    enumerable: true,
    get: () => {
      throw new RangeError('planted');
    },
  });

const contextOf = (rows: readonly object[]) => {
  const list = async () => ({ rows, raw: rows, invalidRows: [], count: rows.length, more: false });
  return accountContext(shelf().store, CONFIG, { client: { list } as never });
};
const asides = async () =>
  (await shelf().store.invalidRows.list('main')).map(({ what, collection }) => [collection, what]);

test('a row of the stock by facility on which our code fails stops no other row', async () => {
  const { store } = shelf();
  const row = (product_id: number) => ({
    product_id,
    facility_id: 2,
    batch_id: null,
    on_hand_quantity: '5',
    reserved_quantity: '1',
    available_quantity: '4',
  });
  await readMeasurements(contextOf([row(70), broken(row(71), 'on_hand_quantity'), row(72)]), LOOK);
  expect(await store.measurements.count('main')).toBe(2);
  expect(await asides()).toEqual([['measurements', '71']]);
});

test('a transport order on which our code fails stops no other row', async () => {
  const { store } = shelf();
  const row = (transport_order_id: string) => ({ transport_order_id, order_number: `N-${transport_order_id}` });
  await readTransportOrders(contextOf([row('T-1'), broken(row('T-2'), 'status'), row('T-3')]), LOOK);
  expect(await asides()).toEqual([['transport-orders', 'T-2']]);
  expect(await store.transports.orderKeys('main', '', 9)).toEqual(['N-T-1', 'N-T-3']);
});

test('a batch on which our code fails stops no other row, and no batch is created until it is readable', async () => {
  const { store } = shelf();
  const rows = [{ id: 1, name: 'LOT-1' }, broken({ id: 2 }, 'name'), { id: 3, name: 'LOT-3' }];
  await expect(readBatches(contextOf(rows), LOOK)).rejects.toThrow('No batch is made meanwhile');
  expect([await store.batches.get('main', 1), await store.batches.get('main', 3)]).not.toContain(null);
});
