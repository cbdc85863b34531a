import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { FLOWS } from '../../src/flows/flows.ts';
import { OPERATIONS } from '../../src/marketplace/operations/table.ts';
import { folderOf, LEAST } from '../config/folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const source = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const OWN = 'src/flows/flows.ts';
/** The operations that a file names. */
const namedIn = (file: string) =>
  [...source(file).matchAll(/'([a-z-]+\.[a-z-]+)'/g)].flatMap(([, id = '']) =>
    Object.hasOwn(OPERATIONS, id) ? [id] : [],
  );

test('every operation that is called for the flows is declared by one of them, and none that is not', () => {
  const files = globSync('src/{shadow,flows}/**/*.ts', { cwd: ROOT }).filter((file) => file !== OWN);
  const called = new Set(files.flatMap(namedIn));
  expect(new Set(namedIn(OWN))).toEqual(called);
  expect(called.size).toBeGreaterThan(8);
});

test('what is switched off needs nothing', () => {
  const path = folderOf({ 'c.yaml': `${LEAST}    products: { create: false, archive: false }\n` });
  const [account] = loadConfig(path('c.yaml'), {}).config.accounts;
  expect(account && FLOWS.product.operations(account)).toEqual(['products.list', 'products.patch']);
});
