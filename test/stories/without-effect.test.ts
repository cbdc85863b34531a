import { expect, test } from 'vitest';
import { resync } from '../../src/flows/resync.ts';
import { FLOW_RUNS } from '../../src/flows/runs.ts';
import type { WorkRow } from '../../src/store/work.ts';
import { openStage, type Stage, type StageOptions, until } from '../support/stage.ts';

/* A write that a side accepted and does not show is not repeated until there is news. */

const SKU = 'SB-0001';

interface Ignored {
  readonly flow: string;
  readonly operation: string;
  readonly field: string;
  readonly options?: StageOptions;
  /** A change on one side that has the ignored field written. */
  readonly change: (stage: Stage, value: number) => void;
}

const STOCK: Ignored = {
  flow: 'stock',
  operation: 'products.patch',
  field: 'available_inventory',
  change: ({ erp }, value) => erp.control.setStock(SKU, String(40 + value)),
};

const IGNORED: Record<string, Ignored> = {
  'the stock of a listing': STOCK,
  'the quantity of a listing': {
    flow: 'stock',
    operation: 'products.patch',
    field: 'quantity',
    options: { strategy: 'a' },
    change: ({ erp }, value) => erp.control.setStock(SKU, String(40 + value)),
  },
  'the reference of an order': {
    flow: 'order-in',
    operation: 'orders.patch',
    field: 'external_id',
    change: ({ marketplace }) => {
      const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
      marketplace.placeOrder({ customer, items: [{ product: marketplace.productBySku(SKU).id, quantity: '3' }] });
    },
  },
};

/** Counts the accepted writes of the field. */
const writesOf = ({ marketplace }: Stage, { operation, field }: Ignored) =>
  marketplace.requestLog.calls().filter((call) => call.operation === operation && call.body.includes(`"${field}"`))
    .length;

async function heldWithoutEffect(stage: Stage, { flow }: Ignored): Promise<WorkRow> {
  return until('the key is held', async () => {
    const held = await stage.store().work.held('main');
    const isLooked = (row: WorkRow) => row.flow === flow && row.state === 'held';
    return held.find((row) => isLooked(row) && row.heldFor?.[0]?.code === 'write-without-effect');
  });
}

/** Has the held key looked at again, and waits until it is held again. */
async function lookAgain(stage: Stage, kind: Ignored): Promise<WorkRow> {
  const { version } = await heldWithoutEffect(stage, kind);
  await stage.store().work.release({ account: 'main' });
  return until('it is held again', async () => {
    const row = await heldWithoutEffect(stage, kind);
    return row.version > version && row;
  });
}

test.each(Object.entries(IGNORED))(
  '%s: an ignored write is sent once, however often the key is reconciled',
  async (_what, kind) => {
    const stage = await openStage(kind.options);
    stage.erp.control.seed(2);
    stage.erp.control.setStock(SKU, '100');
    await stage.sync();
    stage.marketplace.faults.set({ kind: 'field-ignored', operation: kind.operation, field: kind.field });
    stage.marketplace.requestLog.reset();
    kind.change(stage, 0);
    await stage.stop();
    await stage.start();
    const { heldFor } = await heldWithoutEffect(stage, kind);
    expect(writesOf(stage, kind)).toBe(1);
    for (let times = 0; times < 3; times += 1) expect((await lookAgain(stage, kind)).heldFor).toEqual(heldFor);
    await stage.stop();
    await stage.start();
    await lookAgain(stage, kind);
    expect(writesOf(stage, kind)).toBe(1);
  },
);

/** A listing whose stock the marketplace ignores. */
async function ignoring(): Promise<Stage> {
  const stage = await openStage();
  stage.erp.control.seed(2);
  stage.erp.control.setStock(SKU, '100');
  await stage.sync();
  stage.marketplace.faults.set({ kind: 'field-ignored', operation: STOCK.operation, field: STOCK.field });
  stage.marketplace.requestLog.reset();
  STOCK.change(stage, 0);
  await stage.stop();
  await stage.start();
  await heldWithoutEffect(stage, STOCK);
  return stage;
}

const everything = (stage: Stage) => resync(stage.context(), AbortSignal.timeout(600_000));

const NEWS: Record<string, (stage: Stage) => void | Promise<unknown>> = {
  'another figure of the ERP': (stage) => STOCK.change(stage, 1),
  'another figure of the marketplace': ({ marketplace }) => {
    marketplace.faults.clear();
    marketplace.setProduct(marketplace.productBySku(SKU).id, { quantity: 77 });
    marketplace.faults.set({ kind: 'field-ignored', operation: STOCK.operation, field: STOCK.field });
  },
  'the daily pass': everything,
};

test.each(Object.entries(NEWS))('%s is a change: an ignored write is tried once more', async (_what, bring) => {
  const stage = await ignoring();
  await bring(stage);
  await until('it is tried once more', () => writesOf(stage, STOCK) === 2);
  await heldWithoutEffect(stage, STOCK);
  await lookAgain(stage, STOCK);
  expect(writesOf(stage, STOCK)).toBe(2);
});

test('the daily pass tries an ignored write once more, also when the key is reconciled meanwhile', async () => {
  const stage = await ignoring();
  const { version, heldFor, ...target } = await heldWithoutEffect(stage, STOCK);
  const context = stage.context();
  const name = `${target.flow}/${target.key}`;
  const ending = Promise.withResolvers<void>();
  const look = context.exclusively([name], async () => {
    await ending.promise;
    await stage.store().work.hold(target, version, heldFor ?? []);
  });
  const exclusively: typeof context.exclusively = (keys, work) => {
    if (keys.includes(name)) ending.resolve();
    return context.exclusively(keys, work);
  };
  await resync({ ...context, exclusively }, AbortSignal.timeout(600_000)).finally(ending.resolve);
  await look;
  await until('it is tried once more', () => writesOf(stage, STOCK) === 2);
});

test('once the marketplace accepts the ignored field again, the daily pass brings both sides into step', async () => {
  const stage = await ignoring();
  stage.marketplace.faults.clear();
  await everything(stage);
  await until('they are in step', () => Number(stage.marketplace.productBySku(SKU).available) === 40);
  await until('nothing is held', async () => (await stage.store().work.held('main')).length === 0);
});

test('a plan does not list an ignored write, and says why it waits', async () => {
  const stage = await ignoring();
  const { id } = (await stage.store().erp.productsBySku('main', SKU))[0] ?? {};
  const { actions, holds } = await FLOW_RUNS.stock.plan(stage.context(), id ?? '');
  expect(actions).toEqual([]);
  expect(holds).toMatchObject([{ code: 'write-without-effect', params: { before: '100', after: '40' } }]);
});
