import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { ErpConnector } from '../../src/erp/connector.ts';
import { createTryton } from '../../src/erp/tryton/connector.ts';
import type { SandboxErp } from '../../src/sandbox/erp/server.ts';
import { type SandboxMarketplace, startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import { disagreements } from '../support/agreement.ts';
import { type Daemon, startDaemon } from '../support/daemon.ts';
import { needing } from '../support/needing.ts';
import { shownBy } from '../support/shown-erp.ts';
import { type People, peopleOf } from './people.ts';
import { type RunningTryton, startTryton, USER } from './system.ts';

const ORDERS = 40;
const BATCH = ORDERS / 4;
/** Tryton needs a second for a sale, and the machine may be busy with other things. */
const LIMIT_MS = 900_000;
const SETTINGS = { customer: 'MARKETPLACE', shippingProduct: 'SHIPPING', discountProduct: 'DISCOUNT' };

needing('tryton').test(
  `${ORDERS} orders with a real Tryton, and a daemon that is killed four times: nothing is lost or created twice, and stock is equal`,
  async () => {
    const tryton = await startTryton();
    onTestFinished(tryton.stop);
    const people = peopleOf(tryton);
    onTestFinished(people.close);
    const erp = createTryton({
      url: tryton.url,
      database: tryton.database,
      ...USER,
      timeoutMs: 120_000,
      settings: SETTINGS,
    });
    onTestFinished(erp.close);
    const marketplace = await startSandboxMarketplace({ settings: { rate: null } });
    onTestFinished(() => marketplace.close());
    const buyer = marketplace.addCustomer({ name: 'Shop in Oregon', state: 'OR' });
    const configFile = configure(tryton, marketplace);

    let daemon: Daemon = startDaemon(configFile);
    const listed = () => marketplace.activeProductIds();
    await until('every product is listed', () => listed().length === 42, daemon);
    for (let batch = 0; batch < 4; batch += 1) {
      const numbers = Array.from({ length: BATCH }, (_, index) => {
        const items = [batch * BATCH + index, batch + index * 3].map((at, place) => ({
          product: listed()[at % 40] ?? 0,
          quantity: String(3 + ((index + place) % 5)),
        }));
        return marketplace.placeOrder({ customer: buyer, items }).number;
      });
      const exported = () => marketplace.orders().filter((order) => numbers.includes(order.number) && order.externalId);
      await until('some of them are in Tryton', () => exported().length >= 2, daemon);
      await daemon.kill();
      daemon = startDaemon(configFile);
      await until('all of them are in Tryton', () => exported().length === BATCH, daemon);
      for (const [index, number] of numbers.entries()) await happens(index, number, { erp, people, marketplace });
    }

    let found: string[] = [];
    const agree = async () => {
      found = disagreements({ marketplace, erp: await snapshot(erp) }, 'b');
      return found.length === 0;
    };
    await until('both sides agree', agree, daemon).catch((error: unknown) => {
      throw new Error([String(error), ...found].join('\n'));
    });
    const twice = await tryton.sql(
      `select reference, count(*) from sale_sale where reference is not null group by 1 having count(*) <> 1`,
    );
    expect(twice).toBe('');
    expect(await tryton.sql('select count(distinct reference) from sale_sale')).toBe(String(ORDERS));
    expect(await daemon.terminate()).toBe(0);
  },
);

type Sides = { readonly erp: ErpConnector; readonly people: People; readonly marketplace: SandboxMarketplace };

/** The fate of an order. One of eight is left alone. */
async function happens(index: number, number: string, { erp, people, marketplace }: Sides): Promise<void> {
  const [sale] = await erp.findOrders(number);
  if (sale === undefined) throw new Error(`order ${number} is not in Tryton`);
  const order = () => marketplace.orders().find((one) => one.number === number);
  switch (index % 8) {
    case 1:
      return void marketplace.editLine(order()?.lines[0]?.id ?? 0, { quantity: '9' });
    case 2:
      return void marketplace.addLine(number, { product: marketplace.activeProductIds()[39] ?? 0, quantity: '2' });
    case 3:
      return void marketplace.cancel(number);
    case 4:
      await people.pick(sale.id);
      return void marketplace.cancel(number);
    case 5:
      await people.pick(sale.id, true);
      return people.send(sale.id);
    case 6:
      await people.pick(sale.id, true);
      await people.send(sale.id);
      return people.giveUp(sale.id);
    case 7:
      await people.pick(sale.id);
      return people.send(sale.id);
  }
}

async function snapshot(erp: ErpConnector): Promise<SandboxErp> {
  const { stockOf, ...state } = await shownBy(erp);
  const sandbox: unknown = { control: { state: () => state, stockOf } };
  return sandbox as SandboxErp;
}

async function until(what: string, holds: () => boolean | Promise<boolean>, daemon: Daemon): Promise<void> {
  for (const deadline = performance.now() + LIMIT_MS; performance.now() < deadline; await sleep(500)) {
    if (await holds()) return;
    if (daemon.process.exitCode !== null) throw new Error(`the daemon has ended: ${daemon.log().slice(-2_000)}`);
  }
  throw new Error(`it did not come to this: ${what}\n${daemon.log().slice(-3_000)}`);
}

function configure(tryton: RunningTryton, marketplace: SandboxMarketplace): string {
  const dir = mkdtempSync(join(tmpdir(), 'tryton-story-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'stockbridge.yaml');
  writeFileSync(
    file,
    `
version: 1
state: { dir: ${dir}/data }
webhooks: { listen: 127.0.0.1:0 }
admin: { listen: 127.0.0.1:0 }
accounts:
  main:
    marketplace:
      base_url: ${marketplace.url}
      auth: { scheme: app, key: ${marketplace.key} }
      seller_id: 4711
      poll: { orders: 1s, products: 5s, overlap: 2m }
      limits: { per_second: 1000, per_minute: 60000 }
      transitions: { accept: accept, reject: reject }
    erp:
      type: tryton
      url: ${tryton.url}
      database: ${tryton.database}
      user: ${USER.user}
      password: ${USER.password}
      poll: 2s
      timeout: 60s
      settings: { customer: MARKETPLACE, shipping_product: SHIPPING, discount_product: DISCOUNT }
    inventory: { strategy: b }
    orders: { export_from: 2000-01-01T00:00:00Z, on_unmapped_customer: create, cancel_grace: 0s }
    brakes: { create: { count: 1000, percent: 10000 }, archive: { count: 1000, percent: 100 }, zero: { count: 1000, percent: 100 } }
`,
  );
  return file;
}
