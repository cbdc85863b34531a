import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Credential } from '../../src/sandbox/marketplace/auth.ts';
import { acquireLocks } from '../../src/store/sqlite/lock.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';
import { run } from './capture.ts';

interface Found {
  readonly about: string;
  readonly account: string | null;
  readonly level: string;
  readonly text: string;
  readonly mend: string | null;
}

async function doctor({ configFile }: Stage) {
  const { exitCode, stdout, stderr } = await run(['doctor', '--json', '--config', configFile]);
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: Found[] };
  return { exitCode, findings, bad: findings.filter(({ level }) => level !== 'ok') };
}

function reconfigure(stage: Stage, from: string | RegExp, to: string): void {
  const yaml = readFileSync(stage.configFile, 'utf8');
  expect(yaml).toMatch(from);
  writeFileSync(stage.configFile, yaml.replace(from, to));
}

const keyWith = (permissions: Credential['permissions']): Credential[] => [
  { scheme: 'App', secret: 'a-restricted-key', owner: 'brand', permissions },
];

test('doctor reports that all is well in few calls, and changes nothing on either side', async () => {
  const stage = await openStage();
  stage.erp.control.seed(3);
  stage.marketplace.createProducts([{ sku: 'SB-0001', name: 'One', quantity: 5 }]);
  const { exitCode, stdout, stderr } = await run(['doctor', '--config', stage.configFile]);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^ok {4}Orders: Read: orders\.list answers, 0 in all$/m);
  expect(stdout).toMatch(/^ok {4}Orders: Read & Write: not refused \(404\); only a write would prove it$/m);
  expect(stdout).toMatch(/^ok {4}ERP products: 3 rows, all fit$/m);
  expect(stdout.replace(/\n +/g, ' ')).toMatch(
    /^ok {4}ERP units: for example SB-000\d, \d+ to a case: [\d.]+ USD a unit in the ERP is listed at [\d.]+ a case; \d+ units available in the ERP are \d+ units on the listing$/m,
  );
  expect(stdout).toMatch(/^\d+ checks, 0 failed, 0 warnings$/m);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  for (const secret of [stage.marketplace.key, 'an-erp-token', WEBHOOK_SECRET]) expect(stdout).not.toContain(secret);
  const asked = stage.marketplace.requestLog.calls().map(({ method, applied }) => (method === 'GET' ? 'GET' : applied));
  expect(asked).toEqual(['GET', 'GET', false, false]);
  expect(stage.erp.control.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(stage.erp.control.requests().length).toBeLessThan(14);
});

test('doctor reports a configured field name that no row has, and finds one that a row has', async () => {
  const stage = await openStage({
    marketplace: `      fields:
        order: { shipping: totals.freight, discount_type: kind }
        product: { price: case_price }
        customer: { delivery_address: ship_to }`,
    sandbox: { settings: { fieldNames: { order: { shipping_charge: 'totals.freight' } } } },
  });
  const named = async () => (await doctor(stage)).findings.filter(({ about }) => about.startsWith('names of'));
  expect((await named()).map(({ about, level, text }) => [about, level, text])).toEqual([
    [
      'names of order fields',
      'warn',
      'not looked for, since there is no order yet: marketplace.fields.order.discount_type (kind), marketplace.fields.order.shipping (totals.freight)',
    ],
    [
      'names of product fields',
      'warn',
      'not looked for, since there is no product yet: marketplace.fields.product.price (case_price)',
    ],
    [
      'names of customer fields',
      'warn',
      'not looked for, since there is no customer yet: marketplace.fields.customer.delivery_address (ship_to)',
    ],
  ]);
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { id } = stage.marketplace.createProduct({ sku: 'A', name: 'A', quantity: 5, case_price: null });
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: id, quantity: '1' }] });
  expect((await named()).map(({ about, level, text }) => [about, level, text])).toEqual([
    ['names of order fields', 'warn', 'in none of the latest 1 rows: marketplace.fields.order.discount_type (kind)'],
    ['names of product fields', 'ok', 'in the latest 1 rows: marketplace.fields.product.price (case_price)'],
    [
      'names of customer fields',
      'warn',
      'in none of the latest 1 rows: marketplace.fields.customer.delivery_address (ship_to)',
    ],
  ]);
  stage.marketplace.editOrder(number, { kind: 'amount' });
  expect(await named()).toMatchObject([{ level: 'ok' }, { level: 'ok' }, { level: 'warn' }]);
});

test.each<[Credential['permissions'], string, string]>([
  [{ Orders: 'read', Products: 'write' }, 'Orders: Read & Write', 'order-in, order-out'],
  [{ Orders: 'write', Products: 'read' }, 'Products: Read & Write', 'product, stock'],
])('doctor names a missing permission with the flows that need it: %j', async (permissions, name, flows) => {
  const { exitCode, bad } = await doctor(await openStage({ sandbox: { keys: keyWith(permissions) } }));
  expect(exitCode).toBe(77);
  expect(bad.map(({ about, account, level }) => [about, account, level])).toEqual([[name, 'main', 'fail']]);
  expect(bad[0]?.text).toContain(`missing; needed by ${flows}. marketplace `);
  expect(bad[0]?.mend).toBe(`let the marketplace grant "${name}" to this key`);
});

test('doctor names a missing resource with the flows that need it', async () => {
  const { exitCode, bad } = await doctor(await openStage({ sandbox: { keys: keyWith({ Orders: 'write' }) } }));
  expect(exitCode).toBe(77);
  expect(bad.map(({ about }) => about)).toEqual(['Products: Read', 'Products: Read & Write']);
});

test('doctor reports a permission whose calls are answered with 404 as missing, when other calls are answered', async () => {
  const sandbox = { keys: keyWith({ Orders: 'write' }), settings: { forbiddenStatus: 404 as const } };
  const { exitCode, bad } = await doctor(await openStage({ sandbox }));
  expect(exitCode).toBe(77);
  expect(bad.map(({ about }) => about)).toEqual(['Products: Read']);
  expect(bad[0]?.text).toContain('probably missing, because other calls are answered');
});

test('doctor suspects a missing permission where the 404 may also mean an empty list', async () => {
  const sandbox = { keys: keyWith({ Products: 'write' }), settings: { forbiddenStatus: 404 as const } };
  const { exitCode, bad } = await doctor(await openStage({ sandbox }));
  expect(exitCode).toBe(0);
  expect(bad.map(({ about, level }) => [about, level])).toEqual([['Orders: Read', 'warn']]);
  expect(bad[0]?.text).toContain('or the permission is missing');
});

test('doctor asks nothing else of a marketplace that refuses the key', async () => {
  const stage = await openStage();
  reconfigure(stage, /key: \S+/, 'key: another-key');
  const { exitCode, bad } = await doctor(stage);
  expect(exitCode).toBe(77);
  expect(bad).toMatchObject([{ level: 'fail', text: expect.stringContaining('Check marketplace.auth') as string }]);
  expect(stage.marketplace.requestLog.total()).toBe(1);
});

test('doctor reports a marketplace that is down', async () => {
  const stage = await openStage();
  await stage.marketplace.close();
  const { exitCode, findings, bad } = await doctor(stage);
  stage.marketplace.close = async () => {};
  expect(exitCode).toBe(69);
  expect(bad).toHaveLength(1);
  expect(findings.filter(({ about }) => about.startsWith('ERP')).length).toBeGreaterThan(5);
});

test('doctor reports a marketplace without the version, or of another seller', async () => {
  const unknown = await openStage({ marketplace: '      version: 2020-01-01' });
  expect(await doctor(unknown)).toMatchObject({ exitCode: 78, bad: [{ about: 'Products: Read' }, {}] });
  const foreign = await openStage();
  const customer = foreign.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  foreign.marketplace.createProducts([{ sku: 'A', name: 'A', quantity: 5 }]);
  foreign.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  reconfigure(foreign, 'seller_id: 4711', 'seller_id: 4712');
  const { exitCode, bad } = await doctor(foreign);
  expect(exitCode).toBe(78);
  expect(bad[0]?.text).toContain('returns data of seller 4711, but marketplace.seller_id is 4712');
});

test('doctor makes no call for which the quota has no room', async () => {
  const stage = await openStage({ limits: 'real' });
  stage.marketplace.faults.set({ kind: 'rate-limit', retryAfterSeconds: 3000 });
  const { exitCode, bad } = await doctor(stage);
  expect(exitCode).toBe(0);
  expect(bad.map(({ level, text }) => [level, text.startsWith('not checked: ')])).toEqual(
    Array.from({ length: 4 }, () => ['warn', true]),
  );
  expect(stage.marketplace.requestLog.total()).toBe(1);
});

test('doctor reports an ERP that refuses the token', async () => {
  const stage = await openStage();
  reconfigure(stage, 'token: an-erp-token-for-tests', 'token: a-wrong-token');
  const { exitCode, bad } = await doctor(stage);
  expect(exitCode).toBe(77);
  expect(bad).toMatchObject([{ about: 'ERP', level: 'fail', text: expect.stringContaining('erp.token') as string }]);
});

test('doctor prints every field that a row of the ERP lacks at once', async () => {
  const stage = await openStage();
  stage.erp.control.seed(1);
  const set = { price: undefined, active: undefined, changed_at: undefined };
  stage.erp.control.inject({ kind: 'invalid-row', key: null, set, path: '/v1/products', times: null });
  const { bad } = await doctor(stage);
  const { text = '' } = bad.find(({ about }) => about === 'ERP products') ?? {};
  for (const field of Object.keys(set)) expect(text).toContain(field);
});

test('doctor says whether ports are free, ours, or taken', async () => {
  const stage = await openStage();
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  reconfigure(stage, 'admin: { listen: 127.0.0.1:0 }', `admin: { listen: "127.0.0.1:${port}" }`);
  const taken = await doctor(stage);
  expect(taken.exitCode).toBe(1);
  expect(taken.bad).toMatchObject([
    { about: 'admin.listen', text: `127.0.0.1:${port}: another program listens there` },
  ]);
  const lock = acquireLocks(join(stage.dir, 'data'), ['admin']);
  const ours = await doctor(stage);
  lock.release();
  other.close();
  expect(ours.exitCode).toBe(0);
  expect(ours.findings.find(({ about }) => about === 'admin.listen')?.text).toContain('our daemon listens there');
});

test('doctor reports polls that are too rare to notice soon that webhooks are disabled', async () => {
  const stage = await openStage();
  reconfigure(stage, /products: 200ms/, 'products: 15m');
  const { exitCode, bad } = await doctor(stage);
  expect(exitCode).toBe(0);
  expect(bad).toMatchObject([
    {
      about: 'webhooks',
      level: 'warn',
      text: 'about products: that they are switched off shows only at polls, 15 min apart',
      mend: 'set accounts.main.marketplace.poll.products to 5m or less',
    },
  ]);
});

test('doctor reports webhooks without a secret, and a folder that others may read', async () => {
  const stage = await openStage();
  reconfigure(stage, / +webhooks: \{ secret.*\n/, '');
  mkdirSync(join(stage.dir, 'data'));
  chmodSync(join(stage.dir, 'data'), 0o755);
  const { exitCode, bad } = await doctor(stage);
  expect(exitCode).toBe(0);
  expect(bad).toMatchObject([
    { about: 'file modes', level: 'warn', mend: `chmod go= ${join(stage.dir, 'data')}` },
    { about: 'webhooks', level: 'warn', mend: 'set accounts.main.marketplace.webhooks.secret' },
  ]);
});

test('doctor warns of unencrypted data to another machine: to Redis, and to the ERP', async () => {
  const stage = await openStage();
  reconfigure(stage, /state: \{ dir: (\S+) \}/, 'state: { dir: $1, redis: "redis://redis.invalid" }');
  reconfigure(stage, new RegExp(stage.erp.url), 'http://erp.invalid');
  const { bad } = await doctor(stage);
  expect(bad.filter(({ about }) => about === 'configuration').map(({ text }) => text)).toEqual([
    expect.stringMatching(/state\.redis: credentials and data go to another machine in clear: use rediss/),
    expect.stringMatching(/erp\.url: credentials and data go to another machine in clear: use https/),
  ]);
});

test('doctor makes no call when its own Redis does not answer', async () => {
  const stage = await openStage();
  reconfigure(stage, /state: \{ dir: (\S+) \}/, 'state: { dir: $1, redis: "redis://127.0.0.1:1" }');
  const { exitCode, bad } = await doctor(stage);
  expect(exitCode).toBe(69);
  expect(bad.map(({ about, level }) => [about, level])).toEqual([
    ['redis', 'fail'],
    ['marketplace', 'warn'],
  ]);
  expect(bad[0]).toMatchObject({
    text: expect.stringMatching(/^redis:\/\/127\.0\.0\.1:1 does not answer \(connect ECONNREFUSED 127\.0\.0\.1:1\)/),
    mend: expect.stringContaining('start it, or correct state.redis'),
  });
  expect(stage.marketplace.requestLog.total()).toBe(0);
});

test('doctor reports a configuration error as other commands do, and calls neither side', async () => {
  const stage = await openStage();
  reconfigure(stage, 'seller_id: 4711', 'seller: 4711');
  const { exitCode, stderr } = await run(['doctor', '--config', stage.configFile]);
  expect(exitCode).toBe(78);
  expect(stderr).toContain('accounts.main.marketplace.seller: unknown key');
  expect(stage.marketplace.requestLog.total()).toBe(0);
});
