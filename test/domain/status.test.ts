import { describe, expect, test } from 'vitest';
import { effectOf, isDead, isKnownStatus, lineEffect, rankOf } from '../../src/domain/status.ts';
import { revertedSide } from '../../src/domain/status-moves.ts';
import { erpStatusFor, isExported, STRATEGIES, type StrategyName } from '../../src/domain/strategy.ts';

test.each([
  ['Submitted', 'reserved', 1, false],
  ['Accepted', 'reserved', 2, false],
  ['Fulfilled', 'consumed', 3, false],
  ['Shipped', 'consumed', 4, false],
  ['Complete', 'consumed', 5, false],
  ['Rejected', 'none', null, true],
  ['Canceled', 'none', null, true],
  ['Cancelled', 'none', null, true],
  ['Backorder', 'none', null, false],
] as const)('the order status %s: %s, rank %s, dead %s', (status, effect, rank, dead) => {
  expect(isKnownStatus(status)).toBe(true);
  expect([effectOf(status), rankOf(status), isDead(status)]).toEqual([effect, rank, dead]);
});

test.each(['Draft', 'Combined', 'submitted', 'SHIPPED', '', 'constructor', '__proto__', 'toString'])(
  'the order status "%s" is unknown: it holds no stock, has no rank, and is not dead',
  (status) => {
    expect(isKnownStatus(status)).toBe(false);
    expect([effectOf(status), rankOf(status), isDead(status)]).toEqual(['none', null, false]);
  },
);

test.each(['teleported', 'constructor', '__proto__'])(
  'the unknown ERP status "%s" does not count as a change by a person',
  (erp) => {
    const agreed = { marketplace: 'Submitted', erp: 'reserved' };
    expect(revertedSide(agreed, { marketplace: 'Submitted', erp })).toBeNull();
    expect(revertedSide({ ...agreed, erp }, { marketplace: 'Canceled', erp: 'reserved' })).toBeNull();
  },
);

test.each(['Submitted', 'Accepted', 'Fulfilled', 'Shipped', 'Complete'])(
  'a line that was added after Accepted is counted nowhere in status %s',
  (status) => {
    expect(lineEffect(status, true)).toBe('none');
    expect(lineEffect(status, false)).not.toBe('none');
  },
);

describe('the three procedures (spec 1, Inventory setting rules, 5)', () => {
  /** Is it exported, and how does the ERP keep it? */
  const TABLE: Record<StrategyName, Record<string, 'draft' | 'reserved' | null>> = {
    'fulfilled-quantity': {
      Submitted: null,
      Accepted: null,
      Fulfilled: 'reserved',
      Shipped: 'reserved',
      Complete: 'reserved',
    },
    'submitted-available': {
      Submitted: 'reserved',
      Accepted: 'reserved',
      Fulfilled: 'reserved',
      Shipped: 'reserved',
      Complete: 'reserved',
    },
    'submitted-quantity': {
      Submitted: 'draft',
      Accepted: 'draft',
      Fulfilled: 'reserved',
      Shipped: 'reserved',
      Complete: 'reserved',
    },
  };

  test.each(Object.values(STRATEGIES))(
    'the strategy $name exports and reserves by its procedure in the spec',
    (strategy) => {
      const seen = Object.keys(TABLE[strategy.name]).map((status) => [
        status,
        isExported(strategy, status) ? erpStatusFor(strategy, status) : null,
      ]);
      expect(Object.fromEntries(seen)).toEqual(TABLE[strategy.name]);
    },
  );

  test.each(Object.values(STRATEGIES))('$name exports no order that is dead, on backorder or unknown', (strategy) => {
    for (const status of ['Rejected', 'Canceled', 'Cancelled', 'Backorder', 'Draft', 'Combined']) {
      expect(isExported(strategy, status)).toBe(false);
    }
  });

  test('only submitted-available writes the available stock', () => {
    expect(Object.values(STRATEGIES).map(({ name, writes }) => [name, writes])).toEqual([
      ['fulfilled-quantity', 'quantity'],
      ['submitted-available', 'available_inventory'],
      ['submitted-quantity', 'quantity'],
    ]);
  });
});
