import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { FLOW_NAMES, FLOWS } from '../../src/flows/flows.ts';
import { OPERATIONS } from '../../src/marketplace/operations/table.ts';
import { folderOf, LEAST } from '../config/folder.ts';
import { accountConfig } from './account.ts';

const ROOT = join(import.meta.dirname, '../..');
const source = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** Every flow is on, with everything that it can do. */
const EVERYTHING = accountConfig({
  products: {
    category: '"Flower"',
    sub_category: '"Indoor"',
    brand: '"Juniper"',
    product_line: '"Gold"',
    create_product_lines: true,
    images: { from: 'attributes.images', hosts: ['images.example'], remove: true },
  },
  orders: { from_erp: { since: '2026-11-01' }, erp_edits: 'write' },
  customers: { to_marketplace: true, statuses: { good: 'Active' } },
  payments: { to_marketplace: true },
});
/** The operations that a file names. */
const namedIn = (file: string) =>
  [...source(file).matchAll(/'([a-z-]+\.[a-z-]+)'/g)].flatMap(([, id = '']) =>
    Object.hasOwn(OPERATIONS, id) ? [id] : [],
  );

test('the flows declare exactly the operations that they call', () => {
  const files = globSync('src/{shadow,flows}/**/*.ts', { cwd: ROOT }).filter(
    (file) => !file.endsWith('/descriptor.ts'),
  );
  const called = new Set<string>(files.flatMap(namedIn));
  const declared = new Set<string>(FLOW_NAMES.flatMap((flow) => FLOWS[flow].operations(EVERYTHING)));
  expect(declared).toEqual(called);
  expect(called.size).toBeGreaterThan(8);
});

test('a part that is switched off needs no operation', () => {
  const path = folderOf({ 'c.yaml': `${LEAST}    products: { create: false, archive: false }\n` });
  const [account] = loadConfig(path('c.yaml'), {}).config.accounts;
  expect(account && FLOWS.product.operations(account)).toEqual(['products.list', 'products.patch']);
});
