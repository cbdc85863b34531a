import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FLOW_NAMES, FLOWS } from '../../src/flows/flows.ts';
import { actionTitle, writeText } from '../../src/use/action-titles.ts';

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

test('the brake that counts a write is no part of its title, and an unknown name stays', () => {
  expect([actionTitle('stock.write:zero'), actionTitle('drift:sold')]).toEqual(['set the stock', 'drift:sold']);
});

test.each([
  ['93', '38', 'set the stock: listing 70 from 93 to 38'],
  [null, '38', 'set the stock: listing 70, as 38'],
  ['93', null, 'set the stock: listing 70'],
])('a write from %s to %s is a part of a sentence', (before, after, text) => {
  expect(writeText({ action: 'stock.write', target: 'listing 70', before, after })).toBe(text);
});
