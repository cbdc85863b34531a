import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { SECTION, type TradingFolder, tradingFolder, whole } from './exchange-folder.ts';

/*
 * Contents that a nightly file may have in place of products, each with its result: a row is set aside with its line, or the file
 * gets a notice and changes nothing. No such file counts as an empty list. REST and databases have the same tests: bad-input,
 * sql/bad-input.
 */

let folder: TradingFolder | null = null;
afterEach(async () => {
  await folder?.close();
  folder = null;
});

const HEADER = 'Artikel;Name;Preis;Waehrung';
const SKUS = Array.from({ length: 12 }, (_, index) => `A-${index + 1}`);
const row = (sku: string) => `${sku};Ware ${sku};1,50;EUR`;
const file = (header = HEADER, change: (rows: string[]) => string[] = (rows) => rows) =>
  [header, ...change(SKUS.map(row)), ''].join('\r\n');
const first = (changed: string) => file(HEADER, ([, ...rows]) => [changed, ...rows]);

const LISTS = {
  ...SECTION.lists,
  products: {
    ...SECTION.lists.products,
    row: { sku: 'Artikel', name: 'Name', price: { amount: 'Preis', currency: 'Waehrung' } },
  },
};

/** The list after a good file, and then after this file. */
async function read(content: string | Uint8Array) {
  folder = tradingFolder({ ...SECTION, lists: LISTS });
  const { put, erp } = folder;
  await put('products-20261122.csv', file());
  const before = await whole(erp().listProducts(null));
  expect([before.items.length, before.codes]).toEqual([SKUS.length, []]);
  await sleep(20);
  await put('products-20261123.csv', content);
  return { before, after: await whole(erp().listProducts(null)) };
}

it.each<[string, string, string[], (string | RegExp)[]]>([
  ['a column that nobody knows', file(`${HEADER};Farbe`, (rows) => rows.map((one) => `${one};rot`)), SKUS, []],
  ['a field that is missing', first('A-1;Ware;;EUR'), SKUS.slice(1), [/^price\.amount .*line 2 of/]],
  ['a wrong type', first('A-1;Ware;teuer;EUR'), SKUS.slice(1), [/^price\.amount .*"teuer" is no number.*line 2 of/]],
  ['a price without its currency', first('A-1;Ware;1,50;'), SKUS.slice(1), [/^price\.currency .*line 2 of/]],
  ['a cell too many', first('A-1;Ware; lose;1,50;EUR'), SKUS.slice(1), [/5 cells, and the header has 4 \(line 2 of/]],
  ['a SKU twice', first('A-2;Andere;9,99;EUR'), ['A-3'], [/stands in the file more than once, with different values/]],
])(
  'an invalid row of a file is set aside with its line, and the others are read: %s',
  async (_what, content, skus, invalidRows) => {
    const { after } = await read(content);
    expect(after.items.map(({ sku }) => sku)).toEqual(expect.arrayContaining(skus));
    expect(after.invalidRows.map(({ path, message }) => `${path} ${message}`)).toEqual(
      invalidRows.map((told) => expect.stringMatching(told) as unknown),
    );
    // A row that is set aside is neither gone nor zero.
    expect(after.items.every(({ price }) => price.amount.greaterThan(0))).toBe(true);
  },
);

it('a price in another currency in a file is passed on unchanged, so that the product is held and not repriced', async () => {
  const { after } = await read(first('A-1;Ware;1,50;CHF'));
  expect([after.items.find(({ sku }) => sku === 'A-1')?.price.currency, after.invalidRows]).toEqual(['CHF', []]);
});

it.each<[string, string | Uint8Array, string]>([
  ['columns under another name overnight', file(HEADER.replace('Preis', 'VK')), 'erp-file-columns'],
  ['a page in place of a file', '<html><body>Bad gateway</body></html>\n', 'erp-file-columns'],
  ['JSON in place of a table', JSON.stringify({ items: [] }), 'erp-file-unreadable'],
  ['a quotation mark inside a cell', first('A-1;Rohr 1" Zoll;1,50;EUR'), 'erp-file-unreadable'],
  ['another encoding', Buffer.from(first('Ä-1;Größe;1,50;EUR'), 'latin1'), 'erp-file-encoding'],
  ['prices with a point throughout', file().replaceAll('1,50', '1.5.0'), 'erp-file-invalid-rows'],
  ['half of it', file(HEADER, (rows) => rows.slice(0, 6)), 'erp-file-short'],
  ['nothing', '', 'erp-file-empty'],
])('an invalid file changes nothing, and is reported: %s', async (_what, content, code) => {
  const { before, after } = await read(content);
  expect(after.codes).toEqual([code]);
  expect([after.items, after.complete]).toEqual([before.items, true]);
});
