import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { folderOf, LEAST } from './folder.ts';

const load = (can: string, more: string) => {
  const yaml = LEAST.replace('token: erp-token-1', `token: erp-token-1, capabilities: { ${can} }`) + more;
  const loaded = loadConfig(folderOf({ 'c.yaml': yaml })('c.yaml'), {});
  const [account] = loaded.config.accounts;
  return { account, warned: loaded.warnings(0).map(({ path, message }) => `${path}: ${message}`) };
};

test('a setting that the ERP cannot fulfil is switched off, with one line for each flow', () => {
  const { account, warned } = load(
    'payments: none, customers: none, transports: false, approvals: false',
    `    payments: { to_erp: true }
    customers: { to_marketplace: true }
    orders: { transports: { order: number }, approvals: { purchase_order_number: number } }
`,
  );
  expect(account).toMatchObject({
    payments: null,
    customers: null,
    orders: { onUnmappedCustomer: 'pass', transports: null, approvals: null },
  });
  expect(warned.toSorted()).toEqual([
    'accounts.main.customers: the ERP cannot do this (erp.capabilities.customers: none): no customer is kept in step',
    'accounts.main.orders.approvals: the ERP cannot do this (erp.capabilities.approvals: false): no verdict is sent',
    'accounts.main.orders.on_unmapped_customer: the ERP cannot do this (erp.capabilities.customers: none): no customer can be created there, so orders pass the name only',
    'accounts.main.orders.transports: the ERP cannot do this (erp.capabilities.transports: false): it is not told of transports',
    'accounts.main.payments: the ERP cannot do this (erp.capabilities.payments: none): no payment is carried over',
  ]);
});

test('an entity that the ERP only lists is read, and not created there', () => {
  const { account, warned } = load(
    'payments: read, customers: read',
    `    payments: { to_erp: true, to_marketplace: true }
    customers: { to_erp: true, to_marketplace: true }
`,
  );
  expect(account).toMatchObject({
    payments: { toErp: false, toMarketplace: true },
    customers: { toErp: false, toMarketplace: true },
    orders: { onUnmappedCustomer: 'hold' },
  });
  expect(warned).toHaveLength(3);
});

test('an ERP without stated capabilities loses no setting', () => {
  const { account, warned } = load('totals: stored', '    payments: { to_erp: true }\n');
  expect(account?.payments?.toErp).toBe(true);
  expect(warned).toEqual([]);
});

test('an ERP in which no product can be created has its orders held', () => {
  const { account, warned } = load('products: false', '    orders: { on_unmapped_product: create }\n');
  expect(account?.orders.onUnmappedProduct).toBe('hold');
  expect(warned).toEqual([
    'accounts.main.orders.on_unmapped_product: the ERP cannot do this (erp.capabilities.products: false): no product can be made there, so such orders are held',
  ]);
});
