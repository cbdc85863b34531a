import { expect, it } from 'vitest';
import { groupedOrders } from '../../../src/erp/files/grouped.ts';
import { Unfit } from '../../../src/http/rows.ts';

const rows = (reference: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    line: at + 2,
    row: { reference, lines: { sku: `A-${at}`, quantity: '1' } },
  }));

it('an order with one file row per line has the lines of all its rows in file order', () => {
  const [order, ...others] = groupedOrders([...rows('1', 10_000), { line: 10_002, row: { lines: [] } }]).toReversed();
  expect(order?.row).toMatchObject({ reference: '1', lines: rows('1', 10_000).map(({ row }) => row.lines) });
  expect(others.map(({ line }) => line)).toEqual([10_002]);
});

it('an order with more lines than the limit is an invalid row, and delays nothing else', () => {
  const found = groupedOrders([...rows('1', 300_000), ...rows('2', 1)]);
  expect(found.map(({ row }) => (row instanceof Unfit ? row.problem : row['reference']))).toEqual([
    'it has more than 10000 lines',
    '2',
  ]);
});

it('an order is an invalid row where two of its rows contradict each other', () => {
  const told = { line: 3, row: { reference: '1', status: 'shipped', lines: { sku: 'B', quantity: '1' } } };
  expect(groupedOrders([...rows('1', 1), told]).map(({ row }) => row)).toEqual([
    expect.objectContaining({ problem: 'line 3 says something else of the order' }),
  ]);
});
