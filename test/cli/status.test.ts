import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/daemon/metrics.ts';
import { sendCommand } from '../../src/daemon/redis/send-command.ts';
import { socketOf } from '../../src/daemon/redis/target.ts';
import { ageText } from '../../src/domain/age.ts';
import { type Cause, cause } from '../../src/domain/causes/cause.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { acquireLocks } from '../../src/store/sqlite/lock.ts';
import { adminWith } from '../support/admin.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { run } from './capture.ts';
import { installation } from './installation.ts';

const status = ({ configFile }: Stage, ...args: string[]) => run(['status', '--config', configFile, ...args]);

/** A stage where some things went wrong and nothing runs. */
async function troubled(): Promise<{ stage: Stage; unknown: string; backorder: string }> {
  const stage = await openStage();
  const { marketplace, erp, configFile } = stage;
  erp.control.seed(2);
  await run(['sync', '--config', configFile]);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const place = () => {
    const { id } = marketplace.productBySku('SB-0001');
    return marketplace.placeOrder({ customer, items: [{ product: id, quantity: '1' }] }).number;
  };
  const [unknown, backorder] = [place(), place()];
  marketplace.forceStatus(unknown, 'Combined');
  marketplace.forceStatus(backorder, 'Backorder');
  // Refused for good: a failed job.
  marketplace.faults.set({ kind: 'status-before', operation: 'products.patch', status: 400 });
  erp.control.setProduct('SB-0002', { name: 'Renamed' });
  await run(['sync', '--config', configFile]);
  return { stage, unknown, backorder };
}

test('status says so before anything has run', async () => {
  const { exitCode, stdout, stderr } = await status(await openStage());
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('does not exist: nothing has run with this configuration yet');
});

test('status prints the state and the open needs without a daemon and without Redis', async () => {
  const { stage, unknown, backorder } = await troubled();
  const { exitCode, stdout, stderr } = await status(stage);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toContain('daemon     not running: start it with "stockbridge run"\n');
  expect(stdout).toMatch(
    /^main {2}submitted-available\nstate {6}No daemon is running: .*\n(?: .*\n)*read {7}orders \d+ s ago, products \d+ s ago,/m,
  );
  expect(stdout).toContain('orders     Backorder 1, Combined 1 (unknown status: held)\n');
  expect(stdout).toMatch(/^ +product +0 +0 +1\n/m);
  expect(stdout).toMatch(/^ +order-in +0 +1 +0\n/m);
  expect(stdout).toContain("      1  failed product: the marketplace's turn\n");
  expect(stdout).toContain('      1  held order-in: your turn\n');
  const flat = stdout.replaceAll(/\s+/g, ' ');
  expect(flat).toContain(`${unknown}: Order ${unknown} has the unknown status "Combined"`);
  expect(flat).toContain(`${backorder}: Order ${backorder} is on backorder`);
  expect(stdout).not.toContain('quota');
  expect(await sendCommand(await socketOf(join(stage.dir, 'data')), 'PING', 1_000)).toBe('nobody');
});

test('status fits on a terminal of 80 columns, with colours only there and not with NO_COLOR', async () => {
  const { stage } = await troubled();
  const args = ['status', '--config', stage.configFile];
  const coloured = await run(args, {}, { terminal: true });
  const plain = await run(args, { NO_COLOR: '1' }, { terminal: true });
  expect(coloured.stdout).toContain('\u001b[1mmain\u001b[22m');
  expect(coloured.stdout).toContain('\u001b[31mfailed\u001b[39m');
  expect(plain.stdout).not.toContain('\u001b');
  expect((await run(args)).stdout).not.toContain('\u001b');
  for (const line of stripVTControlCharacters(coloured.stdout).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('status prints JSON', async () => {
  const { stage, unknown } = await troubled();
  const shown = JSON.parse((await status(stage, '--json', '--account', 'main')).stdout) as unknown;
  expect(shown).toMatchObject({
    dir: join(stage.dir, 'data'),
    mode: 'live',
    daemon: { roles: [], notReady: null },
    accounts: [
      {
        account: 'main',
        quota: null,
        orders: [
          { status: 'Backorder', count: 1, known: true },
          { status: 'Combined', count: 1, known: false },
        ],
        flows: [
          { flow: 'product', pending: 0, held: 0, failed: 1, oldestPendingMs: null },
          { flow: 'stock', pending: 0, held: 0, failed: 0 },
          { flow: 'order-in', pending: 0, held: 1, failed: 0 },
          { flow: 'order-out', pending: 0, held: 0, failed: 0 },
        ],
        needs: expect.arrayContaining([
          {
            kind: 'held',
            about: 'order-in',
            shared: 'orders: Combined',
            count: 1,
            firstMs: expect.any(Number) as unknown,
            lastMs: expect.any(Number) as unknown,
            away: null,
            first: { flow: 'order-in', key: unknown },
            example: {
              key: unknown,
              code: 'order-status-unknown',
              params: { order: unknown, status: 'Combined', erpOrder: null },
              text: expect.stringContaining('Combined') as unknown,
              turn: 'operator',
              next: expect.stringContaining('documented status') as unknown,
              page: 'orders',
            },
          },
        ]) as unknown,
      },
    ],
  });
});

test('status prints the running roles, the quota, and what is paused', async () => {
  const opened = await openStage();
  opened.erp.control.seed(1);
  await opened.start(['poll', 'work']);
  await until('the product is listed', () => opened.marketplace.products().length === 1);
  await run(['pause', 'stock', '--reason', 'stocktaking', '--config', opened.configFile]);
  const { stdout } = await status(opened);
  expect(stdout).toContain(`daemon     running: poll, work (process ${process.pid})\n`);
  expect(stdout).toMatch(/^quota {6}\d+ of 60000 calls in this minute, \d+ of 1000 in this second/m);
  expect(stdout).toContain('paused     stock: stocktaking\n');
  expect(stdout).toMatch(/^main {2}submitted-available\nstate {6}Paused by a person\./m);
  await run(['resume', 'stock', '--config', opened.configFile]);
  const shown = async () => (await status(opened)).stdout;
  const calm = await until('nothing is left to do', async () => /^state +In step as of [^]*/m.exec(await shown())?.[0]);
  // The sentence is wrapped where the name of the list makes its line full.
  expect(calm.replace(/\s+/g, ' ')).toMatch(
    /^state In step as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ, when [\w ’]+, the oldest list, was read\./,
  );
});

test('status asks the daemon why it is not ready', async () => {
  const opened = await openStage();
  await run(['sync', '--config', opened.configFile]);
  const readiness = async () => ({
    ready: false,
    reasons: ['main: the ERP does not answer: try erp.url'],
    unknown: [],
  });
  const { app: admin } = adminWith({
    readiness,
    registry: createMetrics().registry,
    keys: () => ({ operator: null, viewer: null, users: [] }),
  });
  // Ports that browsers refuse to call.
  const url = await listenOn(admin, [6665, 6666, 6667, 6668, 6669]);
  const yaml = readFileSync(opened.configFile, 'utf8');
  const address = `admin: { listen: "${new URL(url).host}" }`;
  writeFileSync(opened.configFile, yaml.replace('admin: { listen: 127.0.0.1:0 }', address));
  const lock = acquireLocks(join(opened.dir, 'data'), ['admin']);
  const { stdout } = await status(opened);
  await admin.close();
  const unanswered = await status(opened);
  lock.release();
  expect(stdout).toContain(`running: admin (process ${process.pid}); not ready:\n`);
  expect(stdout).toContain('           main: the ERP does not answer: try erp.url\n');
  expect(unanswered.stdout).toContain(`running: admin (process ${process.pid}); not ready:\n`);
  expect(unanswered.stdout.replaceAll(/\s+/g, ' ')).toContain(
    `${url}/readyz does not say: it is starting, it hangs, or admin.listen was changed since it began`,
  );
});

test('status reports what was not read for long while a daemon runs', async () => {
  const opened = await openStage();
  opened.erp.control.seed(1);
  await run(['sync', '--config', opened.configFile]);
  const lock = acquireLocks(join(opened.dir, 'data'), ['poll']);
  const { database, close } = await openData(opened);
  database.exec('update cursors set updated_at_ms = updated_at_ms - 7200000');
  database.exec('update coverage set read_at_ms = read_at_ms - 7200000');
  close();
  const { stdout } = await status(opened);
  lock.release();
  expect(stdout).toContain('orders 2 h ago (late)');
});

async function openData({ dir }: Stage) {
  const { sqlite, close } = await openDatabase(join(dir, 'data'));
  return { database: sqlite, close };
}

test('status prints all entries of one code as one need, the most frequent first, with whose turn it is and the next step', async () => {
  const site = installation();
  const { store } = await site.open();
  const hold = async (flow: string, key: string, one: Cause) => {
    const target = { account: 'main', flow, key };
    await store.work.mark([target], 'poll', 'seen');
    await store.work.hold(target, 1, [one]);
  };
  const unlinked = (customer: number) => cause('customer-unlinked', { order: 'any', customer });
  await hold('order-in', 'a', cause('order-unread', { order: 'a' }));
  await hold('order-in', 'b', unlinked(12));
  await hold('order-in', 'c', unlinked(77));
  await hold('order-out', 'd', cause('erp-order-empty', { erpOrder: 'd' }));
  const { accounts } = (await site.json('status')) as { accounts: [{ needs: unknown[]; waits: unknown[] }] };
  expect(accounts[0].waits).toMatchObject([
    { about: 'order-in', count: 1, example: { key: 'a', code: 'order-unread', turn: 'nobody' } },
  ]);
  expect(accounts[0].needs).toMatchObject([
    {
      kind: 'held',
      about: 'order-in',
      count: 2,
      example: {
        key: 'b',
        ...unlinked(12),
        turn: 'operator',
        next: 'Link the customer: stockbridge map link customer 12 ERP_ID',
      },
    },
    { about: 'order-out', count: 1, example: { key: 'd', code: 'erp-order-empty', turn: 'operator' } },
  ]);
});

test('status --watch refreshes on a terminal until it is stopped', async () => {
  const site = installation();
  await site.open();
  expect(await site.run('status', '--watch')).toMatchObject({ exitCode: 64, stdout: '' });
  const args = ['status', '--watch', '--config', site.file];
  const before = process.listenerCount('SIGINT');
  const watching = run(args, {}, { terminal: true });
  await until('it watches', () => process.listenerCount('SIGINT') > before);
  process.emit('SIGINT');
  expect(await watching).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('needs you') as unknown });
});

test('status counts every need, and --all names every one', async () => {
  const site = installation();
  const { store } = await site.open();
  const keys = Array.from({ length: 1_200 }, (_, index) => `P-${10_000 + index}`);
  await store.work.mark(
    keys.map((key) => ({ account: 'main', flow: 'stock', key })),
    'poll',
    'seen',
  );
  for (const key of keys) {
    await store.work.hold({ account: 'main', flow: 'stock', key }, 1, [cause('stock-unknown', { sku: `S-${key}` })]);
  }
  await store.invalidRows.record(
    'main',
    'orders',
    keys.map((what) => ({ what, path: 'total', message: 'expected a decimal' })),
  );
  const { stdout, exitCode } = await site.run('status');
  expect(stdout).toContain("   1200  held stock: the ERP's turn\n");
  expect(stdout).toContain("   1200  invalid row orders: the marketplace's turn\n");
  expect([exitCode, (await site.run('status', '--check')).exitCode]).toEqual([0, 1]);
  const all = (await site.run('status', '--all')).stdout;
  for (const key of keys) expect(all).toContain(`${key}: The ERP shows no stock for SKU S-${key}`);
  expect(all).toContain('P-11199: Row P-11199 does not fit');
});

test('status does not count a waiting entity as a need, and prints a row that holds it once', async () => {
  const site = installation();
  const { store } = await site.open();
  const target = { account: 'main', flow: 'product', key: 'P-1' };
  await store.work.mark([target], 'poll', 'seen');
  await store.work.hold(target, 1, [cause('listings-unread')]);
  const { stdout, exitCode } = await site.run('status', '--check');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('needs you  nothing\nwaits\n      1  held product: it waits by itself\n');
  await store.work.mark([target], 'poll', 'seen');
  await store.work.hold(target, 2, [cause('erp-product-invalid', { problem: 'price: expected a decimal' })]);
  await store.invalidRows.record('main', 'erp-products', [
    { what: 'P-1', path: 'price', message: 'expected a decimal' },
  ]);
  const { accounts } = (await site.json('status')) as { accounts: [{ needs: { kind: string }[] }] };
  expect(accounts[0].needs.map(({ kind }) => kind)).toEqual(['invalid row']);
});

test('status reports a side that does not answer as a need, until it answers', async () => {
  const opened = await openStage();
  const yaml = readFileSync(opened.configFile, 'utf8');
  writeFileSync(opened.configFile, yaml.replace(opened.erp.url, 'http://127.0.0.1:1'));
  await run(['sync', '--config', opened.configFile]);
  const down = await status(opened, '--check');
  expect(down.exitCode).toBe(1);
  expect(down.stdout).toContain("      1  alert erp: the ERP's turn\n");
  expect(down.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'connection: The ERP at http://127.0.0.1:1 could not be reached',
  );
  writeFileSync(opened.configFile, yaml);
  await run(['sync', '--config', opened.configFile]);
  expect((await status(opened, '--check')).exitCode).toBe(0);
});

test.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [7_199_999, '1 h'],
  [49 * 3_600_000, '2 d'],
])('status prints an age of %d ms as %s', (ms, shown) => {
  expect(ageText(ms)).toBe(shown);
});

/** On the first of these ports that is free. */
async function listenOn(server: ReturnType<typeof adminWith>['app'], ports: readonly number[]): Promise<string> {
  const [port, ...others] = ports;
  if (port === undefined) throw new Error('none of the ports is free');
  return server.listen({ host: '127.0.0.1', port }).catch(() => listenOn(server, others));
}

test('status prints a time that no read has covered as a hole next to the age of its list', async () => {
  const site = installation();
  const { store } = await site.open();
  const window = { account: 'main', collection: 'orders', rows: 1, finding: null, cursor: null };
  await store.cursors.record({ ...window, from: null, to: '2026-01-01T00:00:00Z' });
  await store.cursors.record({ ...window, from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' });
  const { accounts } = (await site.json('status')) as {
    accounts: [{ reads: { collection: string; holes: number }[] }];
  };
  expect(accounts[0].reads.filter(({ holes }) => holes > 0)).toMatchObject([{ collection: 'orders', holes: 1 }]);
  expect((await site.run('status')).stdout).toMatch(/orders \d+ s ago \(1 hole\)/);
});
