import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { READS, type ReadName } from '../../src/shadow/collections.ts';
import { run } from '../cli/capture.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { tamper } from '../support/tamper.ts';
import { type Door, openDoor, retold } from '../support/twisted.ts';

const FUTURE = '9999-12-31T23:59:59Z';

async function openShop(): Promise<{ stage: Stage; place: () => string; doors: Record<'marketplace' | 'erp', Door> }> {
  const doors: Partial<Record<'marketplace' | 'erp', Door>> = {};
  const stage = await openStage({
    through: async (side, url) => {
      const door = await openDoor(url);
      doors[side] = door;
      return door;
    },
  });
  stage.erp.control.seed(2);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const place = () => stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] }).number;
  return { stage, place, doors: doors as Record<'marketplace' | 'erp', Door> };
}

/** The orders of one answer are dated far in the future. */
function dateOrders(door: Door, stamp: string): void {
  door.twist = (answer) =>
    answer.target.startsWith('/api/v2/orders-received/?') && answer.status === 200
      ? retold(answer, (page: { results: object[] }) => ({
          ...page,
          results: page.results.map((row) => ({ ...row, modified: stamp })),
        }))
      : answer;
}

const look = (stage: Stage, name: ReadName): Promise<unknown> =>
  READS[name](stage.context(), { key: 'all', lane: 'poll', signal: new AbortController().signal });

const codesOf = async (stage: Stage): Promise<string[]> =>
  (await alertsOf(stage.context())).flatMap(({ causes }) => causes.map(({ code }) => code));

test('an order dated in the future is exported and reported, and later orders are not missed', async () => {
  const { stage, place, doors } = await openShop();
  const first = place();
  dateOrders(doors.marketplace, FUTURE);
  await stage.sync();
  expect(stage.erp.control.findOrders(first)).toHaveLength(1);
  expect(await codesOf(stage)).toContain('rows-ahead');
  const cursor = await stage.store().cursors.get('main', 'orders');
  expect(cursor?.value ?? '').not.toMatch(/^9999/);
  doors.marketplace.twist = null;
  const second = place();
  await stage.sync();
  expect(stage.erp.control.findOrders(second)).toHaveLength(1);
  expect(await codesOf(stage)).not.toContain('rows-ahead');
});

test.each([
  ['of a row without a zone, on a marketplace that names zones', false],
  ['of such a row that moved the cursor before', true],
])('an order time %s does not hide the orders of half a day', async (_, isFirst) => {
  const { stage, place, doors } = await openShop();
  if (!isFirst) {
    place();
    await stage.sync();
  }
  place();
  dateOrders(doors.marketplace, new Date(Date.now() + 13 * 60 * 60_000).toISOString().slice(0, 19));
  await stage.sync();
  if (!isFirst) expect(await codesOf(stage)).toContain('rows-ahead');
  doors.marketplace.twist = null;
  const second = place();
  await stage.sync();
  expect(stage.erp.control.findOrders(second)).toHaveLength(1);
  expect(await codesOf(stage)).not.toContain('rows-ahead');
});

test('a row from the future hides no orders on a marketplace whose own time is unreadable', async () => {
  const { stage, place, doors } = await openShop();
  const [first, untold] = [place(), { date: 'soon' }];
  const clockless: Door['twist'] = (answer) => ({ ...answer, headers: { ...answer.headers, ...untold } });
  dateOrders(doors.marketplace, FUTURE);
  const dated = doors.marketplace.twist;
  doors.marketplace.twist = (answer) => clockless({ ...answer, ...dated?.(answer) });
  await stage.sync();
  expect(stage.erp.control.findOrders(first)).toHaveLength(1);
  expect(await codesOf(stage)).toContain('rows-ahead');
  expect((await stage.store().cursors.get('main', 'orders'))?.value ?? '').not.toMatch(/^9999/);
  doors.marketplace.twist = clockless;
  const second = place();
  await stage.sync();
  expect(stage.erp.control.findOrders(second)).toHaveLength(1);
  expect(await codesOf(stage)).not.toContain('rows-ahead');
});

test('an order whose date was wrong once is accepted with its right date', async () => {
  const { stage, place, doors } = await openShop();
  const number = place();
  dateOrders(doors.marketplace, FUTURE);
  await stage.sync();
  doors.marketplace.twist = null;
  stage.marketplace.cancel(number);
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toMatchObject([{ status: 'cancelled' }]);
});

/** Every list counts its rows, but shows none. */
const withoutRows: Door['twist'] = (answer) =>
  answer.status === 200 && answer.body.includes('"results"')
    ? retold(answer, (page: object) => ({ ...page, results: [], next: null }))
    : answer;

test('a marketplace that counts listings and returns none is not taken for empty: nothing is listed again', async () => {
  const { stage, doors } = await openShop();
  await stage.stop();
  for (const file of ['stockbridge.db', 'stockbridge.db-wal', 'stockbridge.db-shm'])
    rmSync(join(stage.dir, 'data', file), { force: true });
  doors.marketplace.twist = withoutRows;
  await stage.start();
  await look(stage, 'read:all-erp-products');
  await expect(look(stage, 'read:all-products')).rejects.toThrow(/says that it has 2 rows, and shows none/);
  doors.marketplace.twist = null;
  await stage.sync();
  expect(stage.marketplace.products()).toHaveLength(2);
});

test('a list that has fewer rows than it says is reported until it has them', async () => {
  const { stage, place, doors } = await openShop();
  place();
  await stage.sync();
  doors.marketplace.twist = withoutRows;
  await look(stage, 'read:orders');
  expect(await codesOf(stage)).toEqual(['list-short']);
  doors.marketplace.twist = null;
  await look(stage, 'read:orders');
  expect(await codesOf(stage)).toEqual([]);
});

/** From now on, the clock of the marketplace is ahead, and so are the dates of its orders. */
function setClock(door: Door, aheadMs: number): void {
  const at = new Date(Date.now() + aheadMs);
  dateOrders(door, at.toISOString());
  const dated = door.twist;
  door.twist = (answer) => {
    const told = dated?.(answer) ?? answer;
    return { ...told, headers: { ...told.headers, date: at.toUTCString() } };
  };
}

const MINUTE_MS = 60_000;

test.each([
  ['50 minutes', 50 * MINUTE_MS],
  ['thousands of years', Date.parse('9000-01-01T00:00:00Z') - Date.now()],
])('a marketplace whose clock was ahead by %s is read normally once it is right again', async (_, aheadMs) => {
  const { stage, place, doors } = await openShop();
  const number = place();
  await stage.sync();
  setClock(doors.marketplace, aheadMs);
  await look(stage, 'read:orders');
  doors.marketplace.twist = null;
  stage.marketplace.cancel(number);
  const next = place();
  await look(stage, 'read:orders');
  const told = await stage.store().journal.of('main', 'read', 'orders', 10);
  expect(told.map(({ action }) => action)).toContain('read.pulled-back');
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toMatchObject([{ status: 'cancelled' }]);
  expect(stage.erp.control.findOrders(next)).toHaveLength(1);
});

test.each(['orders', 'products', 'erp-orders', 'erp-stock', 'erp-products'] as const)(
  'a cursor of %s that is ahead by less than our clock can detect is corrected by the next answer',
  async (collection) => {
    const { stage, place } = await openShop();
    place();
    await stage.sync();
    const ahead = new Date(Date.now() + 50 * MINUTE_MS).toISOString();
    await tamper(stage, 'update cursors set value = ? where collection = ?', ahead, collection);
    await tamper(stage, 'update coverage set to_instant = ? where collection = ?', ahead, collection);
    await look(stage, `read:${collection}`);
    const told = await stage.store().journal.of('main', 'read', collection, 10);
    expect(told.map(({ action }) => action)).toContain('read.pulled-back');
    expect(await codesOf(stage)).toContain('cursor-ahead');
    await look(stage, `read:${collection}`);
    expect(await codesOf(stage)).not.toContain('cursor-ahead');
  },
);

test.each(['orders', 'products', 'erp-orders', 'erp-stock', 'erp-products'] as const)(
  'a cursor of %s that lies in the future is corrected, and the gap is read',
  async (collection) => {
    const { stage, place } = await openShop();
    place();
    await stage.sync();
    await tamper(stage, 'update cursors set value = ? where collection = ?', FUTURE, collection);
    await tamper(stage, 'update coverage set to_instant = ? where collection = ?', FUTURE, collection);
    const missed = place();
    const shown = await run(['status', '--coverage', '--config', stage.configFile]);
    expect(shown.stdout).toMatch(new RegExp(`${collection} .*\\n.*in the future`));
    const doctor = await run(['doctor', '--config', stage.configFile]);
    expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(
      `the read position of ${collection}, ${FUTURE}, is in the future`,
    );
    await stage.sync();
    expect(stage.erp.control.findOrders(missed)).toHaveLength(1);
    expect((await stage.store().cursors.get('main', collection))?.value).not.toBe(FUTURE);
    const told = await stage.store().journal.of('main', 'read', collection, 10);
    expect(told.map(({ action }) => action)).toContain('read.pulled-back');
    expect(await codesOf(stage)).not.toContain('cursor-ahead');
  },
);

test('times of the ERP that lie in the future move no cursor, and are reported', async () => {
  const { stage, doors } = await openShop();
  doors.erp.twist = (answer) =>
    answer.status === 200 && answer.method === 'GET'
      ? {
          ...answer,
          body: Buffer.from(answer.body.toString().replaceAll(/"(as_of|changed_at)":"[^"]+"/g, `"$1":"${FUTURE}"`)),
        }
      : answer;
  await stage.sync();
  expect(await codesOf(stage)).toContain('erp-rows-ahead');
  for (const { value } of await stage.store().cursors.all()) expect(value).not.toMatch(/^9999/);
  doors.erp.twist = null;
  stage.erp.control.setStock('SB-0001', '3');
  await stage.sync();
  expect(await codesOf(stage)).not.toContain('erp-rows-ahead');
  expect(stage.marketplace.productBySku('SB-0001')).toMatchObject({ quantity: '3' });
});
