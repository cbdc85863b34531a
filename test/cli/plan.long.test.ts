import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acquireLocks } from '../../src/store/sqlite/lock.ts';
import { startProgram } from '../support/program.ts';
import { openStage, type Stage, type StageOptions, until } from '../support/stage.ts';
import { run } from './capture.ts';

let stage: Stage;

async function open(options: StageOptions = {}) {
  stage = await openStage({ timeout: '5s', ...options });
}

const verb =
  (name: string) =>
  (...args: string[]) =>
    run([name, '--config', stage.configFile, ...args]);
const plan = verb('plan');
const sync = verb('sync');

/** The writes that the plan shows. */
async function planned(): Promise<readonly { readonly action: string; readonly after: string }[]> {
  const lines = (await plan('--json')).stdout.trim().split('\n');
  return lines.flatMap((line) => (JSON.parse(line) as { actions: [] }).actions);
}

function replaceInConfig(from: string, to: string): void {
  writeFileSync(stage.configFile, readFileSync(stage.configFile, 'utf8').replace(from, to));
}

/** The HTTP methods with which the two sides were called. */
function methods(): Set<string> {
  const calls = [...stage.marketplace.requestLog.calls(), ...stage.erp.control.requests()];
  return new Set(calls.map(({ method }) => method));
}

function placeOrder(quantity = '2') {
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const listing = stage.marketplace.productBySku('SB-0001');
  return stage.marketplace.placeOrder({ customer, items: [{ product: listing.id, quantity }] });
}

describe('plan', () => {
  test('Ctrl-C ends plan normally, with 75 as its help says', async () => {
    await open();
    stage.erp.control.seed(1);
    stage.erp.control.inject({ kind: 'delay', path: '/v1/products', delayMs: 60_000 });
    const program = startProgram('plan', '--config', stage.configFile);
    await until('it reads', () => stage.erp.control.requests().length > 0);
    program.signal('SIGINT');
    expect(await program.exit()).toBe(75);
    expect(program.printed.stderr).toBe('stockbridge: stopped by SIGINT before the end: start it again\n');
    expect((await run(['plan', '--help'])).stdout).toContain('75 it was stopped before');
  });

  test('plan prints what a pass would write and why, and writes nothing to either side', async () => {
    await open();
    stage.erp.control.seed(2);
    const { exitCode, stdout, stderr } = await plan();
    expect([exitCode, stderr]).toEqual([2, '']);
    const { available } = stage.erp.control.stockOf('SB-0001');
    expect(stdout).toMatch(
      /^main: 2 writes\n {2}product\.create {2}2\n {2}for example SB-000\d, \d+ to a case: [^+]*\n\nproduct\.create {2}a listing for SB-0001\n {2}\+ seller /,
    );
    expect(stdout).toContain(`quantity ${Number(available)}, sku "SB-0001"`);
    expect(stdout).toContain('\n  because no listing for it yet\n');
    expect(methods()).toEqual(new Set(['GET']));
    expect(stage.marketplace.products()).toEqual([]);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('plan prints nothing when both sides agree, and ends with 0', async () => {
    await open();
    stage.erp.control.seed(2);
    await sync();
    expect(await plan()).toEqual({ exitCode: 0, stdout: 'main: nothing to write\n', stderr: '' });
  });

  test('plan prints the old and new values', async () => {
    await open();
    stage.erp.control.seed(1);
    await sync();
    const before = stage.marketplace.productBySku('SB-0001').available;
    stage.erp.control.setStock('SB-0001', '777');
    const { exitCode, stdout } = await plan();
    expect(exitCode).toBe(2);
    expect(stdout).toContain(`  ${before} -> 777\n  because ERP available 777 as of `);
    expect(stdout).toContain('main: 1 write\n  stock.write  1\n');
  });

  test('a plan of a cancelled order releases only what the ERP still held', async () => {
    await open();
    stage.erp.control.seed(1);
    await sync();
    const { number } = placeOrder('10');
    await sync();
    stage.erp.control.shipLines(stage.erp.control.findOrders(number)[0]?.id ?? '', { 'SB-0001': { given_up: '3' } });
    stage.marketplace.transition(number, 'reject');
    const { after } = (await planned()).findLast(({ action }) => action === 'stock.write') ?? {};
    await sync();
    const { available } = stage.erp.control.stockOf('SB-0001');
    expect([after, Number(stage.marketplace.productBySku('SB-0001').available)]).toEqual([
      available,
      Number(available),
    ]);
  });

  test('a plan of orders that were edited and shipped in the ERP has each step once, however often they are read again', async () => {
    await open({
      account: '    orders: { erp_edits: write }',
      marketplace: '      transitions: { accept: accept, fulfill: fulfill }',
    });
    stage.erp.control.seed(1);
    await sync();
    const numbers = ['2', '3', '4'].map((quantity) => placeOrder(quantity).number);
    await sync();
    for (const number of numbers) {
      const { id = '', lines = [] } = stage.erp.control.findOrders(number)[0] ?? {};
      stage.erp.control.changeOrder(id, { lines: lines.map((line) => ({ ...line, quantity: '5' })) });
      stage.erp.control.shipOrder(id);
    }
    const steps = (await planned()).filter(({ action }) => action === 'order-in.transition').map(({ after }) => after);
    expect(steps.toSorted()).toEqual(numbers.flatMap(() => ['Accepted', 'Fulfilled']).toSorted());
  });

  test('plan prints JSON lines, a summary last', async () => {
    await open();
    stage.erp.control.seed(1);
    const { exitCode, stdout } = await plan('--json');
    const values = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(exitCode).toBe(2);
    expect(values).toEqual([
      {
        account: 'main',
        flow: 'product',
        key: 'P-000001',
        actions: [
          {
            action: 'product.create',
            target: 'a listing for SB-0001',
            before: null,
            after: expect.stringContaining('sku "SB-0001"') as unknown,
            why: 'no listing for it yet',
            replaces: [],
            stoppedBy: null,
          },
        ],
        holds: [],
        alerts: [],
      },
      {
        account: 'main',
        writes: 1,
        links: 0,
        stopped: 0,
        held: 0,
        zeroed: 0,
        heldFor: [],
        alerts: 0,
        actions: { 'product.create': 1 },
        priceMoves: [],
        replaced: {},
        unlinked: { listings: 0, products: 0 },
        history: { from: null, history: 0, waits: 0 },
        invalidRows: { count: 0, collections: [] },
      },
    ]);
  });

  test('plan prints a link with everything that follows from it', async () => {
    await open();
    stage.erp.control.seed(1);
    const [product] = stage.erp.control.state().products;
    stage.marketplace.createProducts([{ sku: product?.sku ?? '', name: 'By hand', quantity: 1 }]);
    const { exitCode, stdout } = await plan();
    expect(exitCode).toBe(2);
    const kinds = ['product.link   1', 'product.patch  1', 'product.price  1', 'stock.write    1'];
    expect(stdout).toContain(`main: 3 writes, 1 link\n${kinds.map((kind) => `  ${kind}\n`).join('')}`);
    const done = JSON.parse((await sync('--json')).stdout) as { accounts: { written: number }[] };
    expect(done.accounts[0]?.written).toBe(3);
    const { stdout: status } = await run(['status', '--config', stage.configFile]);
    expect(status).toMatch(/erp-products \d+ s ago/);
    expect(status).not.toContain('never');
  });

  test('plan summarises the texts that it replaces, what stays, and the unreadable rows', async () => {
    await open();
    stage.erp.control.seed(2);
    const [first] = stage.erp.control.state().products;
    const byHand = { description: 'Written by a person', quantity: 1 };
    stage.marketplace.createProducts([
      { ...byHand, sku: first?.sku ?? '', name: 'By hand' },
      { ...byHand, sku: 'OTHER-1', name: 'Nothing of the ERP' },
    ]);
    const { stdout } = await plan('--summary');
    expect(stdout).toMatch(/texts that a person wrote, and that are replaced:\n {4}name +1\n {4}description +1\n/);
    expect(stdout).toContain('Not linked after this plan: 1 listing. List them: stockbridge map unlinked');
    expect(stdout).not.toContain('cannot be read');
    await sync();
    const set = { price: { amount: 'dear', currency: 'USD' } };
    stage.erp.control.inject({ kind: 'invalid-row', key: 'SB-0002', set, path: '/v1/products', times: null });
    expect(await plan('--summary')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(
        /^main: nothing to write, .*1 row cannot be read\n[^]*1 row of erp-products cannot be read, such as P-000002/,
      ) as unknown,
    });
  });

  test('plan prints the requested part, and reports unknown names', async () => {
    await open();
    stage.erp.control.seed(3);
    expect((await plan('--sku', 'SB-0002')).stdout).toMatch(
      /^main: 1 write\n {2}product\.create {2}1\n\nproduct\.create .* SB-0002\n/,
    );
    expect((await plan('--flow', 'stock')).stdout).toBe('main: nothing to write\n');
    expect((await plan('--summary')).stdout).toMatch(
      /^main: 3 writes\n {2}product\.create {2}3\n {2}for example SB-000\d, \d+ to a case: [^+]* on the listing\n$/,
    );
    const csv = (await plan('--csv')).stdout.split('\n');
    expect(csv[0]).toBe('account,flow,key,what,target,before,after,why');
    expect(csv[1]).toMatch(/^main,product,P-000001,product\.create,a listing for SB-0001,,"seller 4711, /);
    expect(csv).toHaveLength(5);
    expect(await plan('--sku', 'SB-9')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('no product with SKU SB-9') as unknown,
    });
    expect(await plan('--flow', 'stok')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('no flow stok') as unknown,
    });
    expect(await plan('--order', 'o-1')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('has 4 characters or more') as unknown,
    });
  });

  test('a saved plan is written as it is, as far as it still applies, and nothing else', async () => {
    await open();
    stage.erp.control.seed(2);
    const file = join(stage.dir, 'plan.json');
    expect((await plan('--out', file)).stderr).toContain(`sync --plan ${file}`);
    // One of the planned writes changes.
    stage.erp.control.setStock('SB-0001', '777');
    const partly = await sync('--plan', file);
    expect(partly.exitCode).toBe(75);
    expect(partly.stdout).toContain('1 write of the plan left:');
    expect(partly.stdout).toContain('product.create a listing for SB-0001 ->');
    expect(stage.marketplace.products().map(({ sku }) => sku)).toEqual(['SB-0002']);
    const rest = await sync();
    expect(rest.exitCode).toBe(0);
    expect(stage.marketplace.products()).toHaveLength(2);
    writeFileSync(file, '{"format":"other"}');
    expect(await sync('--plan', file)).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('is no plan') as unknown,
    });
  });

  test('with a side down, each write of a saved plan is left for a retry, and the pass ends with 75', async () => {
    await open();
    stage.erp.control.seed(1);
    const file = join(stage.dir, 'plan.json');
    await plan('--out', file);
    stage.marketplace.faults.set({ kind: 'status-before', status: 503, operation: 'products.create' });
    const left = await sync('--plan', file, '--json');
    expect(left.exitCode).toBe(75);
    const { accounts } = JSON.parse(left.stdout) as { accounts: { leftOfPlan: { causes: { code: string }[] }[] }[] };
    expect(accounts[0]?.leftOfPlan.flatMap(({ causes }) => causes.map(({ code }) => code))).toContain('tried-again');
    stage.marketplace.faults.clear();
    stage.erp.control.inject({ kind: 'status', status: 500, path: '/v1/products', times: null });
    const unread = await sync('--plan', file);
    expect([unread.exitCode, unread.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      75,
      expect.stringMatching(/1 write of the plan left: product\.create .*: The last attempt failed: .*503/) as unknown,
    ]);
  });

  test('plan prints what another strategy would do', async () => {
    await open({ strategy: 'a' });
    stage.erp.control.seed(1);
    await sync();
    const order = placeOrder();
    const own = await plan();
    expect(own.stdout).not.toContain('order-in.create');
    const other = await plan('--strategy', 'b');
    expect(other.stderr).toBe('main: planned as if its strategy were submitted-available\n');
    expect(other.stdout).toContain('customer-in.create');
    expect(other.stdout).toContain(`order ${order.number} needs it`);
    const { exitCode, stderr } = await plan('--strategy', 'd');
    expect(exitCode).toBe(64);
    expect(stderr).toContain('fulfilled-quantity, submitted-available, submitted-quantity, or a, b, c');
  });

  test('plan prints held keys and alerts', async () => {
    await open();
    stage.erp.control.seed(1);
    await sync();
    const { number } = placeOrder();
    stage.marketplace.forceStatus(number, 'Combined');
    // People in the ERP reserved more than there is.
    stage.erp.control.setStock('SB-0001', '1');
    stage.erp.control.createOrder({ lines: [{ sku: 'SB-0001', quantity: '5', unit_price: '1.00' }] });
    const { stdout } = await plan();
    expect(stdout).toContain(`held  order-in ${number}\n  Order ${number} has the unknown status "Combined"`);
    expect(stdout).toMatch(/alert {2}stock P-000001\n {2}SKU SB-0001 is oversold by 4/);
    expect(stdout).toMatch(/main: 1 write, 2 held, 1 alert\n/);
  });

  test('plan marks the writes that a brake would hold', async () => {
    await open();
    stage.erp.control.seed(3);
    await sync();
    replaceInConfig('archive: { count: 1000, percent: 100 }', 'archive: { count: 1, percent: 100 }');
    for (const sku of ['SB-0001', 'SB-0002', 'SB-0003']) stage.erp.control.setProduct(sku, { active: false });
    const { stdout } = await plan();
    expect(stdout.match(/^product\.archive/gm)).toHaveLength(3);
    expect(stdout.match(/^ {2}stopped: The brake archive holds/gm)).toHaveLength(3);
    expect(stdout).toContain('main: 3 writes, 3 of them held by a pause, a brake or another cause\n');
  });

  test('while a daemon runs, plan uses its stored reads, without a call', async () => {
    await open();
    stage.erp.control.seed(1);
    await sync();
    stage.erp.control.setStock('SB-0001', '5');
    stage.marketplace.requestLog.reset();
    stage.erp.control.clearRequests();
    const daemon = acquireLocks(join(stage.dir, 'data'), ['work']);
    const { exitCode, stdout, stderr } = await plan();
    daemon.release();
    expect([exitCode, stdout]).toEqual([0, 'main: nothing to write\n']);
    expect(stderr).toBe(`a daemon is running (process ${process.pid}): planned from what it has read\n`);
    expect(methods()).toEqual(new Set());
  });

  test('a plan saved while a daemon runs says to stop the daemon before the plan is written', async () => {
    await open();
    stage.erp.control.seed(1);
    await sync();
    const file = join(stage.dir, 'plan.json');
    const daemon = acquireLocks(join(stage.dir, 'data'), ['work']);
    const { stderr } = await plan('--out', file);
    expect(stderr).toContain(`end the daemon (process ${process.pid}), then: stockbridge sync --plan ${file}\n`);
    expect((await sync('--plan', file)).exitCode).not.toBe(0);
    daemon.release();
    expect((await sync('--plan', file)).exitCode).toBe(0);
  });

  test('plan ends with 69 when a side is down, with 77 when it refuses the credentials', async () => {
    await open();
    const { url, key } = stage.marketplace;
    replaceInConfig(key, 'another-key');
    expect((await plan()).exitCode).toBe(77);
    replaceInConfig(url, 'http://127.0.0.1:1');
    const { exitCode, stdout, stderr } = await plan();
    expect([exitCode, stdout]).toEqual([69, '']);
    expect(stderr).toContain('Is the marketplace up');
    // The next process is not kept out.
    acquireLocks(join(stage.dir, 'data'), ['poll', 'work']).release();
  });
});
