import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { type SandboxMarketplace, startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import { disagreements } from './agreement.ts';
import { startDaemon } from './daemon.ts';
import { WAIT_LIMIT_MS } from './in-time.ts';
import { until as untilSo } from './stage.ts';

/** The size of a story. `kills` is the number of kills while orders come in, and again while people edit, ship and cancel. */
interface Size {
  readonly orders: number;
  readonly kills: number;
  /** The longest wait for one thing, in an ERP that answers few calls a minute. */
  readonly waitMs: number;
}
const USUAL: Size = { orders: 40, kills: 4, waitMs: WAIT_LIMIT_MS };
export const STORY_LIMIT_MS = 600_000;
const LOG_SHOWN = 2_000;

/** An ERP with about twelve products, and the people who work in it. */
export interface StoryErp {
  /** The sections of the account for this ERP. */
  readonly account: Readonly<Record<string, unknown>> & { readonly orders?: object };
  readonly products: number;
  /** Orders cannot be edited there. */
  readonly takesNoEdits?: true;
  /** A cancelled order is deleted there. The person who deletes it cancels it on the marketplace as well. */
  readonly deletes?: true;
  /** The references of the ERP's orders. */
  references(): Promise<readonly string[]> | readonly string[];
  readonly people: Readonly<Record<'ship' | 'shipPart' | 'shipShort' | 'cancel', Deed>>;
  /** The state of the ERP in the form for `disagreements`. */
  shown(): Promise<ShownErp> | ShownErp;
}

/** A deed on the order with this reference. */
type Deed = (reference: string) => Promise<void> | void;

interface ShownErp {
  readonly products: readonly object[];
  readonly orders: readonly object[];
  readonly stockOf: (sku: string) => { readonly available: string };
}

/**
 * Forty orders, unless another size is given, with edits, cancellations on either side, shipments whole, in parts and short,
 * and eight kills of the daemon. In the end both sides agree, no order is lost and none exists twice.
 */
export async function playErpStory(
  erp: (dir: string) => Promise<StoryErp> | StoryErp,
  { orders, kills, waitMs }: Size = USUAL,
): Promise<void> {
  const batch = orders / kills;
  const dir = mkdtempSync(join(tmpdir(), 'story-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const marketplace = await startSandboxMarketplace({ settings: { rate: null } });
  onTestFinished(() => marketplace.close());
  const { account, products, takesNoEdits, deletes, references, people, shown } = await erp(dir);
  const configFile = join(dir, 'stockbridge.yaml');
  writeFileSync(configFile, stringify(configOf(dir, marketplace, account)));
  let daemon = startDaemon(configFile);
  const killed = async () => {
    await daemon.kill();
    daemon = startDaemon(configFile);
  };
  const until = (what: string, holds: () => Promise<boolean> | boolean) =>
    untilSo(what, holds, () => '', waitMs).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${daemon.log().slice(-LOG_SHOWN)}`, { cause: error });
    });
  await until('all products are listed', () => marketplace.products().length === products);

  const numbers: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    numbers.push(...placeOrders(marketplace, numbers.length, batch));
    await until('some are there', async () => (await references()).length > batch * (round + 0.4));
    await killed();
  }
  await until('all are there', async () => (await references()).length >= orders);

  const inParts: string[] = [];
  for (const [index, number] of numbers.entries()) {
    const kind = index % 8;
    if (kind === 0 && !takesNoEdits)
      marketplace.editLine(marketplace.order(number).lines[0]?.id ?? 0, { quantity: '5' });
    if (kind === 1) marketplace.cancel(number);
    if (kind > 1) marketplace.transition(number, 'accept');
    if (kind === 2 || kind === 3) await people.ship(number);
    if (kind === 4) await people.shipShort(number);
    if (kind === 5) await people.cancel(number);
    if (kind === 5 && deletes) marketplace.cancel(number);
    if (kind === 6) {
      await people.shipPart(number);
      inParts.push(number);
    }
    if (index % batch === 7) await killed();
  }
  let last: string[] = [];
  const agree = () =>
    until('both sides agree', async () => {
      last = await apart(marketplace, shown);
      return last.length === 0;
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${last.join('; ')}`, { cause: error });
    });
  const statuses = () => new Set(inParts.map((number) => marketplace.order(number).status));
  await agree();
  expect(statuses(), 'what has left in part waits').toEqual(new Set(['Accepted']));
  for (const number of inParts) await people.ship(number);
  await agree();
  expect(statuses()).toEqual(new Set(['Fulfilled']));
  expect((await references()).toSorted()).toEqual(numbers.toSorted());
  expect(new Set(marketplace.orders().map(({ externalId }) => externalId)).size).toBe(orders);
  expect(await daemon.terminate()).toBe(0);
}

function placeOrders(marketplace: SandboxMarketplace, from: number, count: number): string[] {
  const shop = marketplace.customers()[0]?.id ?? marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const ids = marketplace.products().map(({ id }) => id);
  const product = (index: number) => ids[index % ids.length] ?? 0;
  return Array.from({ length: count }, (_, n) => {
    const items = [
      { product: product(from + n), quantity: '3' },
      { product: product(from + n + 5), quantity: '2' },
    ];
    return marketplace.placeOrder({ customer: shop, items }).number;
  });
}

/** The differences between the two sides. */
async function apart(marketplace: SandboxMarketplace, shown: StoryErp['shown']): Promise<string[]> {
  const { stockOf, ...state } = await shown();
  const erp = { control: { state: () => state, stockOf } };
  const sides = { marketplace, erp } as unknown as Parameters<typeof disagreements>[0];
  // Orders that the ERP cancelled stay on the marketplace until its action is named. Short shipments are only told.
  return disagreements(sides, 'b').filter((one) => !/and cancelled in the ERP/.test(one));
}

function configOf(dir: string, marketplace: SandboxMarketplace, account: StoryErp['account']) {
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
          // A write that a kill has left in doubt may be applied for twice this time.
          timeout: '5s',
          limits: { per_second: 1_000, per_minute: 60_000 },
        },
        inventory: { strategy: 'b', buffer: 0 },
        ...account,
        orders: { export_from: '2000-01-01T00:00:00Z', ...account.orders },
        brakes: { create: brake, archive: { ...brake, percent: 100 }, zero: { ...brake, percent: 100 } },
      },
    },
  };
}
