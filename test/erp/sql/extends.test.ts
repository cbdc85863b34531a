import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { ConfigError } from '../../../src/config/problem.ts';
import { folderOf } from '../../config/folder.ts';

const CONNECTION = { type: 'sql', url: 'postgres://127.0.0.1/handel', user: 'bridge', password: 'p' };

function load(erp: object, files: Record<string, string> = {}) {
  const account = {
    marketplace: { base_url: 'https://marketplace.example', auth: { scheme: 'app', key: 'k' }, seller_id: 1 },
    inventory: { strategy: 'b' },
    erp,
  };
  const path = folderOf({ 'c.yaml': stringify({ accounts: { main: account } }), ...files });
  return loadConfig(path('c.yaml'), {});
}

function problemOf(erp: object, files?: Record<string, string>): string {
  try {
    load(erp, files);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

it('a database of a known ERP takes its statements from the shipped description, and its own keys take precedence', () => {
  const finds = { 'products-by-sku': 'p.partnumber = upper(:sku)' };
  const { config, extended } = load({ ...CONNECTION, extends: 'ledgersmb', finds });
  expect(extended).toEqual([
    { account: 'main', preset: 'ledgersmb', proven: expect.stringContaining('LedgerSMB 1.6') },
  ]);
  expect(config.accounts[0]?.erp.section).toMatchObject({
    finds: { ...finds, 'order-by-id': 'o.id = cast(:id as integer)' },
    user: 'bridge',
  });
});

it.each([
  ['a database', CONNECTION, 'odoo', 'is a description for type: rest'],
  ['an interface in JSON', { type: 'rest', url: 'https://erp.example' }, 'ledgersmb', 'is a description for type: sql'],
])('%s that extends a description of the other kind is an error', (_, erp, wanted, message) => {
  expect(problemOf({ ...erp, extends: wanted })).toContain(`accounts.main.erp.extends: ${message}`);
});

it('an error in the statements of a file has its place in that file', () => {
  const wrong = 'type: sql\nfinds:\n  stock-by-sku: sku in (:skus)\n  order-by-nr: nr = :id\n';
  expect(problemOf({ ...CONNECTION, extends: './mine.yaml' }, { 'mine.yaml': wrong })).toMatch(
    /mine\.yaml:4:3: finds\.order-by-nr: unknown key/,
  );
});
