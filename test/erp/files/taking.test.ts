import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openView } from '../../../src/erp/files/view.ts';
import {
  PRODUCTS,
  productFile,
  SECTION,
  STOCK,
  stockFile,
  type TradingFolder,
  tradingFolder,
  whole,
} from './exchange-folder.ts';

let folder: TradingFolder | null = null;
afterEach(async () => {
  await folder?.close();
  folder = null;
});

const trading = (section: object = SECTION): TradingFolder => (folder = tradingFolder(section));

/** Waits until the next call takes a new look: looks within the time for which a file has to stay unchanged are one. */
const nextLook = (): Promise<void> => sleep(20);

const TEN = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`A-${at}`, `${at + 10}`]));

it('each scan of the folder is counted as a call, with its duration', async () => {
  const calls: { operation: string; status: unknown; durationMs: number }[] = [];
  folder = tradingFolder(SECTION, undefined, (call) => calls.push(call));
  await folder.erp().ping();
  expect(calls).toEqual([{ operation: 'LOOK files', status: 'ok', durationMs: expect.any(Number) }]);
});

it('a full file of the ERP is processed once, has its own time, and is in the archive afterwards', async () => {
  const { erp, put, names } = trading();
  await put('stock-20261123-0200.csv', stockFile({ 'A-1': '1.234,50', 'B-2': '-3' }).replace('1.234,50', '1234,50'));
  const { items, complete, asOf } = await whole(erp().listStock(null));
  expect(items.map(({ sku, available, asOf: at }) => [sku, available.toFixed(), at])).toEqual([
    ['A-1', '1234.5', '2026-11-23T01:00:00.000000Z'],
    ['B-2', '-3', '2026-11-23T01:00:00.000000Z'],
  ]);
  expect([complete, asOf]).toEqual([true, '2026-11-23T01:00:00.000000Z']);
  const left = await names();
  expect(left.filter((name) => name.startsWith('stock'))).toEqual([]);
  expect(left.some((name) => /^archive\/stock\/20261123T020000Z-\d+-stock-20261123-0200\.csv$/.test(name))).toBe(true);
});

it.each([
  ['the whole list', null],
  ['its changes', '1970-01-01T00:00:00Z'],
])('the pages of %s show one state, while the next file is merged between them', async (_what, since) => {
  const { erp, put, root } = trading();
  const figures = Object.fromEntries(Array.from({ length: 1_200 }, (__, at) => [`A-${at}`, '5']));
  await put('stock-20261123-0200.csv', stockFile(figures));
  const sizes: number[] = [];
  const seen = new Set<string>();
  for await (const { items, complete } of erp().listStock(since)) {
    sizes.push(items.length);
    for (const { available } of items) seen.add(available.toFixed());
    expect(complete).toBe(sizes.length === 3);
    const view = openView(join(root, 'data', 'files.db'));
    view.db.exec("UPDATE rows SET content = json_set(content, '$.on_hand', '9', '$.available', '9'), seen = seen + 1");
    view.close();
  }
  expect([sizes, [...seen]]).toEqual([[500, 500, 200], ['5']]);
});

it('a file that the ERP goes on writing while it is processed is read again', async () => {
  const { erp, put, names, state } = trading();
  const name = 'stock-20261123-0200.csv';
  await put(name, stockFile({ 'A-1': '1' }));
  state.fetched = () => put(name, stockFile({ 'A-1': '1', 'B-2': '2' }), '2026-11-23T02:00:30Z');
  await whole(erp().listStock(null));
  await nextLook();
  const { items } = await whole(erp().listStock(null));
  expect(items.map(({ sku }) => sku)).toEqual(['A-1', 'B-2']);
  expect(await names()).not.toContain(name);
});

it('a full file is read the same after a restart, and after the database was lost', async () => {
  const { erp, put, reopen, root } = trading();
  await put('stock-20261122-0200.csv', stockFile({ 'A-1': '1' }), '2026-11-22T02:00:00Z');
  await put('stock-20261123-0200.csv', stockFile({ 'A-1': '2' }));
  const before = await whole(erp().listStock(null));
  expect(before.items.map(({ available }) => available.toFixed())).toEqual(['2']);
  expect(await whole((await reopen()).listStock(null))).toEqual(before);
  await erp().close();
  const { rmSync } = await import('node:fs');
  for (const ending of ['', '-wal', '-shm']) rmSync(join(root, 'data', `files.db${ending}`), { force: true });
  expect(await whole((await reopen()).listStock(null))).toEqual(before);
});

it('rows that a full file no longer has leave the database', async () => {
  const { erp, put, root } = trading();
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`A-${at}`, '1']));
  await put('stock-20261122-0200.csv', stockFile({ ...many, 'CANARY-9': '1' }), '2026-11-22T02:00:00Z');
  await whole(erp().listStock(null));
  await nextLook();
  expect((await whole(erp().listStock(null))).items).toHaveLength(51);
  await put('stock-20261123-0200.csv', stockFile(many));
  await whole(erp().listStock(null));
  await nextLook();
  expect((await whole(erp().listStock(null))).items).toHaveLength(50);
  await erp().close();
  const kept = await readFile(join(root, 'data', 'files.db'));
  expect([kept.includes('A-9'), kept.includes('CANARY-9')]).toEqual([true, false]);
});

it('a full file returns the changes since the previous one, and no row twice', async () => {
  const { erp, put } = trading();
  await put('products-20261122.csv', productFile(['A', 'B', 'C']), '2026-11-22T02:00:00Z');
  const first = await whole(erp().listProducts(null));
  expect(first.items.map(({ sku, price }) => [sku, price.amount.toFixed()])).toEqual([
    ['A', '1.5'],
    ['B', '1.5'],
    ['C', '1.5'],
  ]);
  await nextLook();
  await put('products-20261123.csv', productFile(['A', 'B', 'D']).replace('Ware B', 'Neue B'));
  const since = await whole(erp().listProducts(first.asOf ?? null));
  expect(since.items.map(({ sku }) => sku)).toEqual(['B', 'D']);
  expect((await whole(erp().listProducts(since.asOf ?? null))).items).toEqual([]);
  const all = await whole(erp().listProducts(null));
  expect([all.items.map(({ sku }) => sku), all.complete]).toEqual([['A', 'B', 'D'], true]);
});

it('a file is not processed while it grows, nor before its .done file exists', async () => {
  const { erp, put } = trading({ ...SECTION, lists: { products: PRODUCTS, stock: { ...STOCK, done: true } } });
  await put('stock-20261123-0200.csv', stockFile({ 'A-1': '1' }));
  expect((await whole(erp().listStock(null))).codes).toEqual(['erp-file-none']);
  await put('stock-20261123-0200.csv.done', '');
  await nextLook();
  expect((await whole(erp().listStock(null))).items).toHaveLength(1);
});

describe('an implausible file changes nothing and is reported:', () => {
  const GOOD = stockFile(TEN);
  const later = 'stock-20261123-0300.csv';
  const faults: [what: string, content: string | Uint8Array, code: string, name?: string][] = [
    ['without a row', 'Artikel;Bestand\r\n', 'erp-file-empty'],
    ['without a byte', '', 'erp-file-empty'],
    ['with a tenth less', stockFile(Object.fromEntries(Object.entries(TEN).slice(0, 8))), 'erp-file-short'],
    ['cut in its last line', GOOD.slice(0, -3), 'erp-file-truncated'],
    ['with all rows twice', GOOD + GOOD.split('\r\n').slice(1).join('\r\n'), 'erp-file-doubled'],
    ['in another encoding', Buffer.from(GOOD.replace('A-1', 'Ä-1'), 'latin1'), 'erp-file-encoding'],
    ['in UTF-16', Buffer.from(`\ufeff${GOOD}`, 'utf16le'), 'erp-file-encoding'],
    ['with another column', GOOD.replace('Bestand', 'Menge'), 'erp-file-columns'],
    ['with another separator', GOOD.replaceAll(';', '\t'), 'erp-file-columns'],
    ['with an open quotation mark', GOOD.replace('A-3', '"A-3'), 'erp-file-unreadable'],
    ['with a decimal point', GOOD.replaceAll(/;(\d+)/g, ';$1.5'), 'erp-file-invalid-rows'],
    ['that is a login page', '<html><body>Please log in</body></html>\n', 'erp-file-columns'],
    ['older than the last', stockFile({ ...TEN, 'A-1': '99' }), 'erp-file-older', 'stock-20261122-0300.csv'],
    ['of the future', stockFile({ ...TEN, 'A-1': '99' }), 'erp-file-ahead', 'stock-20361123-0300.csv'],
    ['of no time', stockFile({ ...TEN, 'A-1': '99' }), 'erp-file-timeless', 'stock-heute.csv'],
    ['with a huge cell', GOOD.replace('A-3', `"${'x'.repeat(2_000_000)}"`), 'erp-file-large'],
    ['with a line feed in its name', GOOD, 'erp-file-odd', 'stock-\n20261123-0300.csv'],
  ];
  it.each(faults)(
    'a file that cannot be right changes nothing, and is reported: %s',
    async (_what, content, code, name = later) => {
      const { erp, put, exchange } = trading();
      await put('stock-20261123-0200.csv', GOOD);
      const before = await whole(erp().listStock(null));
      expect([before.codes, before.items.length]).toEqual([[], 10]);
      await nextLook();
      await put(name, content, '2026-11-23T03:00:00Z');
      const after = await whole(erp().listStock(null));
      expect(after.codes).toEqual([code]);
      expect([after.items, after.asOf, after.complete]).toEqual([before.items, before.asOf, true]);
      await nextLook();
      await writeFile(join(exchange, 'stock-20261123-0400.csv'), stockFile({ ...TEN, 'A-1': '98' }));
      const mended = await whole(erp().listStock(null));
      expect([mended.codes, mended.items.find(({ sku }) => sku === 'A-1')?.onHand.toFixed()]).toEqual([[], '98']);
    },
  );

  it('a repeated file, by whatever name, changes nothing, and is reported', async () => {
    const { erp, put, names } = trading({
      ...SECTION,
      lists: { products: PRODUCTS, stock: { ...STOCK, time: { from: 'mtime' } } },
    });
    await put('stock-1.csv', GOOD);
    const before = await whole(erp().listStock(null));
    await nextLook();
    await put('stock-2.csv', GOOD, '2026-11-23T03:00:00Z');
    const after = await whole(erp().listStock(null));
    expect([after.codes, after.asOf]).toEqual([['erp-file-again'], before.asOf]);
    expect((await names()).filter((name) => name.startsWith('stock'))).toEqual([]);
  });

  it('a link, a folder, and a file whose trailer states another count change nothing, and are reported', async () => {
    const trailer = { marks: 'ENDE', column: 2 };
    const { erp, put, exchange } = trading({ ...SECTION, lists: { products: PRODUCTS, stock: { ...STOCK, trailer } } });
    await put('stock-20261123-0200.csv', `${GOOD}ENDE;10`);
    expect((await whole(erp().listStock(null))).items).toHaveLength(10);
    await nextLook();
    await put('stock-20261123-0300.csv', `${GOOD}ENDE;12`);
    await mkdir(join(exchange, 'stock-20261123-0400.csv'));
    await symlink('/etc/passwd', join(exchange, 'stock-20261123-0500.csv'));
    const { codes, items } = await whole(erp().listStock(null));
    expect([codes, items.length]).toEqual([['erp-file-count', 'erp-file-odd', 'erp-file-odd'], 10]);
  });

  it('an implausible full file changes nothing, even with files of changes in another folder', async () => {
    const changes = { ...STOCK, files: 'changes/delta-*.csv' };
    const { erp, put } = trading({ ...SECTION, lists: { products: PRODUCTS, stock: STOCK, stock_changes: changes } });
    await put('stock-20261123-0200.csv', GOOD);
    await put('changes/delta-20261123-0300.csv', stockFile({ 'A-1': '5' }));
    await put('changes/delta-20261123-0100.csv', stockFile({ 'A-2': '5' }));
    await put('changes/delta-20261123-0400.csv', 'Artikel;Menge\r\nA-3;5\r\n');
    for (let look = 0; look < 2; look += 1) {
      const { codes, items } = await whole(erp().listStock(null));
      const figures = new Map(items.map(({ sku, onHand }) => [sku, onHand.toFixed()]));
      expect([codes, figures.get('A-1'), figures.get('A-2'), figures.get('A-3')]).toEqual([
        ['erp-file-columns'],
        '5',
        '12',
        '13',
      ]);
      await nextLook();
    }
  });

  it('a short file changes nothing unless a person says that it is right', async () => {
    const { erp, put } = trading();
    await put('stock-20261122-0200.csv', GOOD);
    await whole(erp().listStock(null));
    await put('stock-20261123-0200.csv', stockFile({ 'A-1': '7' }));
    await put('stock-20261123-0200.csv.accept', '');
    await nextLook();
    const { items, codes } = await whole(erp().listStock(null));
    expect([items.map(({ sku }) => sku), codes]).toEqual([['A-1'], []]);
  });
});

it('a file row with wrong numbers, missing figures, or a repeated SKU is set aside with its line', async () => {
  const { erp, put } = trading();
  const lines = [
    'Artikel;Bestand',
    'A;1',
    'B;viel',
    'C;',
    'D;4',
    'D;5',
    'E;1;2',
    ...'FGHIJKLMNOP'.split('').map((sku) => `${sku};1`),
  ];
  await put('stock-20261123-0200.csv', `${lines.join('\n')}\n`);
  const { items, invalidRows } = await whole(erp().listStock(null));
  expect(items.map(({ sku }) => sku).join('')).toBe('AFGHIJKLMNOP');
  expect(invalidRows.map(({ id, message }) => [id, message])).toEqual([
    ['B', 'on_hand: "viel" is no number of this style (line 3 of stock-20261123-0200.csv)'],
    ['C', expect.stringMatching(/line 4 of/)],
    ['D', 'it stands in the file more than once, with different values'],
    ['E', 'it has 3 cells, and the header has 2 (line 7 of stock-20261123-0200.csv)'],
  ]);
  const page = await erp().readStock(['A', 'B', 'Z']);
  expect([page.items.map(({ sku }) => sku), page.invalidRows.map(({ sku }) => sku), page.complete]).toEqual([
    ['A'],
    ['B'],
    true,
  ]);
});

describe('in the hour that the clocks show twice', () => {
  const AFTER = '2026-10-25T02:00:00Z';
  const stockNow = async ({ erp }: TradingFolder) => {
    await nextLook();
    const { items, codes } = await whole(erp().listStock(null));
    return { shown: items.map(({ sku, available, asOf }) => `${sku} ${available.toFixed()} ${asOf}`), codes };
  };

  it('a file of the second hour of a clock change is newer than one of the first', async () => {
    const own = trading();
    own.state.nowMs = Date.parse(AFTER);
    await own.put('stock-20261025-0245.csv', stockFile({ 'A-1': '7' }), '2026-10-25T00:45:00Z');
    expect(await stockNow(own)).toEqual({ shown: ['A-1 7 2026-10-25T00:45:00.000000Z'], codes: [] });
    await own.put('stock-20261025-0215.csv', stockFile({ 'A-1': '5' }), '2026-10-25T01:15:00Z');
    expect(await stockNow(own)).toEqual({ shown: ['A-1 5 2026-10-25T01:15:00.000000Z'], codes: [] });
    const since = await whole(own.erp().listStock('2026-10-25T00:45:00.000000Z'));
    expect(since.items.map(({ sku }) => sku)).toEqual(['A-1']);
    await own.put('stock-20261025-0245.csv', stockFile({ 'A-1': '3' }), '2026-10-25T01:45:00Z');
    expect(await stockNow(own)).toEqual({ shown: ['A-1 3 2026-10-25T01:45:00.000000Z'], codes: [] });
  });

  it('changes of the second hour of a clock change are newer than a list of the first', async () => {
    const changes = { ...STOCK, files: 'changes/delta-*.csv' };
    const own = trading({ ...SECTION, lists: { products: PRODUCTS, stock: STOCK, stock_changes: changes } });
    own.state.nowMs = Date.parse(AFTER);
    await own.put('stock-20261025-0245.csv', stockFile({ 'A-1': '7', 'A-2': '7' }), '2026-10-25T00:45:00Z');
    await stockNow(own);
    await own.put('changes/delta-20261025-0215.csv', stockFile({ 'A-2': '5' }), '2026-10-25T01:15:00Z');
    expect(await stockNow(own)).toEqual({
      shown: ['A-1 7 2026-10-25T00:45:00.000000Z', 'A-2 5 2026-10-25T01:15:00.000000Z'],
      codes: [],
    });
  });

  it('a time in a column during a clock change is read as the second hour when it has to be', async () => {
    const file = (time: string, available: string) => `Artikel;Bestand;Stand\r\nA-1;${available};${time}\r\n`;
    const stock = { ...STOCK, time: { from: 'column', column: 'Stand' }, dates: 'dd.MM.yyyy HH:mm' };
    const own = trading({ ...SECTION, lists: { products: PRODUCTS, stock } });
    own.state.nowMs = Date.parse(AFTER);
    await own.put('stock-1.csv', file('25.10.2026 02:45', '7'), '2026-10-25T00:45:00Z');
    await stockNow(own);
    await own.put('stock-2.csv', file('25.10.2026 02:15', '5'), '2026-10-25T01:15:00Z');
    expect(await stockNow(own)).toEqual({ shown: ['A-1 5 2026-10-25T01:15:00.000000Z'], codes: [] });
  });

  it.each([
    ['was changed in the first hour', '2026-10-25T00:50:00Z', '5', 'erp-file-older'],
    ['is a copy of one that was taken', '2026-10-25T01:15:00Z', '9', 'erp-file-again'],
  ])(
    'a file of the hour that clocks repeat counts as the first hour when it %s',
    async (_, changed, available, code) => {
      const own = trading();
      own.state.nowMs = Date.parse(AFTER);
      await own.put('stock-20261025-0215.csv', stockFile({ 'A-1': '9' }), '2026-10-25T00:15:00Z');
      await stockNow(own);
      await own.put('stock-20261025-0245.csv', stockFile({ 'A-1': '7' }), '2026-10-25T00:45:00Z');
      await stockNow(own);
      await own.put('stock-20261025-0215.csv', stockFile({ 'A-1': available }), changed);
      expect(await stockNow(own)).toEqual({ shown: ['A-1 7 2026-10-25T00:45:00.000000Z'], codes: [code] });
    },
  );
});
