import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Cause, shownCause } from '../../src/domain/causes/cause.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { openDoor } from '../support/twisted.ts';

interface Order {
  readonly lines?: readonly { readonly quantity: string; readonly unit_price: string }[];
  readonly shipping?: string;
}

const rounded = (figure: string, places: number) => Number(figure).toFixed(places);

/** An ERP that rounds a figure of the orders that it is sent. */
const ROUNDS = {
  price: ({ lines, ...order }: Order) => ({
    ...order,
    ...(lines && { lines: lines.map((line) => ({ ...line, unit_price: rounded(line.unit_price, 1) })) }),
  }),
  quantity: ({ lines, ...order }: Order) => ({
    ...order,
    ...(lines && { lines: lines.map((line) => ({ ...line, quantity: rounded(line.quantity, 0) })) }),
  }),
  shipping: (order: Order) => ({ ...order, ...(order.shipping && { shipping: rounded(order.shipping, 0) }) }),
};

async function open(round: (order: Order) => object): Promise<Stage> {
  const stage = await openStage({
    through: async (side, url) => {
      const door = await openDoor(url);
      const isWrite = ({ method, target }: { method: string; target: string }) =>
        ['POST', 'PATCH'].includes(method) && target.startsWith('/v1/orders');
      door.reword = (asked) =>
        side === 'erp' && isWrite(asked) ? JSON.stringify(round(JSON.parse(asked.body) as Order)) : asked.body;
      return door;
    },
  });
  stage.erp.control.seed(1);
  stage.erp.control.setStock('SB-0001', '1000');
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  const { id: product } = stage.marketplace.productBySku('SB-0001');
  stage.marketplace.placeOrder({ customer, items: [{ product, quantity: '2.4' }], shipping: '4.55' });
  return stage;
}

const told = async (stage: Stage): Promise<readonly Cause[]> =>
  (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes);

test.each<[keyof typeof ROUNDS, Cause['code'], RegExp]>([
  ['price', 'erp-price-differs', /stores only 1 decimal, set erp\.capabilities: \{ decimals: \{ price: 1 \} \}/],
  ['quantity', 'edited-in-erp', /stores only whole numbers, set .* \{ decimals: \{ quantity: 0 \} \}/],
  ['shipping', 'erp-money-kept', /^Correct the order in the ERP before it is shipped/],
])(
  'an ERP that rounds the %s of an order raises one alert with the setting, and no write is repeated',
  async (what, code, next) => {
    const stage = await open(ROUNDS[what]);
    await stage.sync();
    const [alert, ...more] = await told(stage);
    expect([alert?.code, more]).toEqual([code, []]);
    expect(alert && shownCause(alert).next).toMatch(next);
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
    expect(await told(stage)).toEqual([alert]);
  },
);

test('the alert of a rounding ERP ends with the setting that it names', async () => {
  const stage = await open(ROUNDS.price);
  await stage.sync();
  expect(await told(stage)).toHaveLength(1);
  await stage.stop();
  const text = readFileSync(stage.configFile, 'utf8');
  const said = 'capabilities: { decimals: { price: 1 } }, poll: 100ms, timeout';
  writeFileSync(stage.configFile, text.replace('poll: 100ms, timeout', said));
  await stage.sync();
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  expect(await told(stage)).toEqual([]);
});
