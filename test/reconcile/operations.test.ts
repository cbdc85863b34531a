import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { FLOW_OPERATIONS } from '../../src/reconcile/operations.ts';
import { folderOf, LEAST } from '../config/folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const source = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const idsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, id = '']) => id);

test('every operation that is called for the flows is declared by one of them, and none that is not', () => {
  const files = globSync('src/{reading,reconcile}/**/*.ts', { cwd: ROOT });
  const called = files.flatMap((file) => idsIn(source(file), /\b(?:call|list)\(\s*'([a-z-]+\.[a-z-]+)'/g));
  const declared = idsIn(source('src/reconcile/operations.ts'), /'([a-z-]+\.[a-z-]+)'/g);
  expect([...new Set(declared)].sort()).toEqual([...new Set(called)].sort());
  expect(called.length).toBeGreaterThan(8);
});

test('what is switched off needs nothing', () => {
  const path = folderOf({ 'c.yaml': `${LEAST}    products: { create: false, archive: false }\n` });
  const [account] = loadConfig(path('c.yaml'), {}).config.accounts;
  expect(account && FLOW_OPERATIONS.product(account)).toEqual(['products.list', 'products.patch']);
});
