import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStage, type Stage } from '../support/stage.ts';
import { run } from './capture.ts';

async function erp(stage: Stage, ...args: string[]) {
  return run(['erp', ...args, '--config', stage.configFile]);
}

async function seeded(): Promise<Stage> {
  const stage = await openStage();
  stage.erp.control.seed(4);
  return stage;
}

test('erp describe prints the capabilities of the connection, and who states them', async () => {
  const { exitCode, stdout, stderr } = await erp(await seeded(), 'describe');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Stockbridge sandbox ERP 1, by erp\.type http; its clock says /);
  expect(stdout).toMatch(/^totals +stored +ERP$/m);
  expect(stdout).toMatch(/^longest_transaction +0s +default$/m);
  expect(stdout).toMatch(/^orders +by a stamp: the ERP is asked for what changed since a time$/m);
  expect(stdout).toContain('It can serve every flow.');
});

test('erp try prints requests and answers without secrets, the rows, and what is left out', async () => {
  const stage = await seeded();
  stage.erp.control.inject({
    kind: 'invalid-row',
    key: 'SB-0002',
    set: { price: null, warehouse: 'East\u001b[31m' },
    times: null,
  });
  const { exitCode, stdout } = await erp(stage, 'try', 'products', '--limit', '3');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^sent: GET \/v1\/products\n {2}GET http:\S+\/v1\/products\?limit=500$/m);
  expect(stdout).not.toContain('an-erp-token');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(/^made of it: 3 rows, as of \S+, complete$/m);
  expect(stdout).toMatch(/^set aside: 1 row\n {2}P-000002: price: /m);
  expect(stdout).toMatch(/^ {2}items\[\]\.warehouse: East/m);
  expect(stdout).not.toMatch(/^ {2}items\[\]\.unit_multiplier/m);
});

test('erp try looks records up by the names of a configuration', async () => {
  const stage = await seeded();
  const { stdout } = await erp(stage, 'try', 'stock-by-sku', 'SB-0001', 'SB-0002', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ rows: [{ sku: 'SB-0001' }, { sku: 'SB-0002' }], failure: null });
  expect(await erp(stage, 'try', 'prodcts')).toMatchObject({
    exitCode: 64,
    stderr: expect.stringContaining('products') as string,
  });
  expect(await erp(stage, 'try', 'orders', '--since', 'yesterday')).toMatchObject({ exitCode: 64 });
});

test('erp try prints an answer that fails as well', async () => {
  const stage = await seeded();
  stage.erp.control.inject({ kind: 'status', status: 403, error: 'not for you', times: null });
  const { exitCode, stdout, stderr } = await erp(stage, 'try', 'orders');
  expect(exitCode).toBe(77);
  expect(stdout).toContain('{"error":"not for you"}');
  expect(stderr).toContain('Give the token of this account that right.');
});

test('erp check only reads, and says what the other checks require', async () => {
  const stage = await seeded();
  const { exitCode, stdout } = await erp(stage, 'check');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^ok {4}products-whole: .*\(4 rows in 1 page\)/m);
  expect(stdout).toMatch(/^-- {4}create: [^]*?not tested:\s+it needs --write/m);
  expect(stdout).toMatch(/^\d+ promises: \d+ kept, 0 broken, \d+ not tested$/m);
  expect(stage.erp.control.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('erp check --write tests orders on the named products, and removes them', async () => {
  const stage = await seeded();
  const { exitCode, stdout } = await erp(stage, 'check', '--write', '--sku', 'SB-0002', '--sku', 'SB-0004');
  expect(stdout).not.toContain('FAIL');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^ok {4}cut-create: [^]*?broken\s+at 2 places/m);
  const { orders } = stage.erp.control.state();
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['cancelled']));
  expect(new Set(orders.flatMap(({ lines }) => lines.map(({ sku }) => sku)))).toEqual(new Set(['SB-0002', 'SB-0004']));
});

test('erp check shows a broken promise with the expected and actual values and the fix', async () => {
  const stage = await seeded();
  stage.erp.control.inject({ kind: 'stale', byMs: 86_400_000, path: '/v1/stock', times: null });
  const { exitCode, stdout } = await erp(stage, 'check', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ leftBehind: [] });
  stage.erp.control.clearFaults();
  stage.erp.control.inject({
    kind: 'invalid-row',
    key: 'SB-0001',
    set: { available: '999' },
    path: '/v1/stock',
    times: null,
  });
  const broken = await erp(stage, 'check');
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout).toMatch(
    /^FAIL {2}stock-sum: [^]*?expected: SB-0001: [^]*?came: 999 available\n[^]*?-> map available/m,
  );
});

test('erp check ends with the exit code of the problem', async () => {
  const stage = await seeded();
  const file = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, file.replace('an-erp-token-for-tests', 'another-token'));
  expect(await erp(stage, 'check')).toMatchObject({ exitCode: 77 });
  writeFileSync(stage.configFile, file);
  expect(await erp(stage, 'check', '--sku', 'SB-0001')).toMatchObject({ exitCode: 64 });
  await stage.erp.close();
  stage.erp.close = async () => {};
  const down = await erp(stage, 'check');
  expect(down.exitCode).toBe(69);
  expect(down.stdout).toMatch(/not tested:\s+the ERP does not answer/);
  expect(await erp(stage, 'describe')).toMatchObject({ exitCode: 69 });
});
