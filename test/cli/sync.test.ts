import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sendCommand } from '../../src/daemon/redis/send-command.ts';
import { socketOf } from '../../src/daemon/redis/target.ts';
import type { Status } from '../../src/use/status.ts';
import { startProgram } from '../support/program.ts';
import { openStage, type Stage, type StageOptions, until } from '../support/stage.ts';
import { run } from './capture.ts';

let stage: Stage;

async function open(options: StageOptions = {}) {
  stage = await openStage(options);
}

const sync = (...args: string[]) => run(['sync', '--config', stage.configFile, ...args]);

/** One product in step, and a new order for its listing. */
async function openWithOrder() {
  await open();
  stage.erp.control.seed(1);
  await sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const [listing] = stage.marketplace.products();
  return stage.marketplace.placeOrder({ customer, items: [{ product: listing?.id ?? 0, quantity: '1' }] });
}

test('sync brings both sides into step and ends with 0, the second time without a write', async () => {
  await open();
  stage.erp.control.seed(3);
  expect(await sync()).toEqual({ exitCode: 0, stdout: 'main: in step; 3 written\n', stderr: '' });
  expect(stage.marketplace.products()).toHaveLength(3);
  expect(await sync('--json')).toMatchObject({ exitCode: 0, stderr: '' });
  const { stdout } = await sync('--account', 'main', '--json');
  expect(JSON.parse(stdout)).toEqual({
    mode: 'live',
    accounts: [
      {
        account: 'main',
        written: 0,
        pending: 0,
        wouldWrite: { count: 0, actions: [] },
        invalidRows: { count: 0, collections: [] },
        needYou: 0,
        leftOfPlan: null,
        held: { count: 0, causes: [] },
        failed: { count: 0, causes: [] },
        counts: expect.objectContaining({ failed: 0, held: 0, pending: 0, unread: 0 }) as unknown,
        strategy: null,
        trouble: null,
        exitCode: 0,
      },
    ],
  });
  expect(await sendCommand(await socketOf(join(stage.dir, 'data')), 'PING', 1_000)).toBe('nobody');
});

test('sync lists held keys with their reasons, which is no failure', async () => {
  const order = await openWithOrder();
  stage.marketplace.forceStatus(order.number, 'Combined');
  const { exitCode, stdout } = await sync();
  expect(exitCode).toBe(0);
  expect(stdout).toContain('main: not in step: 1 held; 0 written\n  1 held for ');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    `such as order-in ${order.number}: Order ${order.number} has the unknown status "Combined"`,
  );
});

test('sync --strict fails for needs of a person, not for waits that end by themselves', async () => {
  const order = await openWithOrder();
  stage.marketplace.forceStatus(order.number, 'Backorder');
  expect((await sync('--strict')).exitCode).toBe(0);
  stage.marketplace.forceStatus(order.number, 'Combined');
  const { exitCode, stdout } = await sync('--strict');
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('  1 needs you; "stockbridge status"')]);
});

test.each([
  ['products', { price: { amount: 'dear', currency: 'USD' } }],
  ['stock', { on_hand: 'many' }],
])(
  'unreadable rows of the ERP are in the summary and in the exit code of sync, until they are corrected: %s',
  async (list, set) => {
    await open();
    stage.erp.control.seed(2);
    stage.erp.control.inject({ kind: 'invalid-row', key: null, set, path: `/v1/${list}`, times: null });
    const { exitCode, stdout } = await sync();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^main: not in step: 2 invalid rows; \d written\n/);
    expect(stdout).toContain(`2 of erp-${list}, such as `);
    // An entity of such a row is counted with the row, here as in the plan and the status.
    const totals = JSON.parse((await run(['plan', '--config', stage.configFile, '--summary', '--json'])).stdout);
    expect(totals).toMatchObject({ held: 0, heldFor: [], invalidRows: { count: 2 } });
    const status = JSON.parse((await run(['status', '--config', stage.configFile, '--json'])).stdout) as Status;
    expect(status.accounts[0]?.flows.map(({ held }) => held)).toEqual(status.accounts[0]?.flows.map(() => 0));
    // Somebody mends the rows. The ERP does not list them as changed.
    stage.erp.control.clearFaults();
    expect(await sync()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^main: in step; \d written\n$/) as unknown,
    });
    expect(stage.marketplace.products()).toHaveLength(2);
  },
);

test('sync does not count linking an existing entity as a write', async () => {
  await open();
  stage.erp.control.seed(2);
  await sync();
  const { dir } = stage;
  rmSync(join(dir, 'data'), { recursive: true });
  expect((await sync()).stdout).toContain('main: in step; 0 written\n');
});

test('sync ends with 1 when something failed for good, and prints the causes', async () => {
  await open({ sandbox: { settings: { requiredProductFields: ['sku', 'name', 'strain'] } } });
  stage.erp.control.seed(2);
  const { exitCode, stdout } = await sync();
  expect(exitCode).toBe(1);
  expect(stdout).toContain('main: not in step: 2 failed; 0 written\n');
  expect(stdout).toContain('"stockbridge jobs replay --all"');
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/2 x marketplace-refused: .*products\.create.*400.*strain/);
});

test('sync ends with 77 when the key is refused, saying what to check', async () => {
  await open();
  const yaml = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, yaml.replace(stage.marketplace.key, 'wrong-key-canary'));
  const { exitCode, stdout, stderr } = await sync();
  expect(exitCode).toBe(77);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Check marketplace.auth: scheme and key.');
  expect(stdout + stderr).not.toContain('canary');
});

test('sync ends with 77 when only writes are refused', async () => {
  await open();
  stage.erp.control.seed(1);
  stage.marketplace.faults.set({ kind: 'status-before', operation: 'products.create', status: 401 });
  const { exitCode, stdout } = await sync();
  expect(exitCode).toBe(77);
  // Nothing is looked at while the key is refused, so the product's stock may still wait too.
  expect(stdout).toMatch(/^main: not in step: [12] waiting; 0 written$/m);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Check marketplace.auth');
});

test('sync ends with 75 when a side is down, even if nothing is left', async () => {
  await open();
  const yaml = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, yaml.replace(stage.marketplace.url, 'http://127.0.0.1:1'));
  const { exitCode, stdout } = await sync();
  expect(exitCode).toBe(75);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('the connection was refused. Is the marketplace up');
});

test('sync ends with 75 while a daemon runs, which does the work already', async () => {
  await open();
  await stage.start();
  expect(await sync()).toEqual({
    exitCode: 75,
    stdout: '',
    stderr: expect.stringMatching(
      `^stockbridge: a daemon or another sync \\(process ${process.pid}\\) already synchronizes .*\\. Nothing was done`,
    ) as unknown,
  });
});

test('sync in mode dry-run prints what it would write, and never that both sides are in step', async () => {
  await open({ mode: 'dry-run' });
  stage.erp.control.seed(3);
  const { exitCode, stdout } = await sync('--strict');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('main: dry-run, not in step; nothing written, 3 would be\n');
  expect(stdout).toContain('    3 x product.create, such as a listing for SB-0001\n');
  expect(stage.marketplace.products()).toEqual([]);
});

test('sync of an unknown account exits 64', async () => {
  await open();
  const { exitCode, stderr } = await sync('--account', 'mian');
  expect(exitCode).toBe(64);
  expect(stderr).toContain('there is no account "mian"; did you mean "main"? The configuration has: main');
});

test('sync prints its progress on a terminal', async () => {
  await open();
  stage.erp.control.seed(1);
  stage.marketplace.faults.set({ kind: 'delay-after', operation: 'products.create', ms: 500 });
  const { stdout, stderr } = await run(['sync', '--config', stage.configFile], {}, { terminal: true });
  expect(stdout).toContain('main');
  expect(stderr).toContain('main: working, 1 to go');
  // The line of progress is taken away in the end.
  expect(stderr.endsWith('\r\u001b[2K')).toBe(true);
});

test('Ctrl-C ends sync normally, with 75', async () => {
  await open();
  stage.erp.control.seed(1);
  stage.erp.control.inject({ kind: 'delay', path: '/v1/products', delayMs: 60_000 });
  const program = startProgram('sync', '--config', stage.configFile);
  await until('it reads', () => stage.erp.control.requests().length > 0);
  program.signal('SIGINT');
  expect(await program.exit()).toBe(75);
  expect(program.printed).toEqual({
    stdout: '',
    stderr: 'stockbridge: stopped by SIGINT before the end: start it again\n',
  });
  expect(await sendCommand(await socketOf(join(stage.dir, 'data')), 'PING', 1_000)).toBe('nobody');
});
