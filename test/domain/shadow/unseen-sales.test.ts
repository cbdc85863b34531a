import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/decimal.ts';
import { type UnseenSale, withGone, withJudgement, withOrder } from '../../../src/domain/shadow/unseen-sales.ts';

const d = (value: number) => new Decimal(value);
const sale = (id: number | null, state: UnseenSale['state'], quantity: number): UnseenSale => ({
  id,
  state,
  quantity: d(quantity),
  evidence: null,
});
const shown = (sales: readonly UnseenSale[]) =>
  sales.map(({ id, state, quantity }) => [id, state, quantity.toNumber()]);

test('missing units are added to those that are not judged yet, and never to judged ones', () => {
  expect(shown(withGone([], d(3)))).toEqual([[null, 'open', 3]]);
  expect(shown(withGone([sale(1, 'in-doubt', 5)], d(3)))).toEqual([[null, 'open', 3]]);
  expect(shown(withGone([sale(1, 'in-doubt', 5), sale(2, 'open', 2)], d(3)))).toEqual([[2, 'open', 5]]);
});

test.each<[string, number, boolean, readonly (readonly [number, string, number])[]]>([
  ['nothing', 0, true, []],
  ['a part of the first', 3, true, [[1, 'in-doubt', 2]]],
  ['all of the first', 5, true, [[1, 'applied', 5]]],
  [
    'more than the first',
    6,
    true,
    [
      [1, 'applied', 5],
      [2, 'open', 3],
    ],
  ],
  [
    'more than all',
    99,
    true,
    [
      [1, 'applied', 5],
      [2, 'applied', 4],
    ],
  ],
  ['and has come since they were judged', 3, false, [[2, 'open', 1]]],
])('an order that reserves %s', (_, quantity, wasHidden, expected) => {
  const sales = [sale(1, 'in-doubt', 5), sale(2, 'open', 4)];
  expect(shown(withOrder(sales, { number: 'o-1', quantity: d(quantity), wasHidden }))).toEqual(expected);
});

test('an order that explains all missing units is named', () => {
  const [settled] = withOrder([sale(1, 'open', 4)], { number: 'o-1', quantity: d(4), wasHidden: false });
  expect(settled?.evidence).toEqual({ code: 'order-shows-it', params: { orders: ['o-1'] } });
});

test('an operator is asked about the missing units that known orders do not explain', () => {
  expect(withJudgement([sale(1, 'in-doubt', 5)], d(0), 70)).toEqual([]);
  expect(shown(withJudgement([sale(1, 'open', 5)], d(5), 70))).toEqual([[1, 'applied', 5]]);
  expect(withJudgement([sale(1, 'in-doubt', 9), sale(2, 'open', 5)], d(2), 70)).toEqual([
    {
      id: 2,
      state: 'in-doubt',
      quantity: d(3),
      evidence: { code: 'unseen-sale', params: { listing: 70, quantity: '3' } },
    },
  ]);
});
