import { describe, expect, test } from 'vitest';
import { countLines } from '../../../src/flows/stock/lines.ts';
import type { SoldRows } from '../../../src/store/observe.ts';
import { exact } from '../../support/units.ts';
import { accountConfig } from '../account.ts';

/** An order of 3 that the ERP counts since 08:00:30. */
const ROWS = {
  lines: [
    {
      number: 'o-1',
      effect: 'reserved',
      seen: { firstModified: null, firstStatus: null, history: null },
      line: { id: 1, quantity: exact(3), inErp: null, listed: null },
    },
  ],
  holdings: new Map([
    [
      'o-1',
      {
        id: 'E-1',
        status: 'reserved',
        countedSince: '2030-01-01T08:00:30Z',
        changedTick: 5,
        lines: [{ sku: 'SB-1', quantity: exact(3) }],
      },
    ],
  ]),
  skus: new Set(['SB-1']),
  facts: new Map(),
} as unknown as SoldRows;

const countedOf = (rows: SoldRows, asOf: string, { believedMs = 0, reserved = 3, changedTick = 7 } = {}) =>
  countLines(accountConfig(), rows, {
    asOf,
    changedTick,
    believedMs,
    reserved: exact(reserved),
    inErp: null,
    listed: null,
  });

const counted = (asOf: string, believedMs: number) => {
  const { lines, erpLagMs } = countedOf(ROWS, asOf, { believedMs });
  return { counted: lines.map((line) => line.counted), erpLagMs };
};

test('a figure read after the ERP counts an order counts it', () => {
  expect(counted('2030-01-01T08:00:31Z', 0)).toEqual({ counted: [true], erpLagMs: null });
  expect(counted('2030-01-01T08:00:29Z', 0)).toEqual({ counted: [false], erpLagMs: 500 });
});

test('with an ERP that stamps at the beginning of a transaction, only a read that much later counts an order', () => {
  expect(counted('2030-01-01T08:00:31Z', 40_000)).toEqual({ counted: [false], erpLagMs: 5_000 });
  expect(counted('2030-01-01T08:01:11Z', 40_000)).toEqual({ counted: [true], erpLagMs: null });
});

test("an order assumed to be in the ERP's figure is uncertain when the ERP's reservations differ from the stored orders", () => {
  const of = (reserved: number, asOf = '2030-01-01T08:00:31Z') => countedOf(ROWS, asOf, { reserved }).counted;
  expect(of(3)).toMatchObject({ ids: ['E-1'], areAll: true });
  expect(of(0)).toMatchObject({ ids: ['E-1'], areAll: false });
  expect(of(5)).toMatchObject({ ids: ['E-1'], areAll: false });
  // The figure does not count the order.
  expect(of(0, '2030-01-01T08:00:29Z')).toMatchObject({ ids: [], known: ['E-1'] });
});

describe('an order shipped in the ERP, with an equal sum of reservations', () => {
  const [line] = ROWS.lines;
  const shipped = { ...ROWS.holdings.get('o-1'), id: 'E-2', status: 'shipped' };
  const beside = (effect: string) =>
    ({
      ...ROWS,
      lines: [line, { ...line, number: 'o-2', effect }],
      holdings: new Map([...ROWS.holdings, ['o-2', shipped]]),
    }) as unknown as SoldRows;
  const areAll = (effect: string, changedTick: number) =>
    countedOf(beside(effect), '2030-01-01T08:00:31Z', { changedTick }).counted.areAll;

  test.each([
    ['explains nothing while it is open on the marketplace', 'reserved', 7, false],
    ['explains nothing when the figure is from before the shipment was seen', 'consumed', 4, false],
    ['explains all once the figure has changed since', 'consumed', 7, true],
  ])('an order shipped in the ERP with an equal sum of reservations: %s', (_, effect, changedTick, all) => {
    expect(areAll(effect, changedTick)).toBe(all);
  });
});
