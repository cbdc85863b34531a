import { deflateRawSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { numberText } from '../../../src/erp/files/cells.ts';
import { timeIn, timeOf } from '../../../src/erp/files/times.ts';
import { PRODUCTS, SECTION, type TradingFolder, tradingFolder, whole } from './exchange-folder.ts';
import { zipOf } from './zip.ts';

let folder: TradingFolder | null = null;
afterEach(async () => {
  await folder?.close();
  folder = null;
});

const STOCK = {
  files: 'stock-*.xlsx',
  time: { from: 'name', pattern: 'yyyyMMdd' },
  zone: 'Europe/Berlin',
  row: { sku: 'Artikel', on_hand: 'Bestand', as_of: 'Stand' },
};
const trading = (stock: object): TradingFolder =>
  (folder = tradingFolder({ ...SECTION, lists: { products: PRODUCTS, stock } }));

const SHARED =
  '<sst><si><t>Artikel</t></si><si><t>Bestand</t></si><si><t>Stand</t></si><si><r><t>A-</t></r><r><t>1</t></r></si></sst>';
const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>';
const book = (rows: string, styles = STYLES) =>
  zipOf({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Lager" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/sharedStrings.xml': SHARED,
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>${rows}</sheetData></worksheet>`,
  });

it('an XLSX sheet has texts, exact numbers and dates, also with missing cells', async () => {
  const { erp, put } = trading(STOCK);
  const rows =
    '<row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2"><v>12.300000000000001</v></c><c r="C2" s="1"><v>46348.25</v></c></row>' +
    '<row r="4"><c r="A4" t="inlineStr"><is><t>B-2</t></is></c><c r="B4"><v>1E2</v></c><c r="C4"><v>x</v></c></row>' +
    '<row r="6"><c r="A6"><v>4711</v></c><c r="B6"><v>1E2</v></c><c r="C6" s="1"><v>46348</v></c></row>' +
    '<row r="5"><c r="A5" t="inlineStr"><is><t>C-3</t></is></c></row>';
  await put('stock-20261123.xlsx', book(rows));
  const { items, invalidRows, codes } = await whole(erp().listStock(null));
  expect(codes).toEqual([]);
  expect(items.map(({ sku, onHand, asOf }) => [sku, onHand.toFixed(), asOf])).toEqual([
    ['4711', '100', '2026-11-21T23:00:00Z'],
    ['A-1', '12.3', '2026-11-22T05:00:00Z'],
  ]);
  expect(invalidRows.map(({ id, path }) => [id, path])).toEqual([
    ['B-2', expect.stringMatching(/as_of/)],
    ['C-3', 'on_hand'],
  ]);
});

it('a SKU in an XLSX sheet is read as it is displayed, where its cell format pads a number, and figures as numbers', async () => {
  const { erp, put } = trading({ ...STOCK, row: { sku: 'Artikel', on_hand: 'Bestand' } });
  const codes = ['00000', '"ART-"0000', '000-000', '#,##0.00', '0" Stk"', '00000'];
  const styles = `<styleSheet><numFmts>${codes
    .map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
    .join(
      '',
    )}</numFmts><cellXfs><xf numFmtId="0"/>${codes.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}</cellXfs></styleSheet>`;
  const rows = [
    [123, 1],
    [123, 2],
    [4711, 3],
    [1234567, 1],
  ].map(
    ([sku, style], at) =>
      `<row r="${at + 2}"><c r="A${at + 2}" s="${style}"><v>${sku}</v></c><c r="B${at + 2}" s="${[4, 5, 6, 0][at]}"><v>${at + 7}</v></c></row>`,
  );
  await put('stock-20261123.xlsx', book(rows.join(''), styles));
  const { items } = await whole(erp().listStock(null));
  expect(items.map(({ sku, onHand }) => [sku, onHand.toFixed()])).toEqual([
    ['00123', '7'],
    ['004-711', '9'],
    ['1234567', '10'],
    ['ART-0123', '8'],
  ]);
});

it('an XLSX figure that would fill the memory with zeros is set aside, and the others are read', async () => {
  const { erp, put } = trading({ ...STOCK, row: { sku: 'Artikel', on_hand: 'Bestand' } });
  const figures = ['1E10', '1E300000', '1E-300000'];
  const rows = figures.map(
    (figure, at) => `<row r="${at + 2}"><c r="A${at + 2}"><v>${at}</v></c><c r="B${at + 2}"><v>${figure}</v></c></row>`,
  );
  await put('stock-20261123.xlsx', book(rows.join('') + rows[0]?.replace('>0<', '>9<')));
  const { items, invalidRows } = await whole(erp().listStock(null));
  expect(items.map(({ sku, onHand }) => [sku, onHand.toFixed()])).toEqual([
    ['0', '10000000000'],
    ['9', '10000000000'],
  ]);
  expect(invalidRows.map(({ id, message }) => [id, message])).toEqual([
    ['1', expect.stringMatching(/1E300000/)],
    ['2', expect.stringMatching(/1E-300000/)],
  ]);
});

it.each([
  [
    'with a formula',
    book('<row r="2"><c r="A2"><f>1+1</f><v>2</v></c></row>'),
    'erp-file-unreadable',
    /A2 holds a formula/,
  ],
  ['that is none', 'Artikel;Bestand\r\n', 'erp-file-unreadable', /no sheet in XLSX/],
  [
    'that unpacks to gigabytes',
    zipOf({ 'xl/workbook.xml': '<workbook/>' }, [
      'xl/sharedStrings.xml',
      deflateRawSync(`<sst>${`<a>${'x'.repeat(900_000)}</a>`.repeat(60)}`),
    ]),
    'erp-file-large',
    /unpacks to more/,
  ],
  [
    'with entities of its own',
    zipOf({ 'xl/sharedStrings.xml': '<!DOCTYPE x [<!ENTITY a "b">]><sst/>' }),
    'erp-file-unreadable',
    /document type/,
  ],
  [
    'with elements inside elements',
    zipOf({ 'xl/sharedStrings.xml': '<a>'.repeat(100_000) }),
    'erp-file-unreadable',
    /nested more than 64 levels/,
  ],
  [
    'with a text that does not end',
    zipOf({ 'xl/sharedStrings.xml': `<sst>${'x'.repeat(2_000_000)}` }),
    'erp-file-unreadable',
    /1000000 characters without an element/,
  ],
  [
    'with an attribute that does not end',
    zipOf({ 'xl/sharedStrings.xml': `<sst a="${'x'.repeat(2_000_000)}` }),
    'erp-file-unreadable',
    /1000000 characters without an element/,
  ],
  [
    'with attributes without number',
    zipOf({ 'xl/sharedStrings.xml': `<sst ${Array.from({ length: 2_000 }, (_, at) => `a${at}=""`).join(' ')}/>` }),
    'erp-file-unreadable',
    /too many attributes/,
  ],
  [
    'with texts without number',
    zipOf({ 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(4_000_001)}</sst>` }),
    'erp-file-large',
    /more than 4000000 texts/,
  ],
  [
    'with styles without number',
    zipOf({ 'xl/styles.xml': `<styleSheet><cellXfs>${'<xf/>'.repeat(70_000)}</cellXfs></styleSheet>` }),
    'erp-file-large',
    /more than 65536 styles/,
  ],
  [
    'with a format of a number that does not end',
    book('', `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(20_000)}"/></numFmts></styleSheet>`),
    'erp-file-large',
    /more than 255 characters in the format of a number/,
  ],
  [
    'whose cells all repeat one long text',
    zipOf({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Lager"/></sheets></workbook>',
      'xl/sharedStrings.xml': `<sst><si><t>Artikel</t></si><si><t>${'x'.repeat(90_000)}</t></si></sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet><row><c t="s"><v>0</v></c></row><row>${'<c t="s"><v>1</v></c>'.repeat(900)}</row></worksheet>`,
    }),
    'erp-file-large',
    /unpacks to more/,
  ],
])('the XLSX sheet %s changes nothing, and is reported', async (_what, content, code, problem) => {
  folder = tradingFolder({ ...SECTION, max_size: 2_000_000, lists: { products: PRODUCTS, stock: STOCK } });
  await folder.put('stock-20261123.xlsx', content);
  const { notices, items } = await whole(folder.erp().listStock(null));
  expect(items).toEqual([]);
  expect(notices.find((one) => one.code === code)?.params).toMatchObject({ problem: expect.stringMatching(problem) });
});

it('a JSON file has its rows with every digit, and its own count', async () => {
  const json = {
    ...STOCK,
    files: 'stock-*.json',
    rows: 'positions',
    count: 'n',
    row: { sku: 'nr', on_hand: 'menge' },
  };
  const { erp, put } = trading(json);
  await put(
    'stock-20261123.json',
    '{"n": 2, "positions": [{"nr": "A", "menge": 12.3456789012345678901}, {"nr": 7, "menge": "5"}]}',
  );
  const { items } = await whole(erp().listStock(null));
  expect(items.map(({ sku, onHand }) => [sku, onHand.toFixed()])).toEqual([
    ['7', '5'],
    ['A', '12.3456789012345678901'],
  ]);
});

it('a JSON file that is truncated, or states another count, changes nothing', async () => {
  const json = { ...STOCK, files: 'stock-*.json', count: 'n', row: { sku: 'nr', on_hand: 'menge' } };
  const { erp, put } = trading(json);
  await put('stock-20261122.json', '{"n": 2, "items": [{"nr": "A", "menge": 1}');
  await put('stock-20261123.json', '{"n": 2, "items": [{"nr": "A", "menge": 1}]}');
  expect((await whole(erp().listStock(null))).codes).toEqual([
    'erp-file-none',
    'erp-file-unreadable',
    'erp-file-count',
  ]);
});

it.each([
  ['1.234,50', ',', '.', '1234.50'],
  ['12,5-', ',', '', '-12.5'],
  ['12.5', ',', '', null],
  ['1.5', ',', '.', null],
  ['1,234.5', '.', ',', '1234.5'],
  ['1,5', '.', '', null],
  ["1'000", '.', "'", '1000'],
  ['1 000,5', ',', ' ', '1000.5'],
  ['abc', '.', '', null],
  ['--5', '.', '', null],
] as const)('a number is read as declared: %s with decimal %s and thousands %s', (text, decimal, thousands, number) => {
  expect(numberText(text, { decimal, thousands })).toBe(number);
});

it('a date is a span of a day, an ambiguous hour is either one, and no date is guessed', () => {
  const zone = 'Europe/Berlin';
  expect(timeIn('stock-20261123.csv', { pattern: 'yyyyMMdd', zone })).toEqual({
    from: '2026-11-22T23:00:00Z',
    to: '2026-11-23T22:59:59Z',
  });
  expect(timeOf('25.10.2026 02:30', { pattern: 'dd.MM.yyyy HH:mm', zone }, zone)).toEqual({
    from: '2026-10-25T00:30:00Z',
    to: '2026-10-25T01:30:00Z',
  });
  expect(timeOf('31.02.2026', { pattern: 'dd.MM.yyyy', zone }, zone)).toBeNull();
  expect(timeOf('2026-11-23T02:00:00+02:00', null, zone)?.from).toBe('2026-11-23T00:00:00Z');
  expect(timeOf('11/23/2026', null, zone)).toBeNull();
});
