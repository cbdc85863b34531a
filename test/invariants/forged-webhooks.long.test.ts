import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RECEIVER_LIMITS } from '../../src/daemon/receiver/intake.ts';
import { type SandboxErp, startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { type SandboxMarketplace, startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import type { DaemonApi } from '../bench/support/daemon-process.ts';
import { type Process, start } from '../bench/support/rpc.ts';
import { openLine } from '../fuzz/connection.ts';
import { figureOf } from '../support/guide.ts';
import { until } from '../support/stage.ts';

const SECRET = 'the-webhook-secret-of-the-flood';
const TOKEN = 'an-erp-token-of-the-flood';
const LINES = 64;
/** The number of forged webhooks that come alone, and again beside genuine ones. A few come before, as a warm-up. */
const FORGED = 5_000;
const WARM_UP = 500;
const GENUINE = 20;
/** Far less than the bytes of the flood, and more than the growth of an idle daemon. */
const GROWTH_MB = 24;

let dir: string;
let marketplace: SandboxMarketplace;
let erp: SandboxErp;
let daemon: Process<DaemonApi>;
let port: number;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'forged-'));
  marketplace = await startSandboxMarketplace({ settings: { rate: null } });
  erp = await startSandboxErp({ tokens: [TOKEN] });
  erp.control.seed(3);
  const configFile = join(dir, 'stockbridge.yaml');
  writeFileSync(configFile, configText());
  daemon = start<DaemonApi>(new URL('../bench/support/daemon-process.ts', import.meta.url), ['--expose-gc']);
  const roles = ['poll', 'receive', 'work'] as const;
  const { receiverUrl } = await daemon.api.start({ configFile, unlimited: true, roles, logFile: join(dir, 'log') });
  port = Number(new URL(receiverUrl ?? '').port);
  await until('the listings are there', () => marketplace.products().length === 3);
  await until('nothing is left to do', async () => (await daemon.api.pending()) === 0);
});

afterEach(async () => {
  await daemon.api.stop().catch(() => {});
  await daemon.end();
  await marketplace.close();
  await erp.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The daemon reads only at the start and because of webhooks. */
function configText(): string {
  return `
version: 1
state: { dir: ${dir}/data }
webhooks: { listen: 127.0.0.1:0 }
accounts:
  main:
    marketplace:
      base_url: ${marketplace.url}
      auth: { scheme: app, key: ${marketplace.key} }
      seller_id: 4711
      poll: { orders: 1h, products: 1h }
      webhooks: { secret: ${SECRET} }
    erp: { type: http, url: "${erp.url}", token: ${TOKEN}, poll: 1h }
    inventory: { strategy: b }
    orders: { export_from: 2000-01-01T00:00:00Z }
    brakes: { create: { count: 100000, percent: 10000 } }
`;
}

const sign = (body: Buffer, secret = SECRET) => createHmac('sha256', secret).update(body).digest('base64');

/** The request as bytes. */
function request(body: Buffer, headers: readonly string[], framing = `content-length: ${body.length}`): Buffer {
  const head = ['POST /webhooks/main/orders HTTP/1.1', 'host: x', framing, ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), body]);
}

const signedWith = (signature: string) => [`service-signature: ${signature}`];

function bodyOf(bytes: number, number: string): Buffer {
  const head = JSON.stringify({ action: 'edit', type: 'order', data: { number, note: '' } });
  return Buffer.from(head.replace('""', `"${'x'.repeat(Math.max(0, bytes - head.length))}"`));
}

/** The nth forgery. No two forgeries have the same content. */
function forged(nth: number): Buffer {
  const number = `forged-${nth}`;
  if (nth % 100 === 0) {
    const largest = bodyOf(RECEIVER_LIMITS.bodyBytes, number);
    return request(largest, signedWith(sign(largest, 'a guess')));
  }
  if (nth % 100 === 1) {
    const tooLarge = bodyOf(RECEIVER_LIMITS.bodyBytes + 1, number);
    return request(tooLarge, signedWith(sign(tooLarge)));
  }
  if (nth % 100 === 2) {
    const endless = bodyOf(RECEIVER_LIMITS.bodyBytes + 1, number);
    const chunk = Buffer.concat([Buffer.from(`${endless.length.toString(16)}\r\n`), endless]);
    return request(chunk, signedWith(sign(endless)), 'transfer-encoding: chunked');
  }
  const body = bodyOf(8 * 1024, number);
  const kinds = [
    () => signedWith(sign(body, 'a guess')),
    () => signedWith(sign(Buffer.from('another body'))),
    () => [],
    () => signedWith(''),
    () => signedWith('AAAA'),
    () => signedWith(`${sign(body)}AAAA`),
    () => signedWith('x'.repeat(4_000)),
    () => signedWith(sign(body, 'a guess')).concat(signedWith(sign(body, 'another'))),
  ];
  return request(body, kinds[nth % kinds.length]?.() ?? []);
}

function genuine(number: string): Buffer {
  const body = Buffer.from(JSON.stringify({ action: 'create', type: 'order', data: { number } }));
  return request(body, signedWith(sign(body)));
}

/**
 * Sends over many connections at once, each of which is opened again when it is closed. Returns how often each status came
 * back.
 */
async function send(requests: Iterable<Buffer>): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const next = requests[Symbol.iterator]();
  const lanes = Array.from({ length: LINES }, async () => {
    const line = openLine(port);
    for (let sent = next.next(); sent.done !== true; sent = next.next()) {
      const status = (await line.ask(sent.value)) ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    line.close();
  });
  await Promise.all(lanes);
  return statuses;
}

function* flood(from: number, to: number, between: readonly Buffer[] = []): Generator<Buffer> {
  const every = Math.floor((to - from) / (between.length + 1));
  for (let nth = from; nth < to; nth += 1) {
    yield forged(nth);
    const due = between[(nth - from) / every - 1];
    if (due !== undefined) yield due;
  }
}

function storedWebhooks(): { count: number; bytes: number } {
  const sqlite = new SqliteDatabase(join(dir, 'data', 'stockbridge.db'), { readonly: true });
  const row = sqlite.prepare('select count(*) as count, coalesce(sum(length(body)), 0) as bytes from inbox').get();
  sqlite.close();
  return row as { count: number; bytes: number };
}

test('10,000 forged webhooks cost no call, use no memory and no disk, and block no genuine one', async () => {
  // The warm-up makes everything that is made once and kept, before the measurement.
  await send(flood(0, WARM_UP));
  const beforeMb = await daemon.api.aliveMb();
  marketplace.requestLog.reset();
  const answers = await send(flood(WARM_UP, WARM_UP + FORGED));
  expect(marketplace.requestLog.total()).toBe(0);
  expect(storedWebhooks()).toEqual({ count: 0, bytes: 0 });
  expect([...answers.keys()].filter((status) => ![0, 401, 408, 413, 429].includes(status))).toEqual([]);

  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: 1, quantity: '1' }];
  const orders = Array.from({ length: GENUINE }, () => marketplace.placeOrder({ customer, items }).number);
  const startedMs = performance.now();
  const last = WARM_UP + 2 * FORGED;
  const mixed = await send(flood(last - FORGED, last, orders.map(genuine)));
  expect(mixed.get(202)).toBe(GENUINE);
  await until('each is in the ERP', () => orders.every((number) => erp.control.findOrders(number).length === 1));
  await until('nothing is left to do', async () => (await daemon.api.pending()) === 0);
  const counts = marketplace.requestLog.counts();
  const { burst, perSecond } = RECEIVER_LIMITS.nudges;
  const nudges = burst + (perSecond * (performance.now() - startedMs)) / 1_000;
  expect(counts['orders.list']).toBeLessThanOrEqual(nudges + 5);
  expect(storedWebhooks().count).toBe(GENUINE);
  // The calls that mark orders and write stock are not counted.
  const others = marketplace.requestLog.total() - (counts['orders.list'] ?? 0);
  expect(others).toBeLessThanOrEqual(2 * GENUINE);

  expect((await daemon.api.aliveMb()) - beforeMb).toBeLessThan(GROWTH_MB);
  const each = FORGED.toLocaleString('en');
  expect(figureOf('Nobody gets in')).toContain(
    `${each} forged webhooks: no call, nothing stored; ${each} more beside ${GENUINE} genuine ones: only those stored, no call but for them`,
  );
});
