import { afterAll, describe, expect, it } from 'vitest';
import { ZERO } from '../../src/domain/decimal.ts';
import { conformanceChecks } from '../../src/erp/conformance.ts';
import type { ErpApproval, ErpConnector, ErpPage } from '../../src/erp/connector.ts';
import { createContractErp } from '../../src/erp/contract/connector.ts';
import { startSandboxErp } from '../../src/sandbox/erp/server.ts';

const MISFIT_ID = 'P-000003';
const sandbox = await startSandboxErp({ tokens: ['sesame-4711'] });
sandbox.control.seed(1_234);
sandbox.control.setStock('SB-0002', '50', { location: 'EAST' });
sandbox.control.setStock('SB-0002', '60', { location: 'EAST', batch: 'LOT-7' });
sandbox.control.inject({ kind: 'misfit', key: MISFIT_ID, set: { price: null }, times: null });
const erp = createContractErp({ url: sandbox.url, token: 'sesame-4711', timeoutMs: 10_000 });

afterAll(async () => {
  await erp.close();
  await sandbox.close();
});

const description = {
  skus: ['SB-0001', 'SB-0002', 'SB-1234'],
  currency: 'USD',
  productCount: 1_234,
  misfitIds: [MISFIT_ID],
  payments: true,
  transports: true,
  addLot: async (sku: string, batch: string) => sandbox.control.addLot({ sku, batch }).id,
  approve: async (id: string, { status, message, decidedAt }: ErpApproval) =>
    void sandbox.control.approveOrder(id, { status, message, decided_at: decidedAt }),
  ship: async (id: string) => void sandbox.control.shipOrder(id),
} as const;

describe('the HTTP connector keeps the promise, against the sandbox ERP:', () => {
  for (const { promise, run } of conformanceChecks(erp, description)) it(promise, run);
});

async function* mapPages<T>(pages: AsyncIterable<ErpPage<T>>, change: (page: ErpPage<T>) => ErpPage<T>) {
  for await (const page of pages) yield change(page);
}

async function* none(): AsyncGenerator<never> {}

describe('the checks catch a connector', () => {
  const remembered = new Map<string, Awaited<ReturnType<ErpConnector['createOrder']>>>();
  const broken: [string, Partial<ErpConnector>, RegExp][] = [
    ['without a name', { ping: async () => ({ name: '', version: '1', time: '2030-01-01T00:00:00Z' }) }, /^ping/],
    [
      'that loses a row of a listing',
      {
        listProducts: (since, signal) =>
          mapPages(erp.listProducts(since, signal), (page) => ({ ...page, items: page.items.slice(1) })),
      },
      /^a listing of all products/,
    ],
    [
      'that never says complete',
      {
        listProducts: (since, signal) =>
          mapPages(erp.listProducts(since, signal), (page) => ({ ...page, complete: false })),
      },
      /^a listing of all products/,
    ],
    [
      'that drops misfit rows',
      {
        listProducts: (since, signal) =>
          mapPages(erp.listProducts(since, signal), (page) => ({ ...page, misfits: [] })),
      },
      /^rows that do not fit/,
    ],
    ['that ignores since', { listOrders: (_since, signal) => erp.listOrders(null, signal) }, /^what changed since/],
    ['that reads other SKUs', { readStock: (_skus, signal) => erp.readStock(['SB-0009'], signal) }, /^stock is read/],
    [
      'that shows what lies at several places twice without saying where',
      {
        async readStock(skus, signal) {
          const page = await erp.readStock(skus, signal);
          return { ...page, items: page.items.map(({ location: _l, batch: _b, ...row }) => row) };
        },
      },
      /^a SKU has one row/,
    ],
    [
      'that keeps figures for a while',
      {
        async readStock(skus, signal) {
          const page = await erp.readStock(skus, signal);
          return { ...page, items: page.items.map((row) => ({ ...row, asOf: '2020-01-01T00:00:00Z' })) };
        },
      },
      /^a stock row says when/,
    ],
    [
      'that reserves for a draft',
      { createOrder: (draft, signal) => erp.createOrder({ ...draft, status: 'reserved' }, signal) },
      /^a draft reserves nothing/,
    ],
    [
      'that swallows a second post',
      {
        async createOrder(draft, signal) {
          const known = remembered.get(draft.reference) ?? (await erp.createOrder(draft, signal));
          remembered.set(draft.reference, known);
          return known;
        },
      },
      /^posting twice/,
    ],
    [
      'that rounds',
      { createOrder: (draft, signal) => erp.createOrder({ ...draft, discount: draft.discount.round() }, signal) },
      /digit by digit/,
    ],
    [
      'that cannot change lines',
      { updateOrder: (id, { status }, signal) => erp.updateOrder(id, status === undefined ? {} : { status }, signal) },
      /^an update replaces/,
    ],
    [
      'that drops money fields',
      { updateOrder: (id, change, signal) => erp.updateOrder(id, { ...change, tax: ZERO }, signal) },
      /^money fields/,
    ],
    [
      'that says nothing of verdicts',
      { ping: async (signal) => ({ ...(await erp.ping(signal)), can: [] }) },
      /^an ERP that gives/,
    ],
    [
      'that hides verdicts',
      {
        async getOrder(id, signal) {
          const { approval: _, ...order } = (await erp.getOrder(id, signal)) ?? { id };
          return order as Awaited<ReturnType<ErpConnector['getOrder']>>;
        },
      },
      /^a verdict shows/,
    ],
    [
      'that says nothing of lots',
      { ping: async (signal) => ({ ...(await erp.ping(signal)), can: [] }) },
      /^an ERP that lists lots/,
    ],
    [
      'that lists no new lots',
      { listLots: (since, signal) => (since === null ? erp.listLots?.(since, signal) : undefined) ?? none() },
      /^a lot is listed/,
    ],
    [
      'that says nothing of transports',
      { ping: async (signal) => ({ ...(await erp.ping(signal)), can: [] }) },
      /^an ERP that keeps transports/,
    ],
    [
      'that forgets transports',
      { updateOrder: (id, change, signal) => erp.updateOrder(id, { ...change, transports: [] }, signal) },
      /^transports are kept/,
    ],
    ['that throws for what is not there', { getOrder: () => Promise.reject(new Error('no')) }, /^what is not there/],
    [
      'that rounds payments',
      { createPayment: (draft, signal) => erp.createPayment({ ...draft, amount: draft.amount.round() }, signal) },
      /^a payment is kept/,
    ],
    ['that forgets whose payment it is', { findPayments: async () => [] }, /^two equal payments/],
    [
      'that loses customers of a listing',
      {
        listCustomers: (since, signal) =>
          mapPages(erp.listCustomers?.(since, signal) ?? none(), (page) => ({
            ...page,
            items: page.items.slice(0, -1),
          })),
      },
      /^a listing of all customers/,
    ],
    [
      'that lists no new customers',
      { listCustomers: (since, signal) => (since === null ? erp.listCustomers?.(since, signal) : undefined) ?? none() },
      /^a customer that was made since/,
    ],
    [
      'that changes what it is told of a customer',
      { createCustomer: async (draft, signal) => ({ ...(await erp.createCustomer(draft, signal)), email: 'a@b' }) },
      /^what is told of a new customer/,
    ],
    ['that finds customers of others', { findCustomers: async () => [] }, /^a customer is found/],
  ];

  it.each(broken)('%s', async (_what, part, promise) => {
    const check = conformanceChecks({ ...erp, ...part }, description).find((one) => promise.test(one.promise));
    expect(check).toBeDefined();
    await expect(check?.run()).rejects.toThrow();
  });
});
