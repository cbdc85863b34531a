import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../cli/capture.ts';
import { draft, ENV, folder, sectionIn, settled } from './drafted.ts';

const EXPORTS = {
  'artikel-20261122.csv': 'Artikel-Nr;Bezeichnung;VK Preis;Gesperrt\nA-1;Alt;1,00;N\n',
  'artikel-20261123.csv':
    'Artikel-Nr;Bezeichnung;VK Preis;Gesperrt\r\nA-100;"Tee, grün";1.234,50;N\r\nB-200;Kaffee;2,80;J\r\n',
  'lagerbestand-20261123-0200.csv': 'Bestände der Nacht\nArtikel-Nr;Bestand;Reserviert\nA-100;40;4\nB-200;12,5;0\n',
  'auftraege.csv':
    'Auftragsnummer;Referenz;Status;Artikel-Nr;Menge;Einzelpreis;Geändert\nSO-1;1001;offen;A-100;2;1,50;23.11.2026 08:00\nSO-1;1001;offen;B-200;1,5;2,00;23.11.2026 08:00\nSO-2;;geliefert;A-100;1;1,50;23.11.2026 09:30\n',
  'umsatzsteuer.csv': 'Satz;Wert\n1;19\n',
};

test('a folder of exports with German headers and decimal commas becomes lists of files', async () => {
  const dir = folder(EXPORTS);
  const { stdout, exitCode } = await draft(dir);
  expect(exitCode).toBe(0);
  const { lists } = sectionIn(stdout);
  expect(lists['products']).toMatchObject({
    files: 'artikel-*.csv',
    decimal: ',',
    thousands: '.',
    time: { from: 'name', pattern: 'yyyyMMdd' },
    row: {
      sku: '`Artikel-Nr`',
      name: 'Bezeichnung',
      active: '$string(Gesperrt) = "N"',
      price: { amount: '`VK Preis`', currency: '"USD"' },
      unit_multiplier: 1,
    },
  });
  expect(lists['stock']).toMatchObject({
    files: 'lagerbestand-*.csv',
    skip: 1,
    time: { from: 'name', pattern: 'yyyyMMdd-HHmm' },
    row: { sku: '`Artikel-Nr`', on_hand: 'Bestand', reserved: 'Reserviert' },
  });
  expect(lists['orders']).toMatchObject({
    files: 'auftraege.csv',
    dates: 'dd.MM.yyyy HH:mm',
    row: {
      status: '$lookup({"offen":"draft","geliefert":"shipped"}, $string(Status))',
      lines: { sku: '`Artikel-Nr`', quantity: 'Menge', unit_price: 'Einzelpreis' },
      changed_at: '`Geändert`',
    },
  });
  expect(stdout).toContain('sku: "`Artikel-Nr`" # name matches sku; text; unique in 2 rows; e.g. A-100');
  expect(readdirSync(dir).sort()).toEqual(Object.keys(EXPORTS).sort());
});

test('the draft of exports reads the files that it was generated from', async () => {
  const dir = folder(EXPORTS);
  for (const name of Object.keys(EXPORTS)) utimesSync(join(dir, name), 1_900_000_000, 1_700_000_000);
  const { stdout } = await draft(dir);
  const file = settled(stdout, [['zone: UTC', 'stable_for: 50ms\n      zone: Europe/Berlin']]);
  expect(await run(['config', 'check', '--config', file], ENV)).toMatchObject({ exitCode: 0 });
  const read = async (list: string) => {
    const { stdout: text } = await run(['erp', 'try', list, '--config', file, '--json'], ENV);
    return JSON.parse(text) as { rows: unknown[]; invalidRows: unknown[]; failure: unknown };
  };
  expect(await read('products')).toMatchObject({
    failure: null,
    invalidRows: [],
    rows: [
      { sku: 'A-100', price: { amount: '1234.5' }, active: true },
      { sku: 'B-200', active: false },
    ],
  });
  expect(await read('stock')).toMatchObject({
    invalidRows: [],
    rows: [{ onHand: '40', reserved: '4', available: '36' }, {}],
  });
  expect(await read('orders')).toMatchObject({
    invalidRows: [],
    rows: [{ reference: '1001', lines: [{ sku: 'A-100' }, { sku: 'B-200' }], total: '6' }, { status: 'shipped' }],
  });
  expect(existsSync(join(dir, 'archive'))).toBe(true);
});

test('files in another encoding, in a subfolder, and without stock are described with what is missing', async () => {
  const dir = folder();
  mkdirSync(join(dir, 'out'));
  writeFileSync(
    join(dir, 'out', 'items.csv'),
    Buffer.from('item no,title,price\n1,Gr\u00fcner Tee,2.50\n2,Kaffee 5" lang,3.00\n', 'latin1'),
  );
  const { stdout, exitCode } = await draft(dir);
  expect(exitCode).toBe(0);
  expect(sectionIn(stdout).lists['products']).toMatchObject({
    files: 'out/items.csv',
    encoding: 'windows-1252',
    separator: ',',
    quote: null,
  });
  expect(stdout).toContain('# decide: which file has the stock; none looks like it');
  expect(await run(['config', 'check', '--config', settled(stdout, [])], ENV)).toMatchObject({ exitCode: 0 });
});

test('a folder of JSON files is drafted as exported files on request', async () => {
  const items = {
    items: [
      { sku: 'A-1', name: 'Tea', price: 2.5 },
      { sku: 'A-2', name: 'Coffee', price: 3 },
    ],
  };
  const dir = folder({ 'products-20261123.json': JSON.stringify(items) });
  const { stdout } = await draft(dir, '--as', 'files');
  expect(sectionIn(stdout)).toMatchObject({
    type: 'files',
    lists: { products: { files: 'products-*.json', row: { sku: 'sku' } } },
  });
});

test('the newest file of a name is the one that was changed last', async () => {
  const dir = folder({
    'stock-31-12-2025.csv': 'sku;old figure\nA-1;1\n',
    'stock-05-01-2026.csv': 'sku;on hand\nA-1;1\n',
    'products.csv': 'sku;name;price\nA-1;Tea;1\n',
  });
  utimesSync(join(dir, 'stock-31-12-2025.csv'), 1_767_139_200, 1_767_139_200);
  utimesSync(join(dir, 'stock-05-01-2026.csv'), 1_767_571_200, 1_767_571_200);
  const { stdout } = await draft(dir);
  expect(sectionIn(stdout).lists['stock']).toMatchObject({ row: { sku: 'sku', on_hand: '`on hand`' } });
});

test('a folder with very many kinds of files is reported as read in part', async () => {
  const others = Array.from({ length: 201 }, (_, at) => [`a${'x'.repeat(at)}.csv`, 'a;b\n1;2\n'] as const);
  const dir = folder({ ...Object.fromEntries(others), 'products.csv': 'sku;name;price\nA-1;Tea;1\n' });
  const { stdout } = await draft(dir);
  expect(stdout).toContain('# decide: whether a list is missing: 1 of 202 kinds of files were read, chosen by name');
  expect(sectionIn(stdout).lists['products']).toMatchObject({ files: 'products.csv' });
});
