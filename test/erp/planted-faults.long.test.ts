import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ZERO } from '../../src/domain/decimal.ts';
import type { Capabilities } from '../../src/erp/capabilities.ts';
import type { ErpConnector, ErpPage } from '../../src/erp/connector.ts';
import { checked, settledErp } from '../support/erp-check.ts';
import { type ErpCall, faultyErp, type Misdeed, type Row } from '../support/faulty-erp.ts';

const CAN: Partial<Capabilities> = { products: true, transports: true };

const isList = ({ method, path }: ErpCall, name: string) => method === 'GET' && path === `/v1/${name}`;
const isFind = (call: ErpCall) => isList(call, 'orders') && call.query.has('reference');
const isEdit = ({ method, body }: ErpCall) => method === 'PATCH' && body?.lines !== undefined;
const isCancel = ({ method, body }: ErpCall) => method === 'PATCH' && body?.status === 'cancelled';

/** Changes each order that an answer shows. */
function orders(answer: { status: number; body: Row }, change: (order: Row) => Row) {
  const { status, body } = answer;
  if (body.items !== undefined) return { status, body: { ...body, items: body.items.map(change) } };
  return { status, body: body.lines === undefined ? body : change(body) };
}

const without =
  (name: string, parameter: string): Misdeed =>
  (call, ask) => {
    if (isList(call, name)) call.query.delete(parameter);
    return ask(call);
  };

const items =
  (is: (call: ErpCall) => boolean, change: (rows: readonly Row[], call: ErpCall) => readonly Row[]): Misdeed =>
  async (call, ask) => {
    const { status, body } = await ask(call);
    return { status, body: is(call) && body.items ? { ...body, items: change(body.items, call) } : body };
  };

function staleTotals(): Misdeed {
  const first = new Map<string | undefined, string | undefined>();
  return async (call, ask) =>
    call.path.startsWith('/v1/orders')
      ? orders(await ask(call), (order) => {
          if (!first.has(order.id)) first.set(order.id, order.total);
          return { ...order, total: first.get(order.id) };
        })
      : ask(call);
}

/** An edit of lines leaves no shipping. */
function losesShipping(): Misdeed {
  const edited = new Set<string | undefined>();
  return async (call, ask) => {
    if (isEdit(call)) edited.add(call.path.split('/').at(-1));
    const answer = await ask(call);
    return call.path.startsWith('/v1/orders')
      ? orders(answer, (order) => (edited.has(order.id) ? { ...order, shipping: '0' } : order))
      : answer;
  };
}

/** Shows the time of the creation as the time of every change of lines. */
function keepsStamp(): Misdeed {
  const stamps = new Map<string | undefined, unknown>();
  return async (call, ask) => {
    if (!call.path.startsWith('/v1/orders')) return ask(call);
    const id = call.path.split('/').at(-1);
    const answer = await ask(call);
    if (call.method === 'POST') stamps.set(answer.body.id, answer.body['changed_at']);
    if (call.body?.status !== undefined) stamps.delete(id);
    return orders(answer, (order) => ({ ...order, changed_at: stamps.get(order.id) ?? order['changed_at'] }));
  };
}

/** Numbers two orders that come at the same moment alike, and refuses the second. */
function oneNumberAtOnce(): Misdeed {
  let making = 0;
  return async (call, ask) => {
    if (call.method !== 'POST' || call.path !== '/v1/orders') return ask(call);
    making += 1;
    try {
      if (making > 1) return { status: 500, body: { error: 'the number is taken' } };
      await sleep(100);
      return await ask(call);
    } finally {
      making -= 1;
    }
  };
}

/** Delays the effect of reservations on the stock by this time. */
function lateReservations(lateMs: number): Misdeed {
  let past: { readonly untilMs: number; readonly rows: Map<string | undefined, Row> } = { untilMs: 0, rows: new Map() };
  return async (call, ask) => {
    if (call.method !== 'GET') {
      const { body } = await ask({
        method: 'GET',
        path: '/v1/stock',
        query: new URLSearchParams({ limit: '1000' }),
        body: null,
      });
      const rows =
        performance.now() < past.untilMs ? past.rows : new Map((body.items ?? []).map((row) => [row.sku, row]));
      past = { untilMs: performance.now() + lateMs, rows };
    }
    const isPast = performance.now() < past.untilMs;
    return items(
      (one) => isPast && isList(one, 'stock'),
      (rows) => rows.map((row) => ({ ...past.rows.get(row.sku), as_of: row.as_of })),
    )(call, ask);
  };
}

/** After a ping, a list of stock takes long, and says the time at which it ended. */
function datedAtTheEnd(): Misdeed {
  let isNext = false;
  return async (call, ask) => {
    if (call.path === '/v1/ping') isNext = true;
    const answer = await ask(call);
    if (!isList(call, 'stock') || !isNext) return answer;
    isNext = false;
    await sleep(1_500);
    return { ...answer, body: { ...answer.body, as_of: new Date().toISOString() } };
  };
}

function cancelsInName(): Misdeed {
  const cancelled = new Set<string | undefined>();
  return async (call, ask) => {
    if (isCancel(call)) cancelled.add(call.path.split('/').at(-1) ?? '');
    const answer = await ask(isCancel(call) ? { ...call, method: 'GET', body: null } : call);
    return call.path.startsWith('/v1/orders')
      ? orders(answer, (order) => (cancelled.has(order.id) ? { ...order, status: 'cancelled' } : order))
      : answer;
  };
}

const appended: Misdeed = async (call, ask) => {
  if (!isEdit(call)) return ask(call);
  const { body } = await ask({ ...call, method: 'GET', body: null });
  return ask({ ...call, body: { ...call.body, lines: [...(body.lines ?? []), ...(call.body?.lines ?? [])] } });
};

const FAULTS: [fault: string, misdeed: Misdeed, broken: string[], can?: Partial<Capabilities>][] = [
  ['ignores changed_since of products', without('products', 'changed_since'), ['products-since']],
  ['ignores changed_since of stock', without('stock', 'changed_since'), ['stock-since']],
  ['ignores changed_since of orders', without('orders', 'changed_since'), ['orders-since']],
  ['ignores the reference', without('orders', 'reference'), ['reference-filter']],
  [
    'says complete too early',
    async (call, ask) => {
      const { status, body } = await ask(call);
      const isWhole = isList(call, 'products') && !call.query.has('changed_since');
      return { status, body: isWhole ? { ...body, items: body.items?.slice(0, 10), next: null } : body };
    },
    ['products-whole'],
  ],
  [
    'shows a product twice',
    items(
      (call) => isList(call, 'products'),
      (rows) => [...rows, ...rows.slice(0, 1)],
    ),
    ['products-whole'],
  ],
  [
    'never says complete',
    async (call, ask) => {
      const { status, body } = await ask(call);
      return { status, body: isList(call, 'payments') ? { ...body, complete: false } : body };
    },
    ['payments-whole', 'payments-since', 'payment-create'],
  ],
  [
    'counts in floats',
    async (call, ask) =>
      orders(await ask(call), (order) => ({
        ...order,
        lines: order.lines?.map((line) => ({ ...line, unit_price: String(Number(line.unit_price) + 1e-13) })),
      })),
    ['create'],
  ],
  ['keeps the stamp of an order whose lines change', keepsStamp(), ['orders-stamp']],
  [
    'loses the shipping of an order whose lines change, where totals are computed',
    losesShipping(),
    ['charges'],
    { totals: 'computed' },
  ],
  ['shows stale totals', staleTotals(), ['edit-totals']],
  ['dates a read at its end', datedAtTheEnd(), ['as-of']],
  [
    'shows reservations late',
    lateReservations(700),
    ['reserve', 'release', 'edit-reservation'],
    { longestTransactionMs: 300 },
  ],
  [
    'makes an order, and answers 500',
    async (call, ask) => {
      const answer = await ask(call);
      return call.method === 'POST' && call.path === '/v1/orders' ? { status: 500, body: { error: 'oops' } } : answer;
    },
    ['create'],
  ],
  [
    'does nothing on an edit, and answers 200',
    (call, ask) => ask(isEdit(call) ? { ...call, method: 'GET', body: null } : call),
    ['edit-lines', 'edit-totals', 'edit-reservation'],
  ],
  ['appends lines on an edit', appended, ['edit-lines']],
  ['shows an order twice by its reference', items(isFind, (rows) => [...rows, ...rows]), ['orders-found', 'create']],
  ['cancels in name only', cancelsInName(), ['release']],
  [
    'reserves for drafts',
    (call, ask) => {
      const isDraft = call.method === 'POST' && call.body?.status === 'draft';
      return ask(isDraft ? { ...call, body: { ...call.body, status: 'reserved' } } : call).then((answer) =>
        isDraft ? { ...answer, body: { ...answer.body, status: 'draft' } } : answer,
      );
    },
    ['draft'],
  ],
  [
    'shows no changes of orders',
    items(
      (call) => isList(call, 'orders') && call.query.has('changed_since'),
      (rows) => rows.filter((order) => order.created_at === order.changed_at),
    ),
    ['orders-late'],
  ],
  [
    'shows no reservations among the changes of stock',
    items(
      (call) => isList(call, 'stock') && call.query.has('changed_since') && !call.query.has('sku'),
      (rows, call) => (call.query.get('changed_since')?.startsWith('1990') ? rows : []),
    ),
    ['stock-late'],
  ],
  [
    'answers with another order',
    async (call, ask) => {
      const answer = await ask(call);
      return call.method === 'GET' && answer.status === 404 ? ask({ ...call, path: '/v1/orders/SO-000001' }) : answer;
    },
    ['unknown-order'],
  ],
  [
    'takes a change of nothing',
    async (call, ask) => {
      const answer = await ask(call);
      return call.method === 'PATCH' && answer.status === 404
        ? ask({ ...call, method: 'GET', path: '/v1/orders/SO-000001', body: null })
        : answer;
    },
    ['edit-unknown'],
  ],
  [
    'miscounts what is available',
    items(
      (call) => isList(call, 'stock'),
      (rows) => rows.map((row) => ({ ...row, available: row.on_hand })),
    ),
    ['reserve'],
  ],
  [
    'dates stock by its last change',
    items(
      (call) => isList(call, 'stock'),
      (rows) => rows.map((row) => ({ ...row, as_of: '2020-01-01T00:00:00Z' })),
    ),
    ['stock-as-of'],
  ],
  ['cannot number two orders at once', oneNumberAtOnce(), ['create-together']],
  ['makes two where it promised one', (call, ask) => ask(call), ['create-twice'], { uniqueReference: true }],
  [
    'forgets transports',
    async (call, ask) => orders(await ask(call), (order) => ({ ...order, transports: [] })),
    ['transports'],
  ],
  [
    'rounds payments',
    async (call, ask) =>
      ask(
        call.method === 'POST' && call.path === '/v1/payments'
          ? { ...call, body: { ...call.body, amount: '12' } }
          : call,
      ),
    ['payment-create'],
  ],
  [
    'forgets whose customer it is',
    items(
      (call) => isList(call, 'customers') && call.query.has('marketplace_id'),
      () => [],
    ),
    ['customer-create'],
  ],
];

test.each(FAULTS)('erp check detects an ERP that %s', async (_fault, misdeed, broken, can) => {
  const sandbox = await settledErp();
  const url = await faultyErp(sandbox.url, misdeed);
  const { named } = await checked(url, { ...CAN, ...can });
  expect(named('broken')).toEqual(expect.arrayContaining(broken));
  expect(named('kept').length, 'what it does well is not held against it').toBeGreaterThan(15);
});

async function* mapPages<T>(pages: AsyncIterable<ErpPage<T>> | undefined, change: (page: ErpPage<T>) => ErpPage<T>) {
  for await (const page of pages ?? []) yield change(page);
}

async function* none(): AsyncGenerator<never> {}

type Broken = (erp: ErpConnector) => Partial<ErpConnector>;
const CONNECTORS: readonly [what: string, broken: Broken, check: string, can?: Partial<Capabilities>][] = [
  ['says no name', () => ({ ping: async () => ({ name: '', version: '1', time: '2030-01-01T00:00:00Z' }) }), 'ping'],
  [
    'drops rows that do not fit',
    (erp) => ({ listProducts: (since) => mapPages(erp.listProducts(since), (page) => ({ ...page, invalidRows: [] })) }),
    'products-whole',
  ],
  [
    'loses the row of a page',
    (erp) => ({
      listProducts: (since) => mapPages(erp.listProducts(since), (page) => ({ ...page, items: page.items.slice(1) })),
    }),
    'products-whole',
  ],
  ['reads the stock of other SKUs', (erp) => ({ readStock: () => erp.readStock(['SB-0009']) }), 'stock-by-sku'],
  [
    'shows what lies at several places twice without saying where',
    (erp) => ({
      async readStock(skus) {
        const page = await erp.readStock(skus);
        return { ...page, items: page.items.map(({ location: _l, batch: _b, ...row }) => row) };
      },
    }),
    'stock-by-sku',
  ],
  [
    'rounds the discount',
    (erp) => ({ createOrder: (draft) => erp.createOrder({ ...draft, discount: draft.discount.round() }) }),
    'amounts',
  ],
  [
    'drops the tax of an edit',
    (erp) => ({ updateOrder: (id, change) => erp.updateOrder(id, { ...change, tax: ZERO }) }),
    'amounts',
  ],
  ['says nothing of verdicts', () => ({}), 'capabilities', { approvals: false }],
  ['says nothing of lots', () => ({}), 'capabilities', { lots: false }],
  [
    'hides verdicts',
    (erp) => ({
      async getOrder(id) {
        const { approval: _, ...order } = (await erp.getOrder(id)) ?? { id };
        return order as Awaited<ReturnType<ErpConnector['getOrder']>>;
      },
    }),
    'approved',
  ],
  [
    'lists no new lots',
    (erp) => ({ listLots: (since) => (since === null ? erp.listLots?.(since) : undefined) ?? none() }),
    'lots',
  ],
  ['forgets whose payment it is', () => ({ findPayments: async () => [] }), 'payment-create'],
  [
    'shows one of two payments',
    (erp) => ({ findPayments: async (id) => (await erp.findPayments(id)).slice(0, 1) }),
    'payment-twice',
  ],
  [
    'loses customers',
    (erp) => ({
      listCustomers: (since) =>
        mapPages(erp.listCustomers?.(since), (page) => ({
          ...page,
          items: since === null ? page.items.slice(0, -1) : page.items,
        })),
    }),
    'customers-whole',
  ],
  [
    'lists no new customers',
    (erp) => ({ listCustomers: (since) => (since === null ? erp.listCustomers?.(since) : undefined) ?? none() }),
    'customers-late',
  ],
  [
    'changes what it is told of a customer',
    (erp) => ({ createCustomer: async (draft) => ({ ...(await erp.createCustomer(draft)), email: 'a@b' }) }),
    'customer-create',
  ],
  [
    'makes a product under another SKU',
    (erp) => ({ createProduct: async (draft) => erp.createProduct?.({ ...draft, sku: `${draft.sku}-1` }) as never }),
    'product-create',
  ],
];

test.each(CONNECTORS)('erp check detects a connector that %s', async (_fault, fault, broken, can) => {
  const sandbox = await settledErp();
  const { control } = sandbox;
  control.setStock('SB-0002', '50', { location: 'EAST' });
  control.setStock('SB-0002', '60', { location: 'EAST', batch: 'LOT-7' });
  control.inject({ kind: 'invalid-row', key: 'P-000007', set: { price: null }, times: null });
  const { named } = await checked(
    sandbox.url,
    { ...CAN, approvals: true, lots: true, ...can },
    {
      people: {
        approve: async (id, { status, message, decidedAt }) =>
          void control.approveOrder(id, { status, message, decided_at: decidedAt }),
        addLot: async (sku, batch) => control.addLot({ sku, batch }).id,
      },
      facts: { productCount: 30, invalidRowIds: ['P-000007'] },
      broken: (erp) => ({ ...erp, ...fault(erp) }),
    },
  );
  expect(named('broken')).toContain(broken);
});
