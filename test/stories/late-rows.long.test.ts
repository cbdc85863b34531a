import { beforeEach, describe, expect, test } from 'vitest';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import type { ListPage } from '../../src/marketplace/page.ts';
import { wallMicros } from '../../src/sandbox/marketplace/instants.ts';
import type { ReadName } from '../../src/shadow/collections.ts';
import { read, standStill } from '../support/by-hand.ts';
import { openStage, type Stage } from '../support/stage.ts';

/** More than a page of other rows. */
const OTHERS = 520;
/** The overlap of the stage. */
const OVERLAP_MS = 120_000;

let stage: Stage;
let still: AccountContext;
let aheadMs: number;
let shopAheadMs: number;
let calls: number;

beforeEach(async () => {
  aheadMs = 0;
  shopAheadMs = 0;
  stage = await openStage({
    account: '    customers: { to_erp: true }',
    sandbox: { now: () => wallMicros() + shopAheadMs * 1_000 },
  });
  stage.marketplace.createProduct({ ...FIELDS, sku: 'FIRST', quantity: '9999' });
  stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  still = await standStill(stage);
  calls = 0;
});

const FIELDS = { name: 'Mint Seltzer', wholesale_price: { amount: '4.00', currency: 'USD' } };

const placeOrders = (times: number) => {
  const [customer = 0] = stage.marketplace.customers().map(({ id }) => id);
  const items = [{ product: stage.marketplace.productBySku('FIRST').id, quantity: '1' }];
  return stage.marketplace.placeOrders(Array.from({ length: times }, () => ({ customer, items })));
};

const COLLECTIONS = [
  {
    name: 'orders',
    add: (times: number) => placeOrders(times).map(({ number }) => number),
    isKnown: async (key: string | number) => (await still.store.orders.get('main', String(key))) !== null,
  },
  {
    name: 'products',
    add: (times: number) => {
      const fields = Array.from({ length: times }, (_, index) => ({ ...FIELDS, sku: `${times}-${index}` }));
      return stage.marketplace.createProducts(fields).map(({ id }) => id);
    },
    isKnown: async (key: string | number) => (await still.store.products.get('main', Number(key))) !== null,
  },
  {
    name: 'customers',
    add: (times: number) =>
      Array.from({ length: times }, (_, index) =>
        stage.marketplace.addCustomer({ name: `Shop ${times}-${index}`, state: 'NV' }),
      ),
    isKnown: async (key: string | number) => (await still.store.customers.get('main', Number(key))) !== null,
  },
] as const;

describe.each(COLLECTIONS)('$name', ({ name, add, isKnown }) => {
  const look = async (hidden: string | number | null = null) => {
    calls = 0;
    await read(shifted(hidden), `read:${name}` satisfies ReadName);
    return calls;
  };

  test('a row that is listed late is seen, however many other rows changed, for a few extra calls', async () => {
    await look();
    const [late = 0] = add(1);
    add(OTHERS);
    await look(late);
    expect(await isKnown(late), 'while it is hidden').toBe(false);

    const before = await look();
    aheadMs += OVERLAP_MS / 2;
    const deep = await look();
    expect(await isKnown(late), 'half an overlap later').toBe(true);
    expect({ before, deep, after: await look() }).toEqual({ before: 1, deep: 2, after: 1 });
  });

  test('a row that becomes visible as late as the overlap allows is seen, though other rows go on changing', async () => {
    const pass = (ms: number) => {
      aheadMs += ms;
      shopAheadMs += ms;
    };
    pass(40_000);
    const [late = 0] = add(1);
    add(OTHERS);
    await look(late);
    // These two are deep.
    for (const ms of [25_000, 65_000]) {
      pass(ms);
      add(1);
      await look(late);
    }
    // By now the row shows, and the next read is deep again.
    pass(40_000);
    add(OTHERS);
    await look();
    pass(25_000);
    await look();
    expect(await isKnown(late)).toBe(true);
  });

  test('no row is read endlessly after the clock was set back', async () => {
    aheadMs = 100 * OVERLAP_MS;
    add(OTHERS);
    await look();
    aheadMs += OVERLAP_MS / 2;
    await look();
    aheadMs = 0;
    const spent: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      spent.push(await look());
      aheadMs += OVERLAP_MS / 2;
    }
    expect(spent.slice(-4)).toEqual([1, 1, 1, 1]);
  });

  test('no row is read endlessly once all that may be listed late was listed', async () => {
    add(OTHERS);
    const spent: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      spent.push(await look());
      aheadMs += OVERLAP_MS / 2;
    }
    expect(spent.slice(-4)).toEqual([1, 1, 1, 1]);
    // A restarted program still knows its last reads.
    await stage.stop();
    await stage.start([]);
    still = stage.context();
    expect(await look(), 'after a restart').toBe(1);

    const [late = 0] = add(1);
    add(OTHERS);
    await look(late);
    await look();
    expect(await isKnown(late), 'something changed again').toBe(true);
  });
});

describe('an order that lists show later than the overlap, of which no webhook tells', () => {
  const HOUR_MS = 3_600_000;
  const pass = (hours: number) => {
    shopAheadMs += hours * HOUR_MS;
  };
  const hiddenOrder = async () => {
    const [late = ''] = placeOrders(1).map(({ number }) => number);
    // All of these are deep.
    for (const hours of [0, 1, 1]) {
      pass(hours);
      aheadMs += OVERLAP_MS;
      placeOrders(1);
      await read(shifted(late), 'read:orders');
    }
    return late;
  };
  const isKnown = async (number: string) => (await still.store.orders.get('main', number)) !== null;

  test('an order listed later than the overlap, without a webhook, is read by the daily pass, however long ago the previous one was', async () => {
    const first = await hiddenOrder();
    await read(still, 'read:orders');
    expect(await isKnown(first), 'by a read of changes').toBe(false);
    const cursor = await still.store.cursors.get('main', 'orders');
    await read(still, 'read:late-orders');
    expect(await isKnown(first)).toBe(true);
    expect((await still.store.cursors.get('main', 'orders'))?.value, 'new orders are not its own').toBe(cursor?.value);

    pass(1);
    const second = await hiddenOrder();
    pass(100);
    placeOrders(1);
    await read(still, 'read:orders');
    await read(still, 'read:late-orders');
    expect(await isKnown(second)).toBe(true);
  });

  test('an order listed later than the overlap, without a webhook, is in the ERP after one pass over everything', async () => {
    stage.erp.control.addProducts([{ sku: 'FIRST', name: FIELDS.name, on_hand: '9999' }]);
    const late = await hiddenOrder();
    expect(stage.erp.control.findOrders(late)).toEqual([]);
    await stage.stop();
    await stage.sync();
    expect(stage.erp.control.findOrders(late)).toHaveLength(1);
  });
});

/** The clock is ahead, calls are counted, and one row does not show in lists yet. */
function shifted(hidden: string | number | null): AccountContext {
  const shows = (row: unknown) => {
    const { id, number } = row as { id?: unknown; number?: unknown };
    return String(number ?? id) !== String(hidden);
  };
  const list: AccountContext['client']['list'] = async (...request) => {
    calls += 1;
    const page = (await still.client.list(...request)) as ListPage<unknown>;
    return { ...page, rows: page.rows.filter(shows), raw: page.raw.filter(shows) } as never;
  };
  return { ...still, client: { ...still.client, list }, now: () => Date.now() + aheadMs };
}
