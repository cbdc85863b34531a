import { expect, test } from 'vitest';
import { shownCause } from '../../src/domain/causes/cause.ts';
import { resync } from '../../src/flows/resync.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { openDoor, retold } from '../support/twisted.ts';

/* A value that the marketplace quietly keeps otherwise than it was sent is told once, and never written twice. */

type Row = Record<string, unknown> & { readonly sku?: string };

async function open(keep: (row: Row) => object): Promise<Stage> {
  const stage = await openStage({
    through: async (side, url) => {
      const door = await openDoor(url);
      if (side === 'erp') return door;
      door.twist = (answer) => {
        const isProduct = /^\/api\/v2\/products\/(\d+\/)?(\?|$)/.test(answer.target);
        if (!isProduct || answer.status >= 300 || answer.body.length === 0) return answer;
        return retold(answer, (said: Row & { results?: Row[] }) =>
          said.results === undefined ? keep(said) : { ...said, results: said.results.map(keep) },
        );
      };
      return door;
    },
  });
  stage.erp.control.seed(3);
  return stage;
}

const priced = (change: (amount: number) => number) => (row: Row) => {
  const { amount, currency } = row['wholesale_price'] as { amount: number; currency: string };
  return { ...row, wholesale_price: { amount: change(amount), currency } };
};
const described = (change: (text: string) => string) => (row: Row) => ({
  ...row,
  description: change(String(row['description'])),
});

const told = async (stage: Stage) =>
  (await alertsOf({ account: 'main', store: stage.store() })).filter(({ name }) => name.startsWith('rewritten:'));
const noted = async (stage: Stage) =>
  (await stage.store().journal.after(0, 1_000, { flow: 'product' })).filter(({ action }) => action === 'rewritten');
const patches = ({ marketplace }: Stage) =>
  marketplace.requestLog
    .calls()
    .filter(({ operation }) => operation === 'products.patch' || operation === 'products.create');
const price = (stage: Stage, amount: string) =>
  stage.erp.control.setProduct('SB-0001', { price: { amount, currency: 'USD' } });

const KEPT: Record<
  string,
  { readonly keep: (row: Row) => object; readonly field: string; readonly set: (stage: Stage) => void }
> = {
  'a price that is rounded to cents': {
    keep: priced((amount) => Math.round(amount * 100) / 100),
    field: 'wholesale_price',
    set: (stage) => price(stage, `${Number(stage.marketplace.productBySku('SB-0001').price.amount).toFixed(2)}5`),
  },
  'a text that is trimmed': {
    keep: described((text) => text.trim()),
    field: 'description',
    set: ({ erp }) => erp.control.setProduct('SB-0001', { description: ' Made in small batches. ' }),
  },
  'a text that is escaped': {
    keep: described((text) => text.replaceAll('&', '&amp;')),
    field: 'description',
    set: ({ erp }) => erp.control.setProduct('SB-0001', { description: 'Salt & pepper' }),
  },
  'a text that is cut': {
    keep: described((text) => text.slice(0, 100)),
    field: 'description',
    set: ({ erp }) => erp.control.setProduct('SB-0001', { description: 'long '.repeat(100) }),
  },
};

test.each(Object.entries(KEPT))(
  'a field that the marketplace rewrites, %s, raises one alert, and is not written again',
  async (_what, { keep, field, set }) => {
    const stage = await open(keep);
    await stage.sync();
    expect(await noted(stage)).toEqual([]);
    set(stage);
    stage.marketplace.requestLog.reset();
    await stage.sync();
    expect(await told(stage)).toMatchObject([
      {
        name: `rewritten:product.${field}`,
        causes: [{ code: 'field-rewritten', params: { what: `${field} of a product` } }],
      },
    ]);
    expect(await noted(stage)).toMatchObject([
      { flow: 'product', target: expect.stringMatching(`^${field} of product `) },
    ]);
    await stage.sync();
    await stage.sync();
    expect(patches(stage)).toHaveLength(1);
    expect(await noted(stage)).toHaveLength(1);
    expect(await stage.store().work.held('main')).toEqual([]);
  },
);

test('many products whose texts the marketplace trims share one cause', async () => {
  const stage = await open(described((text) => text.slice(0, 5)));
  await stage.sync();
  expect(await told(stage)).toHaveLength(1);
  expect(await noted(stage)).toHaveLength(3);
});

test('the alert of a rewritten field ends after a day', async () => {
  const stage = await open(described((text) => text.slice(0, 5)));
  await stage.sync();
  const { now, ...context } = stage.context();
  const late = { ...context, config: stage.context().config, now: () => now() + 25 * 60 * 60_000 };
  await resync(late, AbortSignal.timeout(600_000));
  expect(await told(stage)).toEqual([]);
  await stage.sync();
  expect(await told(stage)).toEqual([]);
});

test('a price of less than half a cent is held before it is written, until the ERP has one of a cent', async () => {
  const stage = await open(priced((amount) => Math.round(amount * 100) / 100));
  await stage.sync();
  const before = stage.marketplace.productBySku('SB-0001').price.amount;
  price(stage, '0.004');
  await stage.sync();
  expect(stage.marketplace.productBySku('SB-0001').price.amount).toBe(before);
  expect((await stage.store().work.held('main')).map(({ heldFor }) => heldFor?.[0]?.code)).toEqual(['price-too-small']);
  price(stage, String(before));
  await stage.sync();
  expect(await stage.store().work.held('main')).toEqual([]);
});

test('a listing whose price the marketplace rounds to zero is held, until the ERP has a price that is kept', async () => {
  const stage = await open(priced(Math.floor));
  for (const sku of ['SB-0001', 'SB-0002', 'SB-0003'])
    stage.erp.control.setProduct(sku, { price: { amount: '20.00', currency: 'USD' } });
  stage.erp.control.addProducts([{ sku: 'CHEAP', price: { amount: '0.90', currency: 'USD' }, on_hand: '3' }]);
  await stage.sync();
  await stage.sync();
  const [held] = await stage.store().work.held('main');
  expect(held?.heldFor).toMatchObject([
    { code: 'price-shown-as-nothing', params: { sent: '0.90 USD', shown: '0.00 USD' } },
  ]);
  expect(shownCause(held?.heldFor?.[0] as never)).toMatchObject({ turn: 'operator' });
  stage.marketplace.requestLog.reset();
  await stage.sync();
  expect(patches(stage)).toEqual([]);
  stage.erp.control.setProduct('CHEAP', { price: { amount: '5.00', currency: 'USD' } });
  await stage.sync();
  expect(await stage.store().work.held('main')).toEqual([]);
  expect(Number(stage.marketplace.productBySku('CHEAP').price.amount)).toBe(5);
});
