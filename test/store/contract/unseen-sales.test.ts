import { beforeEach, describe, expect, test } from 'vitest';
import type { StockFigures } from '../../../src/domain/product.ts';
import { LINES_IN_CASES } from '../../support/units.ts';
import { at, d, line, order, orderBatch, product, productBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const sold = { account: 'main', erpId: 'P-1' };
const kept = async () => (await shelf().store.unseenSales.kept(sold)).toNumber();
const show = (quantity: number, reserved: number, laterMs = 60_000) => {
  shelf().nowMs += laterMs;
  return shelf().store.products.record(
    productBatch([product({ figures: figures(quantity, reserved), modified: at(minute++) })]),
  );
};

let minute = 1;
function figures(quantity: number, reserved: number): StockFigures {
  return { quantity: d(`${quantity}`), reserved: d(`${reserved}`), available: d(`${quantity - reserved}`) };
}

const observedTick = async () => (await shelf().store.products.get('main', 70))?.observedTick ?? 0;
/** Stores the answer to a write of ours that was decided at this tick. */
const answer = (tick: number) => {
  const seen = { figures: figures(80, 1), expectedReserved: d('0'), observedTick: tick };
  return shelf().store.products.observeFigures('main', 70, seen);
};

/** Listing 70 of 100, of which an order that no list shows has reserved 5, and has been seen to twice. */
beforeEach(async () => {
  await shelf().store.mappings.link({
    account: 'main',
    kind: 'product',
    marketplaceId: '70',
    erpId: 'P-1',
    how: 'created',
  });
  await show(100, 0);
  await show(100, 5);
  await show(100, 5);
});

test('units that unknown orders reserve bit by bit are all kept back', async () => {
  await show(97, 2);
  await show(95, 0);
  expect(await kept()).toBe(5);
});

test('units that are no longer reserved after a write of ours set the quantity count as sold', async () => {
  await shelf().takeWork();
  await answer(await observedTick());
  expect(await kept()).toBe(4);
  expect(await shelf().takeWork()).toEqual(['stock P-1']);
  expect(await shelf().store.drifts.open('main', 70)).toMatchObject({ certain: true });
});

test('units that a known order turns out to have reserved are not kept back', async () => {
  await show(105, 0);
  await shelf().store.orders.record(orderBatch([order({ lines: [line({ quantity: d('2') })] })]));
  await show(105, 5);
  await show(105, 5);
  await show(100, 0);
  expect(await kept()).toBe(3);
  const taken = order({ status: 'Fulfilled', modified: at(9), lines: [line({ quantity: d('5') })] });
  await shelf().store.orders.record(orderBatch([taken]));
  expect(await kept()).toBe(0);
});

test('units that known orders reserve in cases of the listing are explained', async () => {
  const showCases = (quantity: number, reserved: number) => {
    const listing = product({
      figures: figures(quantity, reserved),
      unitMultiplier: d('12'),
      modified: at(minute++),
    });
    return shelf().store.products.record(productBatch([listing], { units: LINES_IN_CASES }));
  };
  const known = order({ lines: [line({ quantity: d('2') })] });
  await showCases(100, 0);
  await shelf().store.orders.record(orderBatch([known], { units: LINES_IN_CASES }));
  expect((await shelf().store.products.get('main', 70))?.figures.reserved?.toNumber()).toBe(24);
  await showCases(100, 24);
  await showCases(100, 24);
  await showCases(76, 0);
  expect(await kept()).toBe(0);
});

describe('kept back', () => {
  beforeEach(() => show(95, 0));
  const see = (quantity: string, status: 'Fulfilled' | 'Canceled' | 'Submitted', late: boolean, number = 'o-9') =>
    shelf().store.orders.record(
      orderBatch([order({ number, status, lines: [line({ quantity: d(quantity) })] })], {
        cursorBefore: late ? at(30) : at(-1),
      }),
    );

  test.each([
    ['that has come since they were judged', false, 5],
    ['that is visible late', true, 2],
  ])('units are kept back until an order has a part of them %s', async (_, late, left) => {
    await shelf().store.unseenSales.judge(sold, d('0'), 70);
    await see('3', 'Fulfilled', late);
    expect(await kept()).toBe(left);
  });

  test('units are kept back until an order that was unreadable has them', async () => {
    await shelf().store.unseenSales.judge(sold, d('0'), 70);
    const unreadable = { what: 'o-9', path: 'status', message: 'is missing' };
    await shelf().store.orders.record(orderBatch([], { invalidRows: [unreadable] }));
    await see('5', 'Fulfilled', false);
    expect(await kept()).toBe(0);
  });

  test('before the orders are read again, any order that reserved units may explain those kept back', async () => {
    await see('4', 'Canceled', false, 'o-7');
    expect(await kept()).toBe(5);
    await see('3', 'Fulfilled', false);
    await see('2', 'Fulfilled', false, 'o-8');
    expect(await kept()).toBe(0);
  });

  test('reserved units are not attributed to an order that was known before the reservation', async () => {
    await see('5', 'Submitted', false);
    await see('5', 'Fulfilled', true);
    expect(await kept()).toBe(5);
  });

  test('judged units wait for an operator, less what known orders explain; units reserved later are judged separately', async () => {
    const { unseenSales, doubts } = shelf().store;
    expect((await unseenSales.judge(sold, d('2'), 70)).toNumber()).toBe(3);
    expect(await doubts.after(0, 1_000)).toMatchObject([
      {
        kind: 'unseen-sale',
        state: 'in-doubt',
        evidence: { code: 'unseen-sale', params: { listing: 70, quantity: '3' } },
      },
    ]);
    expect((await unseenSales.judge(sold, d('0'), 70)).toNumber()).toBe(0);
    await show(95, 4);
    await show(95, 4);
    await show(91, 0);
    expect(await kept()).toBe(7);
    expect((await unseenSales.judge(sold, d('4'), 70)).toNumber()).toBe(0);
    expect(await kept()).toBe(3);
    const [intent] = await doubts.after(0, 1_000);
    if (intent === undefined) throw new Error('it is in doubt no more');
    await doubts.retry(intent, { by: 'Ann', isWorked: false });
    expect(await kept()).toBe(0);
  });
});
