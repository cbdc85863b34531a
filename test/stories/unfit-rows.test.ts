import { expect, test } from 'vitest';
import { READS, type ReadName } from '../../src/shadow/collections.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { type Door, openDoor, retold } from '../support/twisted.ts';

const ACCOUNT = `
    customers: { to_marketplace: true, to_erp: true, poll: 100ms }
    payments: { to_marketplace: true, to_erp: true, types: { Bank transfer: wire } }
    orders: { transports: { order: $number(mp_order_number) & "" } }`;

async function open(): Promise<{ stage: Stage; door: Door; read: (name: ReadName) => Promise<unknown> }> {
  const doors: Door[] = [];
  const stage = await openStage({
    account: ACCOUNT,
    through: async (side, url) => {
      const opened = await openDoor(url);
      if (side === 'marketplace') doors.push(opened);
      return opened;
    },
  });
  stage.erp.control.seed(2);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  await stage.sync();
  const [door] = doors;
  if (door === undefined) throw new Error('there is no door');
  const look = { key: 'all', lane: 'poll', signal: AbortSignal.timeout(600_000) } as const;
  return { stage, door, read: (name) => READS[name](stage.context(), look) };
}

const unfit = async (stage: Stage) =>
  (await stage.store().invalidRows.groups('main')).map(({ collection, count }) => `${collection} ${count}`);

test.each([
  ['products', 'read:all-products', '/api/v2/products/', { id: 777, name: 5 }],
  ['customers', 'read:all-customers', '/api/v2/customers/', { id: 777, name: 5 }],
  ['payments', 'read:all-payments', '/api/v2/order-payments/', { id: 777, order: 5 }],
  [
    'orders',
    'read:late-orders',
    '/api/v2/orders-received/',
    { number: 'no-order', status: 5, modified: '2001-01-01T00:00:00Z' },
  ],
  ['transport-orders', 'read:transport-orders', '/api/v2/transportation/orders/', { number: 5, status: [] }],
] as const)('an invalid row of %s is dropped once a full list no longer has it', async (name, whole, path, row) => {
  const { stage, door, read } = await open();
  let asked = 0;
  door.twist = (answer) => {
    if (answer.method !== 'GET' || answer.status !== 200 || !answer.target.startsWith(`${path}?`)) return answer;
    asked += 1;
    return retold(answer, (said: { results: object[]; count: number }) => ({
      ...said,
      count: said.count + 1,
      results: [row, ...said.results],
    }));
  };
  await read(whole);
  expect(asked).toBeGreaterThan(0);
  expect(await unfit(stage)).toEqual([`${name} 1`]);
  door.twist = null;
  // A row that was seen in the millisecond in which a read begins counts as seen by it.
  const seenMs = Date.now();
  await until('the next millisecond has begun', () => Date.now() > seenMs);
  await read(whole);
  expect(await unfit(stage)).toEqual([]);
});

test('a transport order on which the rule fails is set aside, and the others are written to the ERP', async () => {
  const { stage, read } = await open();
  const add = (fields: object) =>
    onMarketplace(stage, 'POST', '/transportation/orders/', {
      payment_expected: { amount: 10, currency: 'USD' },
      pickup_driver: {},
      status: 'shipped',
      ...fields,
    });
  await add({ transport_order_id: 'TO-1', mp_order_number: 'no number' });
  await add({ transport_order_id: 'TO-2', mp_order_number: '4711' });
  await read('read:transport-orders');
  expect(await stage.store().transports.orderKeys('main', '', 10)).toEqual(['4711']);
  expect(await stage.store().invalidRows.get('main', 'transport-orders', 'TO-1')).toMatchObject({
    path: 'orders.transports.order',
    message: expect.stringContaining('Correct orders.transports.order') as string,
  });
});
