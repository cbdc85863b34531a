import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FLOW_NAMES, FLOWS } from '../../src/flows/flows.ts';
import { actionTitle, targetText, writeText } from '../../src/use/action-titles.ts';

const FLOWS_OF = join(import.meta.dirname, '../../src/flows');
const sources = readdirSync(FLOWS_OF, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

test('every kind of write has a title', () => {
  const named = sources.flatMap((name) =>
    [...readFileSync(join(FLOWS_OF, name), 'utf8').matchAll(/\baction: '([a-z-]+\.[a-z-]+)'/g)].map(
      ([, action]) => action,
    ),
  );
  const written = FLOW_NAMES.flatMap((flow) => Object.values(FLOWS[flow].writes).flat());
  const all = [...new Set([...named, ...written])].filter((action) => action !== undefined);
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter((action) => actionTitle(action) === action)).toEqual([]);
});

test('every act of a person has a title, and so has every note of the program', () => {
  const src = join(import.meta.dirname, '../../src');
  const files = ['shadow', 'store/sql', 'use', 'daemon', 'flows/engine'].flatMap((dir) =>
    readdirSync(join(src, dir), { recursive: true, encoding: 'utf8' }).map((name) => join(src, dir, name)),
  );
  const named = files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(name, 'utf8').matchAll(/(?:\baction: |recordAct\(tx, \w+, )'([a-z.-]+)'/g)])
    .map(([, action = '']) => action);
  expect(named).toEqual(expect.arrayContaining(['brake.drop', 'map.link', 'pause', 'alert', 'read.hole']));
  expect([...new Set(named)].filter((action) => action !== 'test' && titleIsMissing(action))).toEqual([]);
});

/** The title of some acts is their own name. */
const titleIsMissing = (action: string) => actionTitle(action) === action && action.includes('.');

test('a title does not contain the brake that counts the write, and an unknown name stays', () => {
  expect([actionTitle('stock.write:zero'), actionTitle('of.later')]).toEqual(['set the stock', 'of.later']);
});

test('the target of an act on a write is described by the title of the write', () => {
  expect(targetText('product.price listing 1 (SB-1)')).toBe('change the price: listing 1 (SB-1)');
  expect(targetText('stock.write:zero listing 1')).toBe('set the stock: listing 1');
  expect(targetText('plan 1: price')).toBe('plan 1: price');
});

test.each([
  ['93', '38', 'set the stock: listing 70 from 93 to 38'],
  [null, '38', 'set the stock: listing 70, as 38'],
  ['93', null, 'set the stock: listing 70'],
])('a write from %s to %s is a part of a sentence', (before, after, text) => {
  expect(writeText({ action: 'stock.write', target: 'listing 70', before, after })).toBe(text);
});
