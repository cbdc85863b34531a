import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadAgain, loadUsable } from '../../src/config/load.ts';
import { takenOver } from '../../src/config/taken.ts';
import { folderOf, LEAST } from './folder.ts';

/** The section of an account of the least configuration, with another seller. */
function brand(sellerId: number, more = ''): string {
  const { main } = (parse(LEAST) as { accounts: { main: { marketplace: object } } }).accounts;
  return stringify({ ...main, marketplace: { ...main.marketplace, seller_id: sellerId } }) + more;
}

const ONLY_FILES = 'accounts_from: brands\n';
const WRONG = 'nonsense: true\n';

const namesOf = ({ config }: ReturnType<typeof loadUsable>) => config.accounts.map(({ name }) => name);
const leftOutOf = ({ config }: ReturnType<typeof loadUsable>) => config.unusable.map(({ account }) => account);

test.each<[string, string, string]>([
  ['has an unknown key', brand(13, WRONG), 'accounts.south.nonsense: unknown key'],
  ['is no YAML', 'a: [', 'accounts.south: '],
  ['is empty', '', 'accounts.south: is empty'],
  ['names a variable that is not set', brand(13).replace('app-key-1', `\${env:NOBODY}`), 'NOBODY is not set'],
  ['is of the seller of another account', brand(12), 'accounts.north is the same seller'],
  [
    'extends a preset that does not fit',
    brand(13).replace('marketplace:', 'marketplace:\n  extends: ./odd.yaml'),
    'odd.yaml:1:1',
  ],
])('an account whose file %s is left out alone, and the reason is reported', (_, south, reason) => {
  const at = folderOf({
    'c.yaml': ONLY_FILES,
    'odd.yaml': 'odd: 1\n',
    'brands/north.yaml': brand(12),
    'brands/south.yaml': south,
  });
  const loaded = loadUsable(at('c.yaml'), {});
  expect([namesOf(loaded), leftOutOf(loaded)]).toEqual([['north'], ['south']]);
  expect(loaded.config.unusable[0]?.problem).toContain(reason);
});

test('an account within the configuration itself is left out alone as well', () => {
  const at = folderOf({ 'c.yaml': `${ONLY_FILES}${LEAST}    currency: 7\n`, 'brands/north.yaml': brand(12) });
  const loaded = loadUsable(at('c.yaml'), {});
  expect([namesOf(loaded), leftOutOf(loaded)]).toEqual([['north'], ['main']]);
});

test('a file that is invalid itself, or without any usable account, is refused with every problem', () => {
  const at = folderOf({ 'c.yaml': `${ONLY_FILES}mode: odd\n`, 'brands/north.yaml': brand(12, WRONG) });
  expect(() => loadUsable(at('c.yaml'), {})).toThrow(/mode: expected[^]+accounts\.north\.nonsense/);
  writeFileSync(at('c.yaml'), ONLY_FILES);
  expect(() => loadUsable(at('c.yaml'), {})).toThrow('accounts.north.nonsense');
});

test('while the file itself is invalid, its last text applies, and the files of accounts are read', () => {
  const at = folderOf({ 'c.yaml': ONLY_FILES, 'brands/north.yaml': brand(12) });
  const first = loadUsable(at('c.yaml'), {});
  writeFileSync(at('c.yaml'), 'a: [');
  writeFileSync(at('brands/south.yaml'), brand(13));
  const second = loadAgain(at('c.yaml'), {}, first);
  expect([namesOf(second), leftOutOf(second)]).toEqual([['north', 'south'], ['']]);
  writeFileSync(at('brands/north.yaml'), 'a: [');
  rmSync(at('brands/south.yaml'));
  const third = loadAgain(at('c.yaml'), {}, second);
  expect([namesOf(third), leftOutOf(third)]).toEqual([
    ['north', 'south'],
    ['', 'north'],
  ]);
});

test('an invalid account keeps its earlier settings, and no other account may take its seller', () => {
  const at = folderOf({ 'c.yaml': ONLY_FILES, 'brands/north.yaml': brand(12), 'brands/south.yaml': brand(13) });
  const { accounts: before } = loadUsable(at('c.yaml'), {}).config;
  writeFileSync(at('brands/north.yaml'), brand(99, WRONG));
  writeFileSync(at('brands/other.yaml'), brand(12));
  writeFileSync(at('brands/south.yaml'), brand(13).replace('app-key-1', 'app-key-2'));
  const { accounts, unusable } = takenOver(before, loadUsable(at('c.yaml'), {}).config);
  expect(accounts.map(({ name, marketplace }) => [name, marketplace.sellerId])).toEqual([
    ['south', 13],
    ['north', 12],
  ]);
  expect(accounts[0]).not.toBe(before[1]);
  expect(accounts[1]).toBe(before[0]);
  expect(unusable.map(({ account }) => account)).toEqual(['north', 'other']);
});
