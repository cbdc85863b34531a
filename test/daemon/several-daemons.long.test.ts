import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished } from 'vitest';
import { freePort } from '../../src/demo/free-port.ts';
import { startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { accountSection } from '../support/brand.ts';
import { type Daemon, startDaemon } from '../support/daemon.ts';
import { needing } from '../support/needing.ts';
import { newSchema, stopPostgres } from '../support/postgres.ts';
import { startRedis } from '../support/redis.ts';
import { until } from '../support/stage.ts';

const { test } = needing('postgres');
afterAll(stopPostgres);

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const TOKEN = 'an-erp-token-for-tests';
const SECRET = 'a-secret-of-webhooks-for-tests';
const ACCOUNTS = ['north', 'south', 'east', 'west'];
const TAKEN_OVER_MS = 15_000;

/** Both sides of an account, with one product on sale. */
async function openBrand(name: string) {
  const marketplace = await startSandboxMarketplace({ settings: { rate: null } });
  const erp = await startSandboxErp({ tokens: [TOKEN] });
  onTestFinished(async () => {
    await marketplace.close();
    await erp.close();
  });
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '1000');
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const numbers: string[] = [];
  return {
    name,
    marketplace,
    erp,
    numbers,
    isListed: () =>
      marketplace.activeProductIds().length === 1 && Number(marketplace.productBySku('SB-0001').available) > 0,
    order(): void {
      const items = [{ product: marketplace.productBySku('SB-0001').id, quantity: '1' }];
      numbers.push(marketplace.placeOrder({ customer, items }).number);
    },
    times: () => numbers.map((number) => erp.control.findOrders(number).length),
  };
}

type Brand = Awaited<ReturnType<typeof openBrand>>;

const sectionOf = ({ name, marketplace, erp }: Brand): string =>
  accountSection(
    { name, marketplaceUrl: marketplace.url, key: marketplace.key, erpUrl: erp.url, token: TOKEN, secret: SECRET },
    { poll: '1h', erpPoll: '500ms', perSecond: 1_000, perMinute: 60_000 },
  );

async function open() {
  const dir = mkdtempSync(join(tmpdir(), 'several-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const schema = await newSchema();
  const redisPort = await freePort();
  const redis = await startRedis(redisPort);
  onTestFinished(redis.stop);
  const brands = await Promise.all(ACCOUNTS.map(openBrand));
  const start = async (name: string): Promise<Daemon & { readonly port: number }> => {
    const port = await freePort();
    const home = join(dir, name);
    mkdirSync(home, { recursive: true });
    const file = join(home, 'stockbridge.yaml');
    writeFileSync(
      file,
      `state: { dir: ${home}/data, store: postgres, postgres: "${schema.url}", redis: "redis://127.0.0.1:${redisPort}" }
webhooks: { listen: 127.0.0.1:${port} }
admin: { listen: 127.0.0.1:0 }
accounts:${brands.map(sectionOf).join('')}
`,
    );
    return { ...startDaemon(file, '--name', name), port };
  };
  const first = await start('first');
  await until('it listens', () => first.log().includes('"started"') || first.log().includes('started'));
  const second = await start('second');
  const third = await start('third');
  const { store, close } = await openPostgres(schema.url, Date.now, false);
  onTestFinished(async () => {
    await close();
    await schema.drop();
  });
  /** The accounts of each daemon, by its name. Only fenced leases count. */
  const spreading = async (): Promise<Map<string, string[]>> => {
    const { daemons, leases } = await store.leases.list();
    const named = leases.filter(({ account }) => account !== '');
    return new Map(
      daemons.map(({ id, name }) => [
        name.replace(/:\d+$/, ''),
        named.filter(({ holder }) => holder === id).map(({ account }) => account),
      ]),
    );
  };
  const file = join(dir, 'first', 'stockbridge.yaml');
  return { brands, daemons: [first, second, third] as const, spreading, start, file };
}

const sizes = (spreading: ReadonlyMap<string, readonly string[]>) =>
  [...spreading.values()].map(({ length }) => length).toSorted((a, b) => a - b);

test('three daemons share four accounts; accounts of a killed, paused or stopped one move, and each order is in its ERP once', async () => {
  const { brands, daemons, spreading, start, file } = await open();
  const [first, second, third] = daemons;
  await until('the accounts are spread', async () => sizes(await spreading()).join() === '1,1,2');
  const status = await promisify(execFile)(process.execPath, [MAIN, '--config', file, 'status', '--json']);
  const { accounts } = JSON.parse(status.stdout) as { accounts: { worker: { name: string } }[] };
  const names = accounts.map(({ worker }) => worker.name.replace(/:\d+$/, ''));
  expect(new Set(names)).toEqual(new Set(['first', 'second', 'third']));
  // Every webhook goes to the same daemon, even if another one works the account.
  for (const { name, marketplace } of brands) {
    const url = `http://127.0.0.1:${third.port}/webhooks/${name}/orders`;
    marketplace.webhooks.setTargets([{ url, types: ['order'], secret: SECRET }]);
  }
  await until('every brand sells', () => brands.every((brand) => brand.isListed()));
  const arrive = async (what: string) => {
    for (const brand of brands) brand.order();
    await until(what, () => brands.every((brand) => brand.times().every((count) => count >= 1)));
  };
  await arrive('orders arrive, by webhooks at a daemon that does not work the account');

  const tookMs: Record<string, number> = {};
  const moves = async (what: string, from: string, act: () => void) => {
    const beganMs = performance.now();
    for (const brand of brands) brand.order();
    act();
    const isOver = async () => {
      const now = await spreading();
      return [...now].every(([name, { length }]) => name !== from || length === 0) && sizes(now).at(-1) === 2;
    };
    await until(
      what,
      async () => (await isOver()) && [...(await spreading()).values()].flat().length === brands.length,
    );
    tookMs[from] = Math.round(performance.now() - beganMs);
  };
  await moves('the others have the accounts of the one that was killed', 'second', () => void second.kill());
  expect(tookMs['second']).toBeLessThan(TAKEN_OVER_MS);
  await until('the orders arrive', () => brands.every((brand) => brand.times().every((count) => count >= 1)));

  const again = await start('fourth');
  await until('it has its share', async () => sizes(await spreading()).join() === '1,1,2');
  await moves('the others have the accounts of the one that was paused', 'first', () => first.process.kill('SIGSTOP'));
  expect(tookMs['first']).toBeLessThan(TAKEN_OVER_MS);
  first.process.kill('SIGCONT');
  await until('it knows that it lost them', () => first.log().includes('its lease is over'));
  await until('it is back', async () => sizes(await spreading()).join() === '1,1,2');
  await arrive('the orders arrive');

  await moves('one that is told to end hands over', 'fourth', () => void again.terminate());
  expect(tookMs['fourth']).toBeLessThan(10_000);
  await arrive('the orders arrive after all');

  for (const { times, marketplace } of brands) {
    expect(new Set(times())).toEqual(new Set([1]));
    expect(marketplace.requestLog.statuses()).not.toHaveProperty('429');
  }
  process.stdout.write(`an account was taken over after ${JSON.stringify(tookMs)} ms\n`);
}, 600_000);
