import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import type { ErpConnector } from '../../../src/erp/connector.ts';
import { startSandboxMarketplace } from '../../../src/sandbox/marketplace/start.ts';
import { disagreements } from '../../support/agreement.ts';
import { startDaemon } from '../../support/daemon.ts';
import { missing, type TestDatabase } from '../../support/databases.ts';
import { until } from '../../support/stage.ts';
import { openForeign, type Section, sectionOf, startForeign } from './foreign.ts';

const PRODUCTS = 12;
const ORDERS = 40;
/** While orders come in, and as many again while people edit, ship and cancel. */
const KILLS = 4;
const LIMIT_MS = 600_000;

/** People at their screens, in the database itself. Each does one thing at a time, and all of it or nothing. */
function people(database: TestDatabase) {
  const does = (...statements: readonly string[]) => database.admin(`begin; ${statements.join('; ')}; commit`);
  const leave = (id: string) => `update lager set bestand = bestand -
    (select p.geliefert from auftrag_pos p where p.auf_id = ${id} and p.art_id = lager.art_id)
    where ort = 'HALLE 1' and art_id in (select art_id from auftrag_pos where auf_id = ${id})`;
  const shipped = (id: string) => `update auftrag set status = 3, geaendert = now() where auf_id = ${id}`;
  return {
    ship: (id: string) => does(`update auftrag_pos set geliefert = menge where auf_id = ${id}`, leave(id), shipped(id)),
    /** One unit of the first line is given up. */
    shipShort: (id: string) =>
      does(
        `update auftrag_pos set geliefert = menge - 1, entfallen = 1 where auf_id = ${id} and pos = 1`,
        `update auftrag_pos set geliefert = menge where auf_id = ${id} and pos > 1`,
        leave(id),
        shipped(id),
      ),
    cancel: (id: string) => does(`update auftrag set status = 9, geaendert = now() where auf_id = ${id}`),
  };
}

/** What the database shows, as `disagreements` reads it. */
async function shownBy(erp: ErpConnector) {
  const all = async <T>(list: AsyncIterable<{ readonly items: readonly T[] }>) =>
    (await Array.fromAsync(list)).flatMap(({ items }) => items);
  const [products, stock, orders] = [
    await all(erp.listProducts(null)),
    await all(erp.listStock(null)),
    await all(erp.listOrders(null)),
  ];
  const available = new Map(stock.map((row) => [row.sku, row.available.toFixed()]));
  const state = {
    products: products.map(({ price, ...rest }) => ({ ...rest, price: { amount: price.amount.toFixed() } })),
    orders: orders.map(({ lines, ...rest }) => ({
      ...rest,
      lines: lines.map(({ sku, quantity, givenUp }) => ({
        sku,
        quantity: quantity.toFixed(),
        given_up: givenUp?.toFixed() ?? '0',
      })),
    })),
  };
  return { control: { state: () => state, stockOf: (sku: string) => ({ available: available.get(sku) ?? '0' }) } };
}

for (const engine of ['postgres', 'mariadb'] as const) {
  const why = missing[engine];
  test.skipIf(why !== null)(
    `${engine}: of forty orders with edits, cancellations and short shipments, and eight kills of the daemon, nothing is lost or made twice${why === null ? '' : `: ${why}`}`,
    { timeout: LIMIT_MS },
    async () => {
      const marketplace = await startSandboxMarketplace({ settings: { rate: null } });
      const database = await startForeign(engine, PRODUCTS);
      const section = sectionOf(engine, database.port, dollars);
      section['poll'] = '200ms';
      const erp = await openForeign(section);
      const dir = mkdtempSync(join(tmpdir(), 'story-'));
      onTestFinished(async () => {
        await erp.close();
        await database.stop();
        await marketplace.close();
        rmSync(dir, { recursive: true, force: true });
      });
      const configFile = join(dir, 'stockbridge.yaml');
      writeFileSync(configFile, stringify(configOf(dir, marketplace, section)));
      let daemon = startDaemon(configFile);
      const there = async () => (await Array.fromAsync(erp.listOrders(null))).flatMap(({ items }) => items);
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
        await until('some are there', async () => (await there()).length > (ORDERS / KILLS) * (killed + 0.4));
        await daemon.kill();
        daemon = startDaemon(configFile);
      }
      await until('all are there', async () => (await there()).length >= ORDERS);

      const hands = people(database);
      const idOf = new Map((await there()).map(({ reference, id }) => [reference, id]));
      for (const [index, number] of numbers.entries()) {
        const id = idOf.get(number) ?? '';
        const kind = index % 8;
        if (kind === 0) marketplace.editLine(marketplace.order(number).lines[0]?.id ?? 0, { quantity: '5' });
        if (kind === 1) marketplace.cancel(number);
        if (kind > 1) marketplace.transition(number, 'accept');
        if (kind === 2 || kind === 3) await hands.ship(id);
        if (kind === 4) await hands.shipShort(id);
        if (kind === 5) await hands.cancel(id);
        if (index % 10 === 7) {
          await daemon.kill();
          daemon = startDaemon(configFile);
        }
      }

      const apart = async () => {
        const shown = { marketplace, erp: await shownBy(erp) } as unknown as Parameters<typeof disagreements>[0];
        // What the ERP cancelled stays on the marketplace until its action is named, and short shipments are told.
        return disagreements(shown, 'b').filter((one) => !/and cancelled in the ERP/.test(one));
      };
      let last: string[] = [];
      await until('both sides agree', async () => {
        last = await apart();
        return last.length === 0;
      }).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${last.join('; ')}`, { cause: error });
      });
      const orders = await there();
      expect(orders.map(({ reference }) => reference).toSorted()).toEqual(numbers.toSorted());
      expect(new Set(marketplace.orders().map(({ externalId }) => externalId)).size).toBe(ORDERS);
      expect(await daemon.terminate()).toBe(0);
    },
  );
}

function dollars({ lists }: Section): void {
  for (const list of Object.values(lists)) list.query = list.query.replaceAll("'EUR'", "'USD'");
}

function configOf(dir: string, marketplace: { readonly url: string; readonly key: string }, erp: Section) {
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
        erp,
        inventory: { strategy: 'b', buffer: 0 },
        brakes: { create: brake, archive: { ...brake, percent: 100 }, zero: { ...brake, percent: 100 } },
      },
    },
  };
}
