import { expect, test } from 'vitest';
import { resolveConfig } from '../../../src/config/resolve.ts';
import { configFile } from '../../../src/config/schema.ts';
import { createLogger } from '../../../src/logging/logging.ts';
import { textRedactor } from '../../../src/logging/redaction.ts';
import { explainEntity } from '../../../src/use/explain/explain.ts';
import { at, d, order, orderBatch, useShelf } from '../../store/shelf.ts';

const shelf = useShelf();
const redact = textRedactor([]);
const MAIN = {
  marketplace: { base_url: 'http://marketplace.test', auth: { scheme: 'app', key: 'a-key' }, seller_id: 4711 },
  erp: { type: 'http', url: 'http://erp.test', token: 'a-token' },
  inventory: { strategy: 'b' },
  customers: { to_marketplace: true, to_erp: true },
  payments: { to_erp: true },
};

function explain(name: string) {
  const config = resolveConfig(configFile.parse({ accounts: { main: MAIN } }));
  const log = createLogger({ level: 'silent', secrets: [] });
  return explainEntity({ config, store: shelf().store, by: 'ada', log, redact }, { name }, shelf().nowMs);
}

test('a customer is explained with both sides, its link and its flows', async () => {
  const { store } = shelf();
  const customer = { id: 815, name: 'Corner Shop', modified: at(1), archived: false } as const;
  const rows = [
    { customer: { ...customer, externalId: null, licenseNumber: null, email: null }, content: '{"id":815}' },
  ];
  await store.customers.record({ account: 'main', rows, invalidRows: [], window: null, lane: 'poll' });
  const erp = { id: 'C-001003', name: 'Corner Shop', marketplaceId: 815, changedAt: at(1) };
  await store.erp.recordCustomers('main', [erp], 'poll');
  const link = { account: 'main', kind: 'customer', marketplaceId: '815', erpId: 'C-001003', how: 'operator' } as const;
  await store.mappings.link(link);
  for (const name of ['815', 'C-0010']) {
    const told = await explain(name);
    expect(told).toMatchObject({ kind: 'customer', marketplaceId: '815', erpId: 'C-001003', stock: null });
    expect(told.link).toEqual({ state: 'linked', how: 'operator' });
    expect(told.sides.marketplace.fields).toMatchObject({ name: 'Corner Shop' });
    expect(told.flows.map(({ flow }) => flow)).toEqual(expect.arrayContaining(['customer-in', 'customer-out']));
    expect(told.answer).not.toBe('');
  }
});

test('a payment is explained with its order', async () => {
  const { store } = shelf();
  await store.orders.record(orderBatch([order({ number: 'o-1' })]));
  const payment = {
    id: '70001',
    orderNumber: 'o-1',
    total: d('50.00'),
    currency: 'USD',
    type: 'cash',
    paidAt: at(0),
    createdAt: at(1),
  };
  await store.payments.record({ account: 'main', rows: [payment], invalidRows: [], lane: 'poll' });
  const told = await explain('70001');
  expect(told).toMatchObject({ kind: 'payment', marketplaceId: '70001', erpId: null, link: null });
  expect(told.flows.map(({ flow }) => flow)).toEqual(['payment-in']);
  expect(told.related).toContainEqual(expect.objectContaining({ kind: 'order', name: 'o-1' }));
});
