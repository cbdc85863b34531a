import { describe, expect, it } from 'vitest';
import { groupedOrders } from '../../../src/erp/files/grouped.ts';
import { Unfit } from '../../../src/http/rows.ts';

const rows = (reference: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    line: at + 2,
    row: { reference, lines: { sku: `A-${at}`, quantity: '1' } },
  }));

describe('orders with a row for each line', () => {
  it('have the lines of all their rows, in their order', () => {
    const [order, ...others] = groupedOrders([...rows('1', 10_000), { line: 10_002, row: { lines: [] } }]).toReversed();
    expect(order?.row).toMatchObject({ reference: '1', lines: rows('1', 10_000).map(({ row }) => row.lines) });
    expect(others.map(({ line }) => line)).toEqual([10_002]);
  });

  it('are an invalid row with more lines than any order has, however many, and hold nothing else up', () => {
    const found = groupedOrders([...rows('1', 300_000), ...rows('2', 1)]);
    expect(found.map(({ row }) => (row instanceof Unfit ? row.problem : row['reference']))).toEqual([
      'it has more than 10000 lines',
      '2',
    ]);
  });

  it('are an invalid row where one row contradicts another', () => {
    const told = { line: 3, row: { reference: '1', status: 'shipped', lines: { sku: 'B', quantity: '1' } } };
    expect(groupedOrders([...rows('1', 1), told]).map(({ row }) => row)).toEqual([
      expect.objectContaining({ problem: 'line 3 says something else of the order' }),
    ]);
  });
});
