import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { DATABASE, freePort, startPostgres } from '../../support/databases.ts';
import { KEPT } from '../../support/kept.ts';

const run = promisify(execFile);

const VERSION = '2.2.1';
/** EverShop 2.2.1 imports concat-stream, and does not name it among its packages. */
const PACKAGES = [`@evershop/evershop@${VERSION}`, 'concat-stream@2.0.0'];
const LOOPBACK = fileURLToPath(new URL('./loopback.ts', import.meta.url));
const PROGRAM = join('node_modules', '@evershop', 'evershop', 'dist', 'bin', 'evershop.js');
/** It comes with the Node that this machine has. */
const NPM = 'npm';
export const CLERK = { user: 'clerk@shop.example', password: 'people-work-here-1' };
/** EverShop counts calls by address. People call from another one than the bridge. */
const OF_PEOPLE = '10.0.0.2';

export interface EverShop {
  readonly url: string;
  /** The uuid of a shipping method that costs nothing. */
  readonly shippingMethod: string;
  /** A call of the API by a person. Returns `data` of the answer. */
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  sql(statement: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** A shop of its own with products at these prices, 1,000 units of each: PART-0001 and so on. */
export async function startEverShop(prices: readonly number[]): Promise<EverShop> {
  const program = join(await installed(), PROGRAM);
  const home = await mkdtemp(join(tmpdir(), 'evershop-'));
  const [database, port] = [await startPostgres(), await freePort()];
  const { hostname, port: databasePort, username, password } = new URL(database.url);
  const secrets = ['ADMIN', 'ADMIN_REFRESH', 'CUSTOMER', 'CUSTOMER_REFRESH'];
  const env = {
    ...process.env,
    ...Object.fromEntries(secrets.map((name) => [`JWT_${name}_SECRET`, `a secret of this test for ${name}`])),
    DB_HOST: hostname,
    DB_PORT: databasePort,
    DB_NAME: DATABASE,
    DB_USER: decodeURIComponent(username),
    DB_PASSWORD: decodeURIComponent(password),
    DB_SSLMODE: 'disable',
    PORT: String(port),
    NODE_OPTIONS: `--import ${LOOPBACK}`,
    // Its own processes begin with "node", and only a new one reads TypeScript.
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  };
  // It has processes of its own, which end with its group.
  const server = spawn(process.execPath, [program, 'start'], { cwd: home, env, stdio: 'ignore', detached: true });
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    if (server.pid !== undefined && server.exitCode === null) {
      process.kill(-server.pid, 'SIGKILL');
      await ended;
    }
    await database.stop();
    await rm(home, { recursive: true, force: true });
  };
  const answers = () =>
    fetch(`${url}/api/carts`, { method: 'POST' }).then(
      () => true,
      () => false,
    );
  while (!(await answers())) {
    if (server.exitCode !== null) throw new Error(`EverShop ended with ${server.exitCode} while it was started`);
    await sleep(200);
  }
  const create = ['user:create', '--name', 'Clerk', '--email', CLERK.user, '--password', CLERK.password];
  await run(process.execPath, [program, ...create], { cwd: home, env });
  const call = await callsOf(url);
  const shippingMethod = await seed(call, prices);
  const sql = async (statement: string) => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  return { url, shippingMethod, call, sql, stop };
}

async function callsOf(url: string): Promise<EverShop['call']> {
  const send = async (method: string, path: string, body: object, token = '') => {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': OF_PEOPLE,
      authorization: `Bearer ${token}`,
    };
    const response = await fetch(`${url}/api${path}`, { method, headers, body: JSON.stringify(body) });
    const { data, error } = (await response.json()) as { data?: Record<string, unknown>; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method} ${path}: ${error.message}`);
    return data ?? {};
  };
  const { accessToken } = await send('POST', '/user/tokens', { email: CLERK.user, password: CLERK.password });
  return (method, path, body = {}) => send(method, path, body, String(accessToken));
}

async function seed(call: EverShop['call'], prices: readonly number[]): Promise<string> {
  const box = await call('POST', '/packages', { name: 'A box', length: 10, width: 10, height: 10 });
  for (const [index, price] of prices.entries()) {
    const number = String(index + 1).padStart(4, '0');
    const facts = {
      name: `Part no. ${number} äöü ✓`,
      url_key: `part-${number}`,
      sku: `PART-${number}`,
      price,
      qty: 1_000,
    };
    const settings = { status: 1, visibility: 1, manage_stock: 1, stock_availability: 1, group_id: 1, weight: 1 };
    await call('POST', '/products', { ...facts, ...settings, package_id: box['package_id'] });
  }
  const zone = await call('POST', '/shippingZones', { name: 'Here', countries: ['US'] });
  const method = await call('POST', '/shippingProviders/core/methods', { name: 'Marketplace' });
  const rate = { method_id: method['uuid'], zone_id: zone['uuid'], cost: 0, is_enabled: true };
  await call('POST', '/shippingProviders/core/rates', rate);
  await call('POST', '/settings', { codPaymentStatus: 1 });
  return String(method['uuid']);
}

/** The folder with the packages of EverShop, outside of the repository. They are installed once. */
async function installed(): Promise<string> {
  const kept = join(KEPT, `stockbridge-live-evershop-${VERSION}`);
  if (existsSync(kept)) return kept;
  const making = await mkdtemp(`${kept}-`);
  await writeFile(join(making, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }');
  const args = ['install', '--no-audit', '--no-fund', '--omit=dev', ...PACKAGES];
  await run(NPM, args, { cwd: making, maxBuffer: 1e8 });
  await rename(making, kept).catch(() => rm(making, { recursive: true }));
  return kept;
}

/** The section `erp` of an account that is connected to this shop. */
export function sectionOf({ url, shippingMethod }: EverShop) {
  const address = { address_1: '1 Main Street', city: 'Reno', province: 'US-NV', country: 'US', postcode: '89501' };
  const settings = {
    currency: 'USD',
    mail_domain: 'orders.shop.example',
    shipping_method: shippingMethod,
    address: { full_name: 'The marketplace', telephone: '1', ...address },
  };
  return { type: 'rest', extends: 'evershop', url, auth: { scheme: 'session', ...CLERK }, timeout: '90s', settings };
}
