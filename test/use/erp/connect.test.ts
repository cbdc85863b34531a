import { expect, test } from 'vitest';
import { CHECKS } from '../../../src/erp/promises/run.ts';
import { type Known, meaningOf, nextStep, placesOf } from '../../../src/use/erp/connect.ts';
import { settledText, variablesIn, waitingIn } from '../../../src/use/erp/waiting.ts';

const DRAFT = `# A first description.
# decide: whether a field is missing

version: 1
accounts:
  main:
    currency: USD # decide: the currency of all prices
    erp:
      type: sql
      auth: { token: \${env:ERP_TOKEN} }
      # decide: how many: two or three
      # a comment that stays
      lists:
        products:
          query: |
            select 1
            # decide: a comment of SQL
          size: 1 # decide: how many
      # decide: what a create needs
      writes: {}
    marketplace:
      key: \${env:MARKETPLACE_KEY}
`;

const waiting = waitingIn(DRAFT);
const at = (path: string) => {
  const found = waiting.find((one) => one.path.join('.') === path);
  if (found === undefined) throw new Error(`nothing waits at ${path}`);
  return found;
};

test('a part of a description waits where a comment on its line, or above it, begins with "decide:"', () => {
  expect(waiting.map(({ path, lines, value }) => [path.join('.'), lines, value?.is ?? null])).toEqual([
    ['version', { from: 1, to: 4 }, null],
    ['accounts.main.currency', { from: 7, to: 7 }, 'USD'],
    ['accounts.main.erp.lists', { from: 11, to: 18 }, null],
    ['accounts.main.erp.lists.products.size', { from: 18, to: 18 }, 1],
    ['accounts.main.erp.writes', { from: 19, to: 20 }, null],
  ]);
  expect(waitingIn('a: [')).toEqual([]);
});

test.each([
  ['accounts.main.currency', 'EUR', '    currency: EUR # the currency of all prices'],
  ['accounts.main.currency', '"EUR"', `    currency: '"EUR"' # the currency of all prices`],
  ['accounts.main.currency', 'a: b # c', '    currency: "a: b # c" # the currency of all prices'],
  ['accounts.main.currency', '12', '    currency: "12" # the currency of all prices'],
  ['accounts.main.currency', null, '    currency: USD # the currency of all prices'],
  ['accounts.main.erp.lists.products.size', '20', '          size: 20 # how many'],
  ['accounts.main.erp.lists.products.size', 'Menge', '          size: Menge # how many'],
  ['accounts.main.erp.writes', null, '      # what a create needs'],
])('%s is settled with %s, and nothing else changes', (path, typed, line) => {
  const after = settledText(DRAFT, at(path), typed);
  const changed = after.split('\n').filter((one, row) => one !== DRAFT.split('\n')[row]);
  expect(changed).toEqual([line]);
  expect(waitingIn(after)).toHaveLength(waiting.length - 1);
});

test('a description means the same with another comment, and something else with another value', () => {
  expect(meaningOf(settledText(DRAFT, at('accounts.main.currency'), null))).toBe(meaningOf(DRAFT));
  expect(meaningOf(settledText(DRAFT, at('accounts.main.currency'), 'EUR'))).not.toBe(meaningOf(DRAFT));
});

test('the variables of a description are found by their places, also within braces', () => {
  expect([...variablesIn(DRAFT)].map(([name, path]) => [name, path.join('.')])).toEqual([
    ['ERP_TOKEN', 'accounts.main.erp.auth.token'],
    ['MARKETPLACE_KEY', 'accounts.main.marketplace.key'],
  ]);
});

const READ = { failure: null, rows: [{}], invalidRows: [] } as never;
const NOT_READ = { failure: null, rows: [], invalidRows: [{}] } as never;
const ALL_READ = new Map([
  ['products', READ],
  ['stock', READ],
  ['orders', READ],
]);
const finding = (name: string, result: string) => ({ name, result }) as never;
const KEPT = [finding('ping', 'kept'), finding('create', 'not-tested')];
const [, currency, , , writes] = waiting as [never, never, never, never, never];

/** A description that is right, before anything was tried. */
const RIGHT: Known = {
  text: DRAFT,
  waiting: [],
  unset: [],
  wrong: null,
  tried: new Map(),
  findings: null,
  skus: [],
  later: new Set(),
};
const later = (...names: string[]) => new Set(names);

test.each<[string, Partial<Known>, object]>([
  ['nothing is there', { text: null }, { does: 'draft' }],
  [
    'lines wait, before anything else is looked at',
    { waiting: [currency, writes], unset: ['ERP_TOKEN'], wrong: 'wrong' },
    { does: 'settle', name: 'line accounts.main.currency', left: 2 },
  ],
  [
    'a line was put off',
    { waiting: [currency], unset: ['ERP_TOKEN'], wrong: 'wrong', later: later('line accounts.main.currency') },
    { does: 'place-secret', variable: 'ERP_TOKEN' },
  ],
  ['the configuration is wrong', { wrong: 'wrong' }, { does: 'correct', problem: 'wrong' }],
  ['nothing was tried, and the writes wait', { waiting: [writes] }, { does: 'try', list: 'products' }],
  ['products were read', { tried: new Map([['products', READ]]) }, { does: 'try', list: 'stock' }],
  [
    'no row of products fits',
    { tried: new Map([['products', NOT_READ]]) },
    { does: 'mend-list', name: 'list products', list: 'products' },
  ],
  [
    'that was put off',
    { tried: new Map([['products', NOT_READ]]), later: later('list products') },
    { does: 'try', list: 'stock' },
  ],
  ['all lists were read', { tried: ALL_READ }, { does: 'check' }],
  [
    'two promises are broken',
    { tried: ALL_READ, findings: [finding('as-of', 'broken'), finding('stock-sum', 'broken')] },
    { does: 'mend', name: 'promise as-of' },
  ],
  [
    'the first of them was put off',
    {
      tried: ALL_READ,
      findings: [finding('as-of', 'broken'), finding('stock-sum', 'broken')],
      later: later('promise as-of'),
    },
    { does: 'mend', name: 'promise stock-sum' },
  ],
  [
    'all reads are proven, and the writes wait',
    { tried: ALL_READ, findings: KEPT, waiting: [writes] },
    { does: 'settle', name: 'line accounts.main.erp.writes', left: 1 },
  ],
  ['nothing waits, and the writes are not proven', { tried: ALL_READ, findings: KEPT }, { does: 'name-products' }],
  ['that was put off', { tried: ALL_READ, findings: KEPT, later: later('writes') }, { does: 'end' }],
  ['the writes are proven', { tried: ALL_READ, findings: KEPT, skus: ['A', 'B'] }, { does: 'end' }],
])('erp connect names the next step when %s', (_, known, step) => {
  expect(nextStep({ ...RIGHT, ...known })).toMatchObject(step);
});

test.each(CHECKS.map(({ name }) => name))('the part of a description behind the promise %s is known', (name) => {
  expect(placesOf(name)).not.toEqual([]);
});
