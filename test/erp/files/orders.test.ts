import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ZERO } from '../../../src/domain/decimal.ts';
import type { CallFailure } from '../../../src/domain/failure.ts';
import type { ErpOrderDraft, ErpOrderLine } from '../../../src/erp/connector.ts';
import { storeOrderReports } from '../../../src/erp/files/acknowledge.ts';
import { filesErp } from '../../../src/erp/files/kind.ts';
import { orderRowOf } from '../../../src/erp/files/order-state.ts';
import { readOrder } from '../../../src/erp/files/stored-orders.ts';
import { openView } from '../../../src/erp/files/view.ts';
import { openWriter } from '../../../src/erp/files/writer.ts';
import type { Cut, Wire } from '../../../src/erp/wire.ts';
import { exact } from '../../support/units.ts';
import { ACKNOWLEDGEMENTS, SECTION, stockFile, type TradingFolder, tradingFolder, whole } from './exchange-folder.ts';

let folder: TradingFolder | null = null;
afterEach(async () => {
  await folder?.close();
  folder = null;
});
const trading = (section: object = SECTION, wire?: Wire): TradingFolder => (folder = tradingFolder(section, wire));
const nextLook = (): Promise<void> => sleep(20);

const draft = (reference = '1001'): ErpOrderDraft => ({
  reference,
  status: 'reserved',
  customer: { id: 'C-7', name: 'Müller; Söhne' },
  currency: 'EUR',
  lines: [
    { sku: 'A-1', quantity: exact('2.5'), unitPrice: exact('10.10') },
    { sku: 'B-2', quantity: exact('1'), unitPrice: exact('3') },
  ],
  discount: ZERO,
  shipping: ZERO,
  tax: ZERO,
  total: exact('28.25'),
  note: 'two\nlines',
});

const ack = (rows: string) => `Referenz;Auftrag;Status;Stand\n${rows}\n`;
/** The order as the contract has it. */
async function shownRow(t: TradingFolder): Promise<unknown> {
  await t.erp().findOrders('1001');
  const view = openView(join(t.root, 'data', 'files.db'));
  const order = readOrder(view, '1001');
  view.close();
  return order === null ? null : orderRowOf(order.id, order.written, order.told);
}

const TAKEN_AT = '2026-11-23T02:00:00Z';

const orderFiles = async ({ names }: TradingFolder) =>
  (await names('orders')).filter((name) => !name.startsWith('archive'));

it('an order file has the delivery address and day, and the key and case of each line, where its cells name them', async () => {
  const row = { Ort: 'ship_to.city', Termin: 'delivery_date', Zeile: 'line.key', Gebinde: 'line.unit_multiplier' };
  const section = {
    ...SECTION,
    orders_out: { files: 'orders/order-{reference}.csv', changes: 'replace', decimal: ',', row },
  };
  expect(filesErp.settings(filesErp.schema.parse({ ...section, type: 'files', dir: '.' })).capabilities).toMatchObject({
    orderDetails: true,
    tracking: false,
  });
  const { erp, read } = trading(section);
  const [line] = draft().lines;
  const lines = [{ ...(line as ErpOrderLine), key: '77', unitMultiplier: exact('2.5') }];
  await erp().createOrder({ ...draft(), lines, shipTo: { city: 'Reno' }, deliveryDate: '2030-02-01' });
  expect(await read('orders/order-1001.csv')).toBe('Ort;Termin;Zeile;Gebinde\r\nReno;2030-02-01;77;2,5\r\n');
});

it('an order file has the name of its reference, and is not written a second time', async () => {
  const { erp, read, names } = trading();
  const made = await erp().createOrder(draft());
  expect([made.id, made.reference, made.status]).toEqual(['order-1001', '1001', 'reserved']);
  expect(await erp().createOrder(draft())).toEqual(made);
  expect(await names('orders')).toEqual(['order-1001-r1.json']);
  const file: unknown = JSON.parse(await read('orders/order-1001-r1.json'));
  expect(file).toMatchObject({
    reference: '1001',
    revision: 1,
    status: 'reserved',
    lines: [{ sku: 'A-1', quantity: '2.5', unit_price: '10.1' }, { sku: 'B-2' }],
    total: '28.25',
  });
  expect(await erp().findOrders('1001')).toEqual([made]);
  expect(await erp().getOrder('order-1001')).toEqual(made);
  expect(await erp().getOrder('order-9')).toBeNull();
  expect((await erp().createOrder({ ...draft(), note: 'another' })).id).toBe(made.id);
  expect(await names('orders')).toEqual(['order-1001-r1.json', 'order-1001-r2.json']);
});

it("an order file is written as lines of CSV with the ERP's columns, encoding and decimal sign", async () => {
  const { erp, read } = trading({
    ...SECTION,
    orders_out: {
      files: 'in/{reference}.csv',
      encoding: 'windows-1252',
      decimal: ',',
      changes: 'replace',
      row: {
        Nr: 'reference',
        Kunde: 'customer.name',
        Artikel: 'line.sku',
        Menge: 'line.quantity',
        Stand: 'revision',
      },
    },
  });
  await erp().createOrder(draft());
  const text = Buffer.from((await folder?.read('in/1001.csv')) ?? '');
  expect(text.length).toBeGreaterThan(0);
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(join(folder?.exchange ?? '', 'in/1001.csv'));
  expect(new TextDecoder('windows-1252').decode(bytes)).toBe(
    'Nr;Kunde;Artikel;Menge;Stand\r\n1001;"Müller; Söhne";A-1;2,5;1\r\n1001;"Müller; Söhne";B-2;1;1\r\n',
  );
  expect(await read('in/1001.csv')).not.toBe('');
});

it.each([
  ['defused', "'=2+3;'-1+A1;-5;-5,25"],
  ['kept', '=2+3;-1+A1;-5;-5,25'],
])('an order file has texts that a spreadsheet would run %s', async (formulas, line) => {
  const row = { Kunde: 'customer.name', Notiz: 'note', Zahl: '"-5"', Betrag: '"-5,25"' };
  const { erp, read } = trading({
    ...SECTION,
    orders_out: { files: 'in/{reference}.csv', changes: 'replace', formulas, row },
  });
  await erp().createOrder({
    ...draft(),
    lines: draft().lines.slice(0, 1),
    customer: { name: '=2+3' },
    note: '-1+A1',
  });
  expect(await read('in/1001.csv')).toBe(`Kunde;Notiz;Zahl;Betrag\r\n${line}\r\n`);
});

it('an order file has the configured rights and group, whatever the umask', async () => {
  const before = process.umask(0o077);
  try {
    const group = String(process.getgid?.() ?? 0);
    const { erp, exchange } = trading({ ...SECTION, mode: '0640', group });
    await erp().createOrder(draft());
    const rights = async (path: string) => ((await stat(join(exchange, path))).mode & 0o777).toString(8);
    expect(await rights('orders/order-1001-r1.json')).toBe('640');
    expect(await rights('orders')).toBe('750');
  } finally {
    process.umask(before);
  }
  const section = {
    ...SECTION,
    type: 'files',
    sftp: { host: 'h', user: 'u', key: 'k', host_key: `SHA256:${'A'.repeat(43)}` },
  };
  expect(() => filesErp.schema.parse({ ...section, group: 'erp' })).toThrow(/the server gives the group/);
});

it('an order file has a name that no reference can redirect', async () => {
  const { erp, names } = trading();
  for (const reference of ['../../x', 'a/b', 'a\nb', 'CON:', 'ü']) await erp().createOrder(draft(reference));
  expect(await names('orders')).toEqual(
    [
      'order-%2E%2E%2F%2E%2E%2Fx-r1.json',
      'order-%C3%BC-r1.json',
      'order-CON%3A-r1.json',
      'order-a%0Ab-r1.json',
      'order-a%2Fb-r1.json',
    ].toSorted(),
  );
});

it('an acknowledged order is known with its number and the time of counting; before, it is written and unfinished', async () => {
  const t = trading();
  await t.put('stock-20261123-0200.csv', stockFile({ 'A-1': '10' }));
  await t.erp().createOrder(draft());
  expect(await shownRow(t)).toMatchObject({ finished: false });
  await nextLook();
  await t.put('acks/ack-20261123-0300.csv', ack('1001;SO-77;reserved;1'));
  const before = await whole(t.erp().listOrders(null));
  const [order] = before.items;
  expect(order).toMatchObject({ status: 'reserved', changedAt: '2026-11-23T03:00:00.000000Z' });
  expect(await shownRow(t)).toMatchObject({ counted_as_of: '2026-11-23T03:00:00.000000Z' });
  expect(await shownRow(t)).not.toHaveProperty('finished');
  expect(JSON.parse(order?.attributesText ?? '{}')).toEqual({ number: 'SO-77' });
  await nextLook();
  await t.put('acks/ack-20261123-0500.csv', ack('1001;SO-77;shipped;'));
  const since = await whole(t.erp().listOrders(before.asOf ?? null));
  expect(since.items.map(({ id, status }) => [id, status])).toEqual([['order-1001', 'shipped']]);
  await expect(t.erp().updateOrder('order-1001', { status: 'cancelled' })).rejects.toMatchObject({
    kind: 'refused',
    outcome: 'not-applied',
  });
});

it('an acknowledgement without a revision or lines counts for one file', async () => {
  const { revision: _revision, ...row } = ACKNOWLEDGEMENTS.row;
  const t = trading({ ...SECTION, acknowledgements: { ...ACKNOWLEDGEMENTS, row } });
  await t.erp().createOrder(draft());
  await nextLook();
  await t.put('acks/ack-20261123-0300.csv', 'Referenz;Auftrag;Status\n1001;SO-77;reserved\n');
  expect(await shownRow(t)).not.toHaveProperty('finished');
});

it('an acknowledgement of an earlier file does not acknowledge the later cancellation', async () => {
  const t = trading();
  await t.erp().createOrder(draft());
  const cancelled = await t.erp().updateOrder('order-1001', { status: 'cancelled' });
  expect(await shownRow(t)).toMatchObject({ status: 'cancelled', finished: false });
  expect(await orderFiles(t)).toEqual(['order-1001-r1.json', 'order-1001-r2.json']);
  expect(await t.erp().updateOrder('order-1001', { status: 'cancelled' })).toEqual(cancelled);
  await nextLook();
  await t.put('acks/ack-20261123-0300.csv', ack('1001;SO-77;reserved;1'));
  await t.erp().getOrder('order-1001');
  expect(await shownRow(t)).toMatchObject({ status: 'cancelled', finished: false });
  await nextLook();
  await t.put('acks/ack-20261123-0400.csv', ack('1001;SO-77;cancelled;2'));
  const over = await t.erp().getOrder('order-1001');
  expect([over?.status, over?.changedAt]).toEqual(['cancelled', '2026-11-23T04:00:00.000000Z']);
});

it('a refusal, or a missing acknowledgement, is reported', async () => {
  const t = trading();
  await t.erp().createOrder(draft('1'));
  await t.erp().createOrder(draft('2'));
  await nextLook();
  await t.put('acks/ack-20261123-0300.csv', 'Referenz;Auftrag;Status;Stand\n1;;refused;\n');
  t.state.nowMs += 5 * 3_600_000;
  const { notices } = await whole(t.erp().listOrders(null));
  expect(notices).toEqual([
    { code: 'erp-order-refused', params: { order: '1', problem: 'no reason was given' } },
    { code: 'erp-orders-unacknowledged', params: { count: 1, first: '2', within: '4h' } },
  ]);
});

it('an acknowledgement states short shipments line by line, and its unreadable rows are invalid rows of their order', async () => {
  const t = trading({
    ...SECTION,
    acknowledgements: {
      files: 'acks/*.csv',
      row: { reference: 'Ref', status: 'Status', lines: { sku: 'Art', shipped: 'Geliefert', given_up: 'Offen' } },
      decimal: ',',
    },
  });
  await t.erp().createOrder(draft('1'));
  await t.erp().createOrder(draft('2'));
  await nextLook();
  const rows = ['1;shipped;A-1;1,5;1', '1;shipped;B-2;1;0', '2;shipped;A-1;viel;0', ''];
  await t.put('acks/a.csv', `Ref;Status;Art;Geliefert;Offen\n${rows.join('\n')}`);
  const { items, invalidRows } = await whole(t.erp().listOrders(null));
  expect(items[0]?.lines.map(({ shipped, givenUp }) => [shipped?.toFixed(), givenUp?.toFixed()])).toEqual([
    ['1.5', '1'],
    ['1', '0'],
  ]);
  expect(invalidRows).toMatchObject([{ what: '2', id: 'order-2', message: expect.stringMatching(/line 4 of a\.csv/) }]);
});

describe('a write that is cut off', () => {
  const cases: [Cut, string[]][] = [
    ['not-applied', []],
    ['answer-lost', ['order-1001-r1.json']],
  ];
  it.each(cases)(
    'an interrupted write of an order file (%s) is found by the next read, and there is never a second file',
    async (cut, files) => {
      let cuts = 1;
      const t = trading(SECTION, { cut: () => (cuts-- > 0 ? cut : null) });
      const failure = (await t
        .erp()
        .createOrder(draft())
        .catch((error: unknown) => error)) as CallFailure;
      expect([failure.kind, failure.outcome]).toEqual(['unavailable', 'unknown']);
      await t.reopen();
      expect(await t.erp().findOrders('1001')).toHaveLength(files.length);
      expect(await t.names('orders')).toEqual(files);
      await t.erp().createOrder(draft());
      expect(await t.names('orders')).toEqual(['order-1001-r1.json']);
    },
  );

  it('an interrupted write is finished when the ERP acknowledged the file before the next read', async () => {
    let cuts = 1;
    const t = trading(SECTION, { cut: () => (cuts-- > 0 ? 'answer-lost' : null) });
    await t
      .erp()
      .createOrder(draft())
      .catch(() => {});
    await t.put('acks/ack-20261123-0300.csv', ack('1001;SO-77;reserved;1'));
    await t.reopen();
    expect(await shownRow(t)).toMatchObject({ attributes: { number: 'SO-77' } });
    expect(await shownRow(t)).not.toHaveProperty('finished');
  });

  it('an interrupted write counts the acknowledgement of the previous file', async () => {
    const t = trading();
    await t.erp().createOrder(draft());
    t.state.written = () => {
      const view = openView(join(t.root, 'data', 'files.db'));
      const row = { reference: '1001', number: 'SO-77', status: 'reserved', lines: [], changed_at: TAKEN_AT };
      storeOrderReports(view, 'ack', [{ line: 2, row }], TAKEN_AT);
      view.close();
    };
    await t.erp().updateOrder('order-1001', { status: 'draft' });
    await nextLook();
    expect(await shownRow(t)).toMatchObject({ finished: false, attributes: { number: 'SO-77' } });
    await nextLook();
    await t.put('acks/ack-20261123-0300.csv', ack('1001;SO-77;reserved;'));
    expect(await shownRow(t)).not.toHaveProperty('finished');
  });

  it('a write does not count as interrupted while another process is still writing', async () => {
    const t = trading(SECTION, { cut: () => 'not-applied' });
    await t
      .erp()
      .createOrder(draft())
      .catch(() => {});
    const other = openWriter(join(t.root, 'data', 'files-writer.db'));
    await other.alone(async () => {
      await expect(t.erp().findOrders('1001')).rejects.toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
    });
    expect(await t.erp().findOrders('1001')).toEqual([]);
    other.close();
  });

  it('written orders are known from the archive when the database is lost, and are not written again', async () => {
    const t = trading();
    const made = await t.erp().createOrder(draft());
    await nextLook();
    await t.put('acks/ack-20261123-0300.csv', ack('1001;SO-77;reserved;1'));
    const known = await t.erp().getOrder(made.id);
    await t.erp().close();
    for (const ending of ['', '-wal', '-shm']) await rm(join(t.root, 'data', `files.db${ending}`), { force: true });
    await t.reopen();
    expect(await t.erp().findOrders('1001')).toEqual([known]);
  });
});

it('an order that the ERP acknowledged is no longer changed where the description says so', async () => {
  const t = trading({ ...SECTION, orders_out: { changes: 'until-taken' } });
  await t.erp().createOrder(draft());
  const lines = [{ sku: 'A-1', quantity: exact('9'), unitPrice: exact('1') }];
  await t.erp().updateOrder('order-1001', { lines });
  expect(await orderFiles(t)).toEqual(['order-1001.json']);
  await rm(join(t.exchange, 'orders/order-1001.json'));
  await expect(t.erp().updateOrder('order-1001', { status: 'cancelled' })).rejects.toMatchObject({ kind: 'refused' });
  await expect(t.erp().updateOrder('order-2', { status: 'cancelled' })).rejects.toMatchObject({ kind: 'not-found' });
});
