import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/domain/decimal.ts';
import { type Braked, type BrakeKind, judge, type Policy } from '../../src/reconcile/policy.ts';

const write = (braked: Braked = {}) => ({
  action: 'product.archive',
  target: 'listing 7 (SB-1)',
  before: 'listed',
  after: 'archived',
  why: 'deleted in the ERP',
  ...braked,
});
const free: Policy = { dryRun: false, paused: null, brake: null };

function brake(limit: { count?: number; percent?: string }, written: number, listings = 1_000): Policy {
  const { count = null, percent } = limit;
  return {
    ...free,
    brake: { limit: { count, percent: percent === undefined ? null : new Decimal(percent) }, written, listings },
  };
}

const isAllowed = (policy: Policy, kind: BrakeKind = 'archive') => judge(write({ brake: kind }), policy).allowed;

test('what no brake watches goes ahead', () => {
  expect(judge(write(), free)).toEqual({ allowed: true });
  expect(judge(write(), brake({ count: 0 }, 5))).toEqual({ allowed: true });
  expect(judge(write({ brake: 'archive' }), free)).toEqual({ allowed: true });
});

test('a dry run writes nothing, and says what it would do', () => {
  expect(judge(write(), { ...free, dryRun: true })).toEqual({
    allowed: false,
    reason: 'dry-run: would product.archive listing 7 (SB-1)',
  });
});

test('a paused flow writes nothing, and says why', () => {
  expect(judge(write(), { ...free, paused: 'stock-taking' })).toEqual({
    allowed: false,
    reason: 'paused: stock-taking',
  });
});

describe('limits over a day', () => {
  test.each(['archive', 'zero', 'increase', 'reject'] as const)('%s: up to the count and not one more', (kind) => {
    expect([8, 9, 10, 11].map((written) => isAllowed(brake({ count: 10 }, written), kind))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each([
    // 5 percent of 200 is 10.
    ['5', 200, 9, true],
    ['5', 200, 10, false],
    // Of 199 it is 9.95.
    ['5', 199, 8, true],
    ['5', 199, 9, false],
    // A small catalogue may always lose one.
    ['5', 10, 0, true],
    ['5', 10, 1, false],
    ['5', 0, 0, true],
    ['0.5', 100, 0, true],
    ['0.5', 100, 1, false],
    // None is none.
    ['0', 10, 0, false],
    ['100', 3, 2, true],
    ['100', 3, 3, false],
  ])('%s percent of %i listings after %i today: %s', (percent, listings, written, allowed) => {
    expect(isAllowed(brake({ percent }, written, listings))).toBe(allowed);
  });

  test('both limits hold: the tighter one stops', () => {
    expect(isAllowed(brake({ count: 10, percent: '50' }, 10, 1_000))).toBe(false);
    expect(isAllowed(brake({ count: 1_000, percent: '5' }, 50, 1_000))).toBe(false);
    expect(isAllowed(brake({ count: 1_000, percent: '5' }, 49, 1_000))).toBe(true);
  });

  test('a count of none stops the first', () => expect(isAllowed(brake({ count: 0 }, 0))).toBe(false));

  test('no limit stops nothing', () => expect(isAllowed(brake({}, 1_000_000))).toBe(true));

  test('the reason names the brake, what it holds, from what to what, and the limit', () => {
    const verdict = judge(write({ brake: 'archive' }), brake({ count: 10 }, 10));
    expect(verdict).toEqual({
      allowed: false,
      reason:
        'brake archive: product.archive listing 7 (SB-1) (listed -> archived) would be number 11 in a day, more than 10',
    });
  });
});

describe('a price may move by so many percent', () => {
  const moves = (changePercent: string, limit: { count?: number; percent?: string } = { percent: '50' }) =>
    judge(write({ brake: 'price', changePercent: new Decimal(changePercent) }), brake(limit, 3)).allowed;

  test.each([
    ['49.9999', true],
    ['50', true],
    ['50.0001', false],
    ['-49.9999', true],
    ['-50', true],
    ['-50.0001', false],
    ['0', true],
    ['900', false],
    ['-99.9', false],
  ])('%s percent: %s', (percent, allowed) => expect(moves(percent)).toBe(allowed));

  test('a share of the catalogue is not meant', () => {
    expect(
      judge(write({ brake: 'price', changePercent: new Decimal(1) }), brake({ percent: '50' }, 999, 1)).allowed,
    ).toBe(true);
  });

  test('so many prices a day, when that is set', () => {
    expect(moves('1', { count: 4 })).toBe(true);
    expect(moves('1', { count: 3 })).toBe(false);
  });

  test('a first price has nothing to be compared to, and still counts', () => {
    expect(judge(write({ brake: 'price' }), brake({ percent: '50' }, 3)).allowed).toBe(true);
    expect(judge(write({ brake: 'price' }), brake({ percent: '50', count: 3 }, 3)).allowed).toBe(false);
  });
});
