import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { startSandboxMarketplace } from '../../../src/sandbox/marketplace/start.ts';
import { disagreements } from '../../support/agreement.ts';
import { startDaemon } from '../../support/daemon.ts';
import { until } from '../../support/stage.ts';
import { FILE_ERP, startFileErp } from './file-erp.ts';

const PRODUCTS = 12;
const ORDERS = 40;
/** While orders come in, and as many again while people edit, ship and cancel. */
const KILLS = 4;
const LIMIT_MS = 600_000;

type Office = ReturnType<typeof startFileErp>;
const STATUS = { offen: 'reserved', entwurf: 'draft', geliefert: 'shipped', storniert: 'cancelled' } as const;

/** What the ERP knows of itself, as `disagreements` reads it. */
function shownBy({ orders, available, skus }: Office) {
  const state = {
    products: skus.map((sku) => ({ sku, active: true, deleted: false, price: { amount: '1.5' } })),
    orders: [...orders].map(([reference, { status, lines }]) => ({
      id: `order-${reference}`,
      reference,
      origin: 'marketplace',
      status: STATUS[status],
      lines: lines.map(({ sku, quantity, givenUp }) => ({ sku, quantity, given_up: givenUp.toFixed() })),
    })),
  };
  return { control: { state: () => state, stockOf: (sku: string) => ({ available: available(sku).toFixed() }) } };
}

test('of forty orders by files with edits, cancellations and short shipments, and eight kills of the daemon, nothing is lost or made twice', {
  timeout: LIMIT_MS,
}, async () => {
  const marketplace = await startSandboxMarketplace({ settings: { rate: null } });
  const dir = mkdtempSync(join(tmpdir(), 'story-'));
  const exchange = join(dir, 'exchange');
  const office = startFileErp(exchange, PRODUCTS);
  onTestFinished(async () => {
    office.close();
    await marketplace.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const configFile = join(dir, 'stockbridge.yaml');
  writeFileSync(configFile, stringify(configOf(dir, marketplace, exchange)));
  let daemon = startDaemon(configFile);
  await until('all products are listed', () => marketplace.products().length === PRODUCTS);

  const shop = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const ids = marketplace.products().map(({ id }) => id);
  const product = (index: number) => ids[index % ids.length] ?? 0;
  const numbers: string[] = [];
  for (let killed = 0; killed < KILLS; killed += 1) {
    for (let n = 0; n < ORDERS / KILLS; n += 1) {
      const index = numbers.length;
      const items = [
        { product: product(index), quantity: '3' },
        { product: product(index + 5), quantity: '2' },
      ];
      numbers.push(marketplace.placeOrder({ customer: shop, items }).number);
    }
    await until('some are there', () => office.orders.size > (ORDERS / KILLS) * (killed + 0.4));
    await daemon.kill();
    daemon = startDaemon(configFile);
  }
  await until('all are there', () => office.orders.size >= ORDERS);

  for (const [index, number] of numbers.entries()) {
    const kind = index % 8;
    if (kind === 0) marketplace.editLine(marketplace.order(number).lines[0]?.id ?? 0, { quantity: '5' });
    if (kind === 1) marketplace.cancel(number);
    if (kind > 1) marketplace.transition(number, 'accept');
    const [line] = office.orders.get(number)?.lines ?? [];
    if (kind === 2 || kind === 3) office.ship(number);
    if (kind === 4 && line !== undefined) office.shipShort(number, line.sku, String(Number(line.quantity) - 1));
    if (kind === 5) office.cancel(number);
    if (index % 10 === 7) {
      await daemon.kill();
      daemon = startDaemon(configFile);
    }
  }

  let last: string[] = [];
  const apart = () => {
    const shown = { marketplace, erp: shownBy(office) } as unknown as Parameters<typeof disagreements>[0];
    // What the ERP cancelled stays on the marketplace until its action is named, and short shipments are told.
    return disagreements(shown, 'b').filter((one) => !/and cancelled in the ERP/.test(one));
  };
  await until('both sides agree', () => {
    last = apart();
    return last.length === 0;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${last.join('; ')}`, { cause: error });
  });
  expect([...office.orders.keys()].toSorted()).toEqual(numbers.toSorted());
  expect(new Set(marketplace.orders().map(({ externalId }) => externalId)).size).toBe(ORDERS);
  expect(readdirSync(join(exchange, 'orders')).filter((name) => name.endsWith('.json'))).toEqual([]);
  expect(await daemon.terminate()).toBe(0);
});

function configOf(dir: string, marketplace: { readonly url: string; readonly key: string }, exchange: string) {
  const brake = { count: 1_000, percent: 10_000 };
  return {
    version: 1,
    state: { dir: `${dir}/data` },
    webhooks: { listen: '127.0.0.1:0' },
    admin: { listen: '127.0.0.1:0' },
    accounts: {
      main: {
        marketplace: {
          base_url: marketplace.url,
          auth: { scheme: 'app', key: marketplace.key },
          seller_id: 4_711,
          poll: { orders: '200ms', products: '500ms', overlap: '2m' },
          limits: { per_second: 1_000, per_minute: 60_000 },
        },
        erp: { type: 'files', dir: exchange, stable_for: '50ms', poll: '200ms', ...FILE_ERP },
        orders: { on_unmapped_customer: 'pass' },
        inventory: { strategy: 'b', buffer: 0 },
        brakes: { create: brake, archive: { ...brake, percent: 100 }, zero: { ...brake, percent: 100 } },
      },
    },
  };
}
