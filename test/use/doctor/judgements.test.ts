import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { judgeRedis } from '../../../src/daemon/redis/inspect.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import type { ErpConnector, ErpOrder, ErpPage, ErpProduct, StockRow } from '../../../src/erp/connector.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';
import { checkErp } from '../../../src/use/doctor/erp.ts';
import { fail, failed, judgeClock, ok, warn, worstFault } from '../../../src/use/doctor/finding.ts';
import { checkRedis, judgeDescriptors, judgeFree, judgeMemory } from '../../../src/use/doctor/machine.ts';
import { type PermissionNeed, permissionNeeds, readProbe, writeProbe } from '../../../src/use/doctor/permissions.ts';
import { folderOf, LEAST } from '../../config/folder.ts';
import { exact } from '../../support/units.ts';

function accountOf(more = '') {
  const [account] = loadConfig(folderOf({ 'c.yaml': LEAST + more })('c.yaml'), {}).config.accounts;
  if (account === undefined) throw new Error('no account');
  return account;
}

describe('the permissions that the flows need', () => {
  test('doctor lists each permission once, with the flows that need it, reading before writing', () => {
    expect(permissionNeeds(accountOf()).map(({ name, access, flows }) => [name, access, flows])).toEqual([
      ['Products: Read', 'read', ['product', 'stock', 'order-out']],
      ['Orders: Read', 'read', ['stock', 'order-in', 'order-out']],
      ['Products: Read & Write', 'write', ['product', 'stock']],
      ['Orders: Read & Write', 'write', ['order-in']],
    ]);
  });

  const need = (id: keyof typeof OPERATIONS): PermissionNeed => ({
    name: id,
    permission: OPERATIONS[id].permission,
    access: 'read',
    flows: ['order-in'],
    operations: [OPERATIONS[id]],
  });

  test('a read permission is tried with a list of one row, as the operation requires', () => {
    expect(readProbe(need('orders.list'), 4711)?.request).toEqual({ path: {}, query: { page_size: 1 } });
    const measurements = readProbe(need('inventory.measurements-by-product'), 4711);
    expect(measurements?.request.query).toEqual({ company_id: 4711, product_id: '0' });
    expect(readProbe(need('customer-groups.list'), 4711)?.request.path).toEqual({ company_id: 4711 });
    expect(readProbe(need('orders.get'), 4711)).toBeNull();
    expect(readProbe(need('orders.create'), 4711)).toBeNull();
  });

  test('a write permission is tried with an empty change of something that does not exist', () => {
    const probes = permissionNeeds(accountOf()).filter(({ access }) => access === 'write');
    expect(
      probes.map((one) => writeProbe(one, accountOf())).map((probe) => [probe?.operation.id, probe?.request]),
    ).toEqual([
      ['products.patch', { path: { id: 0 }, query: {}, body: {} }],
      ['orders.patch', { path: { number: '00000000-0000-0000-0000-000000000000' }, query: {}, body: {} }],
    ]);
    expect(writeProbe(need('inventory.putaway'), accountOf())).toBeNull();
  });

  test('a write permission is not tried where the deployment uses another method for a change', () => {
    const account = accountOf();
    const marketplace = { ...account.marketplace, operations: { 'orders.patch': { method: 'POST' as const } } };
    expect(writeProbe(need('orders.create'), { ...account, marketplace })?.operation.id).not.toBe('orders.patch');
  });
});

test.each([
  ['2026-01-01T00:00:00Z', 'ok', 'agrees'],
  ['Thu, 01 Jan 2026 00:00:59 GMT', 'ok', 'agrees'],
  ['Thu, 01 Jan 2026 00:02:00 GMT', 'warn', '120 s ahead of ours'],
  ['2025-12-31T23:00:00Z', 'warn', '3600 s behind ours'],
  ['noon', 'ok', 'does not tell'],
  [undefined, 'ok', 'does not tell'],
])('doctor judges a clock that shows %s', (theirs, level, text) => {
  const ours = Date.parse('2026-01-01T00:00:00Z');
  const finding = judgeClock('ERP', theirs, ours - 50, ours + 50);
  expect(finding).toMatchObject({ level, text: expect.stringContaining(text) as string });
});

test.each([
  [90e6, 'fail', '0.1 GB free'],
  [900e6, 'warn', '0.9 GB free'],
  [2e9, 'ok', '2.0 GB free'],
])('doctor judges %d bytes left on the disk', (bytes, level, text) => {
  expect(judgeFree('/data', bytes)).toMatchObject({
    level,
    text: expect.stringContaining(text) as string,
  });
});

test.each([
  [{ open: 40, allowed: 1024 }, null, 'ok', 'a program started here may have 1024'],
  [{ open: 40, allowed: 128 }, null, 'warn', 'a program started here may have 128'],
  [{ open: 40, allowed: 1024 }, '4711', 'ok', 'our daemon (process 4711) has 40 of 1024'],
  [{ open: 900, allowed: 1024 }, '4711', 'warn', 'our daemon (process 4711) has 900 of 1024'],
])('doctor judges file descriptors: %j of %j', (counted, daemon, level, text) => {
  expect(judgeDescriptors(counted, daemon)).toMatchObject({ level, text });
});

test.each([
  [150e6, 'warn', '0.1 GB available'],
  [2e9, 'ok', '2.0 GB available'],
])('doctor judges %d bytes of memory available', (bytes, level, text) => {
  expect(judgeMemory(bytes)).toMatchObject({ level, text });
});

describe('Redis', () => {
  const INFO = 'redis_version:7.0.15\nmaxmemory_policy:noeviction\naof_enabled:1\nrole:master\ncluster_enabled:0';
  const CACHE = { kind: 'server', url: 'redis://:secret@cache:6379/2' } as const;
  const found = (info: string) =>
    checkRedis(
      async () => judgeRedis(info),
      CACHE,
      () => null,
    );

  test('doctor accepts a Redis with the right settings', async () => {
    expect(await found(INFO)).toEqual([ok('redis', 'redis://cache:6379, set as it must be')]);
  });

  test('doctor reports a Redis that refuses, or that states nothing', async () => {
    const asked = (error: Error) =>
      checkRedis(
        () => Promise.reject(error),
        CACHE,
        () => null,
      );
    const refusal = Object.assign(new Error('NOAUTH Authentication required.'), { name: 'ReplyError' });
    expect((await asked(refusal))[0]).toMatchObject({
      text: 'redis://cache:6379 refuses: NOAUTH Authentication required.',
      mend: 'correct the user and the password in state.redis',
    });
    expect((await asked(new Error('Command timed out')))[0]).toMatchObject({
      text: 'redis://cache:6379 does not answer (no answer in time)',
    });
  });

  test('doctor reports each wrong and each missing setting of Redis', async () => {
    const findings = await found(INFO.replace('noeviction', 'allkeys-lru').replace('aof_enabled:1', ''));
    expect(findings.map(({ about, level }) => [about, level])).toEqual([
      ['redis eviction', 'fail'],
      ['redis persistence', 'warn'],
    ]);
    expect(findings[0]?.text).toContain('set maxmemory-policy to noeviction');
    expect(worstFault(findings)).toBe('failed');
  });
});

describe('the kind of failure', () => {
  const refused = new CallFailure('x', { side: 'erp', kind: 'credentials', outcome: 'not-applied' });
  const down = new CallFailure('x', { side: 'erp', kind: 'unavailable', outcome: 'not-applied' });
  const busy = new CallFailure('x', { side: 'marketplace', kind: 'rate-limited', outcome: 'not-applied' });

  test('the kind of failure that doctor ends with is that of the first problem to fix', () => {
    expect(worstFault([ok('a', ''), warn('b', '', null)])).toBeNull();
    expect(worstFault([fail('a', '', null)])).toBe('failed');
    expect(worstFault([fail('a', '', null), failed('b', down)])).toBe('unavailable');
    expect(worstFault([failed('b', down), failed('c', refused)])).toBe('credentials');
    expect(worstFault([failed('c', refused), fail('d', '', null, 'configuration')])).toBe('configuration');
    expect(worstFault([failed('quota', busy)])).toBeNull();
  });
});

describe('the ERP contract, as far as it can be read', () => {
  const AS_OF = '2026-01-02T00:00:00Z';
  const page = <Row>(items: readonly Row[], more: Partial<ErpPage<Row>> = {}): ErpPage<Row> => ({
    items,
    invalidRows: [],
    asOf: AS_OF,
    complete: true,
    ...more,
  });
  async function* pages<Row>(...all: ErpPage<Row>[]) {
    yield* all;
  }
  const stock = (sku: string, available = '3'): StockRow => ({
    sku,
    productId: 'P',
    onHand: exact('5'),
    reserved: exact('2'),
    available: exact(available),
    asOf: AS_OF,
  });
  const order = (changedAt: string) => ({ id: 'SO-1', changedAt }) as ErpOrder;
  const write = () => {
    throw new Error('doctor writes nothing');
  };
  const wellBehaved: ErpConnector = {
    ping: async () => ({ name: 'Test ERP', version: '7', time: AS_OF }),
    listProducts: () => pages(page([])),
    listStock: () => pages(page([stock('A')]), page([stock('B')])),
    readStock: async (skus) => page(skus.filter((sku) => sku === 'A').map((sku) => stock(sku))),
    listOrders: (since) => pages(page(since === null ? [order('2026-01-01T00:00:00Z')] : [order(AS_OF)])),
    findOrders: async () => [],
    getOrder: async () => null,
    createOrder: write,
    updateOrder: write,
    findCustomers: async () => [],
    createCustomer: write,
    close: async () => {},
  } as Partial<ErpConnector> as ErpConnector;

  async function findings(erp: Partial<ErpConnector>, more = '') {
    const at = Date.parse(AS_OF);
    return Array.fromAsync(
      checkErp({ ...wellBehaved, ...erp }, accountOf(more), () => at, AbortSignal.timeout(10_000)),
    );
  }
  const bad = async (erp: Partial<ErpConnector>) =>
    (await findings(erp))
      .filter(({ level }) => level !== 'ok')
      .map(({ about, level, text }) => `${level} ${about}: ${text}`);

  test('doctor reports nothing about an ERP that keeps the contract', async () => {
    expect(await bad({})).toEqual([]);
    expect((await findings({})).map(({ about }) => about)).toEqual([
      'ERP',
      'ERP clock',
      'ERP products',
      'ERP stock',
      'ERP orders',
      'ERP units',
      'ERP stock by SKU',
      'ERP look-ups',
    ]);
  });

  test.each<[string, Partial<ErpConnector>, RegExp]>([
    [
      'a row that does not fit',
      {
        listProducts: () =>
          pages(
            page([], {
              invalidRows: [{ what: 'P-1', id: 'P-1', sku: null, path: 'price.amount', message: 'expected' }],
            }),
          ),
      },
      /^warn ERP products: a row does not fit the contract; P-1: price\.amount: expected$/,
    ],
    [
      'changed_since ignored',
      { listOrders: () => pages(page([order('2025-12-01T00:00:00Z')])) },
      /^fail ERP orders: the ERP ignores changed_since: asked for changes since \S+, it returned a row that changed at 2025-12-01T00:00:00Z$/,
    ],
    ['every SKU found', { readStock: async (skus) => page(skus.map((sku) => stock(sku))) }, /which does not exist$/],
    ['a listed SKU not found', { readStock: async () => page([]) }, /A is in the list, but is not found/],
    [
      'figures that do not add up',
      { readStock: async () => page([stock('A', '5')]) },
      /A: available 5 is not 5 on hand - 2/,
    ],
    [
      'reference ignored',
      { findOrders: async () => [order(AS_OF)] },
      /^fail ERP look-ups: the ERP returns an order for doctor-/,
    ],
    [
      'no page at all',
      { listStock: () => pages<StockRow>() },
      /^fail ERP stock: the first page of the list cannot be read$/,
    ],
  ])('doctor reports a broken ERP contract: %s', async (_, erp, told) => {
    const [first = ''] = await bad(erp);
    expect(first).toMatch(told);
  });

  test('doctor accepts old rows from a list that is read completely at each poll', async () => {
    const listOrders = () => pages(page([order('2025-12-01T00:00:00Z')]));
    expect(await bad({ listOrders, notices: { orders: 'whole' } })).toEqual([]);
  });

  describe('the worked example', () => {
    const product = { sku: 'A', price: { amount: exact('1'), currency: 'USD' }, unitMultiplier: exact('1') };
    const worked = async (read: ErpPage<StockRow>) => {
      const listProducts = () => pages(page([product as Partial<ErpProduct> as ErpProduct]));
      const all = await findings({ listProducts, readStock: async () => read });
      return all.find(({ about }) => about === 'ERP units')?.text;
    };
    const places = [
      { ...stock('A', '3'), location: 'EAST' },
      { ...stock('A', '4'), location: 'WEST' },
    ];

    test('the worked example counts the stock of all locations of the SKU', async () => {
      expect(await worked(page([...places, stock('B', '50')]))).toMatch(/; 7 units available in the ERP are 7 units/);
    });

    test('the worked example has no stock figure where the ERP states none, or not all of it', async () => {
      const invalidRow = { what: 'P', id: 'P', sku: 'A', path: 'available', message: 'expected a number' };
      for (const read of [
        page<StockRow>([]),
        page(places, { invalidRows: [invalidRow] }),
        page(places, { complete: false }),
      ])
        expect(await worked(read)).toMatch(/^for example A, [^;]*$/);
    });
  });

  test('doctor checks payments and customers where their flows are on', async () => {
    const more = '    payments: { to_marketplace: true }\n    customers: { to_marketplace: true }\n';
    const listPayments: ErpConnector['listPayments'] = () => pages(page([]));
    const about = (await findings({ listPayments, listCustomers: () => pages(page([])) }, more)).map(
      (one) => one.about,
    );
    expect(about.filter((name) => /ERP (payments|customers)/.test(name))).toEqual(['ERP customers', 'ERP payments']);
    expect(about).toHaveLength(10);
  });

  test('doctor asks nothing else of an ERP that does not answer', async () => {
    const down = new CallFailure('it is down', { side: 'erp', kind: 'unavailable', outcome: 'not-applied' });
    expect(await findings({ ping: () => Promise.reject(down) })).toEqual([
      expect.objectContaining({ about: 'ERP', level: 'fail', text: 'it is down', fault: 'unavailable' }),
    ]);
  });
});
