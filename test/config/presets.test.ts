import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/config/problem.ts';
import { ROOT } from '../support/guide.ts';
import { folderOf } from './folder.ts';

const SHIPPED = join(ROOT, 'src/config/presets');

const configured = (marketplace: string, rest = '') => `
accounts:
  main:
    marketplace:
      base_url: https://marketplace.example
      auth: { scheme: app, key: a-key }
      seller_id: 4711
${marketplace}
    erp: { type: http, url: https://erp.example, token: a-token }
    inventory: { strategy: b }
${rest}
`;

function load(files: Record<string, string>) {
  const path = folderOf(files);
  return { path, ...loadConfig(path('c.yaml'), {}) };
}

function errorsOf(files: Record<string, string>): string[] {
  const path = folderOf(files);
  try {
    loadConfig(path('c.yaml'), {});
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(`${path('')}/`, '').split('\n');
    throw error;
  }
  return [];
}

const PRESET = `
about: Deployments of a test
proven: in a test
marketplace:
  version_header: Api-Version
  webhooks: { header: X-Signature, encoding: hex }
  transitions: { fulfill: fulfil, ship: send }
  statuses: { Void: Canceled }
  operations:
    customers.list: { paging: offset }
    order-payments.get: { path: /payments/one/ }
products:
  required: [brand, license]
  create_fields: { listing_state: Available, license: L-1 }
`;
const EXTENDS = '      extends: ./deployment.yaml';
const BRAND = '    products: { fields: { brand: attributes.brand } }';

test('a preset sets every setting that it has, and is named', () => {
  const files = {
    'c.yaml': configured(`${EXTENDS}\n      webhooks: { secret: s }`, BRAND),
    'deployment.yaml': PRESET,
  };
  const { config, extended } = load(files);
  const [account] = config.accounts;
  expect(account?.marketplace).toMatchObject({
    versionHeader: 'Api-Version',
    webhooks: { header: 'X-Signature', encoding: 'hex', algorithm: 'hmac-sha256', prefix: '', secrets: ['s'] },
    transitions: { fulfill: 'fulfil', ship: 'send' },
    dialect: { order: { words: { status: { Void: 'Canceled' } } } },
    operations: { 'customers.list': { paging: 'offset' }, 'order-payments.get': { path: '/payments/one/' } },
  });
  expect(account?.products.createFields).toEqual({ listing_state: 'Available', license: 'L-1' });
  expect(extended).toEqual([{ account: 'main', preset: './deployment.yaml', proven: 'in a test' }]);
});

test('the configuration takes precedence over a preset', () => {
  const own = `${EXTENDS}
      version_header: My-Version
      transitions: { ship: ship }`;
  const rest = '    products: { required: [], create_fields: { license: L-2 } }';
  const [account] = load({ 'c.yaml': configured(own, rest), 'deployment.yaml': PRESET }).config.accounts;
  expect(account?.marketplace).toMatchObject({
    versionHeader: 'My-Version',
    transitions: { fulfill: 'fulfil', ship: 'ship' },
    webhooks: null,
  });
  expect(account?.products.createFields).toEqual({ listing_state: 'Available', license: 'L-2' });
});

test('a preset with an unknown key or a wrong value is an error at its place there', () => {
  const preset = PRESET.replace('version_header:', 'version_heder:').replace('Void: Canceled', 'Void: Lost');
  expect(errorsOf({ 'c.yaml': configured(EXTENDS, BRAND), 'deployment.yaml': `${preset}token: t\n` })).toEqual([
    'deployment.yaml:5:3: marketplace.version_heder: unknown key; did you mean "version_header"?',
    expect.stringMatching(/^deployment\.yaml:8:21: marketplace\.statuses\.Void: expected one of "Submitted"/),
    'deployment.yaml:15:1: token: unknown key',
  ]);
});

test('a missing preset is an error at extends', () => {
  expect(errorsOf({ 'c.yaml': configured('      extends: reportd') })).toEqual([
    'c.yaml:8:16: accounts.main.marketplace.extends: no such preset is shipped; did you mean "reported"? ' +
      'A file of yours is named with its ending, such as ./deployment.yaml',
  ]);
  expect(errorsOf({ 'c.yaml': configured(EXTENDS) })).toEqual([
    'c.yaml:8:16: accounts.main.marketplace.extends: the file ./deployment.yaml does not exist',
  ]);
});

test('a preset that requires fields that nothing makes names each of them', () => {
  expect(errorsOf({ 'c.yaml': configured(EXTENDS), 'deployment.yaml': PRESET })).toEqual([
    'c.yaml:3:3: accounts.main.products.required[0]: brand is made by nothing: ' +
      'give it in products.fields or products.create_fields',
  ]);
});

test.each(readdirSync(SHIPPED))('the preset %s is valid, and says how far it is proven', (file) => {
  const text = readFileSync(join(SHIPPED, file), 'utf8');
  const required = /required:\n((?: {4}- \w+\n)*)/.exec(text)?.[1]?.match(/\w+/g) ?? [];
  const fields = `    products: { fields: {${required.map((name) => `${name}: 1`).join(', ')}} }`.replace(
    /(name|description|sku|wholesale_price|seller): 1(, )?/g,
    '',
  );
  const { extended } = load({ 'c.yaml': configured(`      extends: ${file.replace('.yaml', '')}`, fields) });
  expect(extended[0]?.proven).toBe('not proven live');
});
