import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attributes } from 'ssh2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ZERO } from '../../../src/domain/decimal.ts';
import { createFilesErp } from '../../../src/erp/files/connector.ts';
import { filesSection } from '../../../src/erp/files/schema.ts';
import { filesSettings } from '../../../src/erp/files/settings.ts';
import { openSftp } from '../../../src/erp/files/sftp.ts';
import { SECTION, stockFile, whole } from './exchange-folder.ts';
import { startSftp } from './sftp-server.ts';

const LOGIN = { user: 'bridge', password: 'sesame-4711' };
const root = mkdtempSync(join(tmpdir(), 'sftp-'));
let server: Awaited<ReturnType<typeof startSftp>>;

beforeAll(async () => {
  await mkdir(join(root, 'remote/exchange'), { recursive: true });
  server = await startSftp(join(root, 'remote'), LOGIN);
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

const placeOf = (changes: object = {}) => ({
  host: '127.0.0.1',
  port: server.port,
  user: LOGIN.user,
  login: async () => ({ password: LOGIN.password }),
  hostKey: server.hostKey,
  dir: '/exchange',
  ...changes,
});

function connect(data: string, place: object = {}) {
  const sftp = { host: '127.0.0.1', user: LOGIN.user, password: LOGIN.password, host_key: server.hostKey };
  const settings = filesSettings(filesSection.parse({ type: 'files', sftp, stable_for: '10ms', ...SECTION }));
  const exchange = openSftp(placeOf(place), 5_000);
  return createFilesErp({ settings, exchange, dir: join(root, data), now: Date.now });
}

const remote = (folder = '') => readdir(join(root, 'remote/exchange', folder)).then((names) => names.sort());
const draft = (reference: string) => ({
  reference,
  status: 'reserved' as const,
  customer: {},
  currency: 'EUR',
  lines: [],
  discount: ZERO,
  shipping: ZERO,
  tax: ZERO,
  total: ZERO,
  note: '',
});

it('an SFTP folder is read, gets orders, and keeps processed files in its archive', async () => {
  const erp = connect('a');
  await writeFile(join(root, 'remote/exchange/stock-20261123-0200.csv'), stockFile({ 'A-1': '7' }));
  await symlink('/etc/passwd', join(root, 'remote/exchange/stock-20261123-0300.csv'));
  const { items, codes } = await whole(erp.listStock(null));
  expect([items.map(({ sku }) => sku), codes]).toEqual([['A-1'], ['erp-file-odd']]);
  const made = await erp.createOrder(draft('1'));
  expect((await erp.updateOrder(made.id, { status: 'cancelled' })).status).toBe('cancelled');
  expect(await remote('orders')).toEqual(['order-1-r1.json', 'order-1-r2.json']);
  expect(await remote('archive')).toEqual(['orders_out', 'stock']);
  expect(await remote()).toEqual(['archive', 'orders', 'stock-20261123-0300.csv']);
  await rm(join(root, 'remote/exchange/stock-20261123-0300.csv'));
  await erp.close();
});

it('an SFTP folder loses and repeats no order when the connection breaks right after its file got its name', async () => {
  const erp = connect('b');
  await erp.findOrders('2');
  for (const [call, reference] of [
    ['rename', '2'],
    ['write', '3'],
  ] as const) {
    // The copy in the archive is named first.
    server.cutAfter(call);
    const failure: unknown = await erp.createOrder(draft(reference)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ side: 'erp', kind: 'unavailable' });
    if ((await erp.findOrders(reference)).length === 0) await erp.createOrder(draft(reference));
    expect(await erp.findOrders(reference)).toHaveLength(1);
    expect((await remote('orders')).filter((name) => name.startsWith(`order-${reference}-`))).toEqual([
      `order-${reference}-r1.json`,
    ]);
  }
  await erp.close();
});

it('an SFTP folder with endless names or an endless listing fills no memory and is reported', async () => {
  const exchange = openSftp(placeOf(), 60_000);
  const before = process.memoryUsage().rss;
  for (const filename of ['stock.csv', 'x'.repeat(30_000)]) {
    const entry = { filename, longname: '-rw-r--r--', attrs: {} as Attributes };
    server.listAlways(Array.from({ length: filename.length > 1_000 ? 8 : 2_000 }, () => entry));
    await expect(exchange.list('')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/holds more than 100000 files/),
    });
  }
  expect((process.memoryUsage().rss - before) / 1_000_000).toBeLessThan(400);
  server.listAlways(null);
  expect(await exchange.list('')).toEqual(expect.any(Array));
  await exchange.close();
});

it('an SFTP server with another host key is not used and is reported; a wrong password is an error of credentials', async () => {
  const other = connect('c', { hostKey: `SHA256:${'A'.repeat(43)}` });
  await expect(other.ping()).rejects.toMatchObject({
    kind: 'credentials',
    message: expect.stringMatching(/another host key/),
  });
  await other.close();
  const wrong = connect('d', { login: async () => ({ password: 'no' }) });
  await expect(wrong.ping()).rejects.toMatchObject({ kind: 'credentials', outcome: 'not-applied' });
  await wrong.close();
  const closed = connect('e', { port: 1 });
  await expect(closed.ping()).rejects.toMatchObject({ kind: 'unavailable' });
  await closed.close();
});

it('an SFTP server that never sends a file leaves no copy open, since Node ends the program for one', async () => {
  const exchange = openSftp(placeOf(), 200);
  const copy = join(root, 'copy');
  await exchange.list('').catch(() => []);
  server.openNothing();
  await expect(exchange.fetch('stock.csv', copy, 1_000)).rejects.toMatchObject({ kind: 'unavailable' });
  const opened = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  expect(opened).not.toContain(copy);
  await exchange.close();
});

it('an SFTP server that accepts the login and never starts SFTP is down, and is not waited for', async () => {
  server.beSilent();
  const exchange = openSftp(placeOf(), 300);
  for (let times = 1; times <= 2; times += 1)
    await expect(exchange.list('')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/cannot be reached: no answer within 300 ms/),
    });
  await exchange.close();
});
