import { afterEach, expect, it } from 'vitest';
import { PRODUCTS, productFile, SECTION, type TradingFolder, tradingFolder, whole } from './exchange-folder.ts';

let folder: TradingFolder | null = null;
afterEach(async () => {
  await folder?.close();
  folder = null;
});

/** A report for people, saved by a spreadsheet as "Unicode text". */
const REPORT = [
  'Bestandsliste Lager 1\t\t\t\t',
  'gedruckt am 23.11.2026 02:00 von MEIER\t\t\t\t',
  '',
  ' Art.-Nr. \tBezeichnung\tBestand\tStand\tGesperrt\t',
  'Warengruppe 10\t\t\t\t\t',
  '0815\t"Tee ""grün"", lose"\t1\u00a0234,50\t23.11.26 01:30\t\t',
  'A-100\tKaffee\t12,5-\t23.11.26 01:30\t\t',
  '',
  'Zwischensumme\t\t1\u00a0222,00\t\t\t',
  'Warengruppe 20\t\t\t\t\t',
  'B-200\tKakao\tn/a\t23.11.26 01:30\t\t',
  'C-300\tZucker\t7,00\t23.11.26 01:30\tX\t',
  'Summe\t\t1\u00a0229,00\t\t\t',
].join('\r\n');

const STOCK = {
  files: 'report-*.txt',
  format: 'csv',
  encoding: 'utf-16le',
  separator: '\t',
  decimal: ',',
  thousands: ' ',
  skip: 3,
  open_end: true,
  dates: 'dd.MM.yy HH:mm',
  time: { from: 'name', pattern: 'yyyyMMdd' },
  zone: 'Europe/Berlin',
  where: '$exists(Stand) and Stand != "" and Gesperrt != "X"',
  row: { sku: '`Art.-Nr.`', on_hand: 'Bestand', as_of: 'Stand' },
};

it('a report for people is read as described: titles, groups, sums and blank lines are no products', async () => {
  folder = tradingFolder({ ...SECTION, lists: { products: PRODUCTS, stock: STOCK } });
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(REPORT, 'utf16le')]);
  await folder.put('report-20261123.txt', bytes);
  const { items, invalidRows, codes, complete } = await whole(folder.erp().listStock(null));
  expect(codes).toEqual([]);
  expect(items.map(({ sku, onHand, asOf }) => [sku, onHand.toFixed(), asOf])).toEqual([
    ['0815', '1234.5', '2026-11-23T00:30:00Z'],
    ['A-100', '-12.5', '2026-11-23T00:30:00Z'],
  ]);
  // A cell that is no number is reported with its line, and does not count as zero.
  expect(invalidRows.map(({ sku, path, message }) => [sku, path, message])).toEqual([
    ['B-200', 'on_hand', expect.stringContaining('line 11')],
  ]);
  expect(complete).toBe(true);
});

it('a report whose columns changed overnight changes nothing, and its columns are reported', async () => {
  folder = tradingFolder({ ...SECTION, lists: { products: PRODUCTS, stock: STOCK } });
  await folder.put('products-20261123.csv', productFile(['0815']));
  const put = (name: string, text: string) =>
    folder?.put(name, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]));
  await put('report-20261122.txt', REPORT);
  const before = await whole(folder.erp().listStock(null));
  await put('report-20261123.txt', REPORT.replace('Bestand\tStand', 'Menge\tStand'));
  await expect
    .poll(async () => (await whole(folder?.erp().listStock(null))).codes, { timeout: 10_000 })
    .toEqual(['erp-file-columns']);
  const after = await whole(folder.erp().listStock(null));
  expect(after.items).toEqual(before.items);
});
