import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useShelf } from './shelf.ts';

const shelf = useShelf();

/** A part of the store is called by its name, or by a function of that name. */
const isCalledIn = (text: string, name: string): boolean =>
  new RegExp(`\\b${name.replace('.', String.raw`(\(\))?\.`)}\\(`).test(text);

test('the contract suite calls every function of the interface, so that it can verify another store', () => {
  const dir = join(import.meta.dirname, 'contract');
  const suite = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
  const functions = Object.entries(shelf().store).flatMap(([part, methods]) =>
    typeof methods === 'function' ? `store.${part}` : Object.keys(methods as object).map((name) => `${part}.${name}`),
  );
  expect(functions.length).toBeGreaterThan(100);
  expect(functions.filter((name) => !suite.some((text) => isCalledIn(text, name)))).toEqual([]);
});
