import { describe, expect, test } from 'vitest';
import { cause, shownCause } from '../../../src/domain/causes/cause.ts';
import { Decimal } from '../../../src/domain/decimal.ts';
import {
  type Braked,
  type BrakeKind,
  type BrakeState,
  isCounted,
  judge,
  type Policy,
} from '../../../src/flows/engine/policy.ts';

const tooMany = (count: number, span: 'pass' | 'day', most: number) => cause('too-many-writes', { count, span, most });

const write = (braked: Braked = {}) => ({
  action: 'product.archive',
  target: 'listing 7 (SB-1)',
  before: 'listed',
  after: 'archived',
  why: 'deleted in the ERP',
  ...braked,
});
const free: Policy = { dryRun: false, paused: null, brake: null };

interface Given {
  readonly count?: number;
  readonly percent?: string;
  readonly written?: number;
  readonly moved?: string;
  readonly unmeasured?: 'from-unknown';
}

const span = ({ count, percent, written = 0, moved, unmeasured }: Given = {}) => ({
  limit: { count: count ?? null, percent: percent === undefined ? null : new Decimal(percent) },
  written,
  movedPercent: unmeasured ?? (moved === undefined ? null : new Decimal(moved)),
});

const another = (index: number) => ({ ...write(), key: `P-${index}`, target: `listing ${index}` });

interface Spans {
  readonly pass?: Given;
  readonly day?: Given;
  /** The number of waiting writes, this one included. */
  readonly waiting?: number;
  readonly of?: number;
}

function brake({ pass, day, waiting = 1, of = 1_000 }: Spans, rest: Partial<BrakeState> = {}): Policy {
  const others = Array.from({ length: waiting - 1 }, (_, index) => another(index));
  return {
    ...free,
    brake: { pass: span(pass), day: span(day), others, of, isUnlinked: false, holdingAll: null, item: null, ...rest },
  };
}

const isAllowed = (policy: Policy, kind: BrakeKind = 'archive') => judge(write({ brake: kind }), policy).allowed;
const YES = { allowed: true, approval: null };

test('a write that no brake watches goes ahead', () => {
  expect(judge(write(), free)).toEqual(YES);
  expect(judge(write(), brake({ pass: { count: 0 } }))).toEqual(YES);
  expect(judge(write({ brake: 'archive' }), free)).toEqual(YES);
});

test('a dry run writes nothing, says what it would do, and makes no plan', () => {
  expect(judge(write({ brake: 'archive' }), { ...brake({ pass: { count: 0 } }), dryRun: true })).toEqual({
    allowed: false,
    cause: cause('dry-run', { action: 'product.archive', target: 'listing 7 (SB-1)' }),
    hold: null,
  });
});

test('a paused flow writes nothing, says why, and makes no plan', () => {
  expect(judge(write({ brake: 'archive' }), { ...brake({ pass: { count: 0 } }), paused: 'stock-taking' })).toEqual({
    allowed: false,
    cause: cause('paused', { reason: 'stock-taking' }),
    hold: null,
  });
});

describe('counts', () => {
  const kinds = ['create', 'archive', 'zero', 'increase', 'reject', 'price'] as const;
  test.each(kinds)('%s: waiting writes are judged together, below, at and above the limit of a pass', (kind) => {
    const allowed = [9, 10, 11, 500].map((waiting) => isAllowed(brake({ pass: { count: 10 }, waiting }), kind));
    expect(allowed).toEqual([true, true, false, false]);
  });

  test.each(kinds)('%s: writes of this pass count together with the waiting ones', (kind) => {
    const allowed = [6, 7, 8].map((written) => isAllowed(brake({ pass: { count: 10, written }, waiting: 3 }), kind));
    expect(allowed).toEqual([true, true, false]);
  });

  test.each(kinds)('%s: a day has its own limit, below, at and above', (kind) => {
    const pass = { count: 10 };
    const allowed = [28, 29, 30].map((written) => isAllowed(brake({ pass, day: { count: 30, written } }), kind));
    expect(allowed).toEqual([true, true, false]);
  });

  test('a limit of zero stops the first write', () => expect(isAllowed(brake({ pass: { count: 0 } }))).toBe(false));

  test('a brake without a limit stops nothing', () => expect(isAllowed(brake({ waiting: 10_000 }))).toBe(true));

  test('the reason of a held write names the brake, the write, its old and new value, and the limit', () => {
    expect(judge(write({ brake: 'archive' }), brake({ pass: { count: 10 }, waiting: 11 }))).toEqual({
      allowed: false,
      cause: cause('brake-plan', {
        brake: 'archive',
        action: 'product.archive',
        target: 'listing 7 (SB-1)',
        before: 'listed',
        after: 'archived',
        exceeds: tooMany(11, 'pass', 10),
        waits: false,
        plan: null,
      }),
      waits: false,
      hold: 'all',
      exceeds: tooMany(11, 'pass', 10),
    });
    expect(judge(write({ brake: 'archive' }), brake({ day: { percent: '1', written: 10 } }))).toMatchObject({
      exceeds: cause('too-large-a-share', { count: 11, span: 'day', percent: '1', of: 1000 }),
    });
  });
});

test.each([
  // 5 percent of 200 is 10.
  ['5', 200, 9, true],
  ['5', 200, 10, true],
  ['5', 200, 11, false],
  // 5 percent of 199 is 9.95.
  ['5', 199, 9, true],
  ['5', 199, 10, false],
  // A small catalogue may always lose one listing.
  ['5', 10, 1, true],
  ['5', 10, 2, false],
  ['5', 0, 1, true],
  ['0.5', 100, 1, true],
  ['0.5', 100, 2, false],
  // A limit of zero allows none.
  ['0', 10, 1, false],
  ['100', 3, 3, true],
  ['100', 3, 4, false],
])('a share of %s percent of %i: %i in a pass, or in a day: %s', (percent, of, total, allowed) => {
  expect(isAllowed(brake({ pass: { percent }, waiting: total, of }))).toBe(allowed);
  expect(isAllowed(brake({ day: { percent, written: total - 1 }, of }))).toBe(allowed);
});

test('of the limits by count and by share, the tighter one stops', () => {
  expect(isAllowed(brake({ pass: { count: 10, percent: '50' }, waiting: 11 }))).toBe(false);
  expect(isAllowed(brake({ pass: { count: 1_000, percent: '5' }, waiting: 51 }))).toBe(false);
  expect(isAllowed(brake({ pass: { count: 1_000, percent: '5' }, waiting: 50 }))).toBe(true);
});

describe('a price may move by so many percent', () => {
  const moves = (given: Spans) => judge(write({ brake: 'price' }), brake(given));

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
  ])('a price move of %s percent, at once or over a day, passes the brake: %s', (moved, allowed) => {
    expect(moves({ pass: { percent: '50', moved } }).allowed).toBe(allowed);
    expect(moves({ day: { percent: '50', moved } }).allowed).toBe(allowed);
  });

  test('a price beyond its limit is held alone: other prices go on', () => {
    expect(moves({ pass: { percent: '50', moved: '60' } })).toMatchObject({ hold: 'this' });
    expect(moves({ day: { percent: '50', moved: '60' } })).toMatchObject({
      hold: 'this',
      exceeds: cause('price-moves-far', { percent: '60.0', span: 'day', most: '50', otherCase: null }),
    });
  });

  test('a move from an unknown price has no limit, and its percentage is not made up', () => {
    expect(moves({ pass: { percent: '50', unmeasured: 'from-unknown' } })).toMatchObject({
      hold: 'this',
      exceeds: cause('price-moves-unmeasured', { moves: 'from-unknown', most: '50' }),
    });
    expect(moves({ pass: { percent: '100', unmeasured: 'from-unknown' } }).allowed).toBe(true);
  });

  test('the percent limit applies to each price move, not to the number of prices that move', () => {
    expect(moves({ pass: { percent: '50', moved: '1' }, waiting: 999, of: 1 }).allowed).toBe(true);
  });

  test('a first price counts for the price brake although there is nothing to compare it with', () => {
    expect(moves({ pass: { percent: '50' } }).allowed).toBe(true);
    expect(moves({ pass: { percent: '50', count: 3 }, waiting: 4 })).toMatchObject({ allowed: false, hold: 'all' });
  });
});

describe('the decision of an operator', () => {
  type Item = NonNullable<BrakeState['item']>;
  const item = (changes: Partial<Item>): Item => ({
    id: 4,
    planId: 2,
    account: 'main',
    flow: 'product',
    key: 'P-7',
    ...write(),
    state: 'held',
    same: true,
    decided: false,
    holdsAll: true,
    expiresAtMs: 9,
    decidedBy: 'eve',
    reason: tooMany(9, 'day', 8),
    planReason: tooMany(7, 'day', 6),
    ...changes,
  });
  const verdict = (changes: Partial<Item>, rest: Partial<BrakeState> = {}) =>
    judge(write({ brake: 'archive' }), brake({ pass: { count: 10 } }, { item: item(changes), ...rest }));
  const open = { holdingAll: { reason: tooMany(11, 'pass', 10) } };

  test('an approved write goes ahead, whatever the limits and other plans say', () => {
    const approved = { state: 'approved', decided: true } as const;
    expect(verdict(approved)).toEqual({ allowed: true, approval: 4 });
    expect(verdict(approved, open)).toEqual({ allowed: true, approval: 4 });
  });

  test('an approval of other writes holds this one alone within the limits, and with all of its kind beyond them', () => {
    const otherwise = { state: 'approved', decided: true, same: false, after: '60' } as const;
    expect(verdict(otherwise)).toMatchObject({
      allowed: false,
      hold: 'this',
      waits: true,
      exceeds: { code: 'approved-otherwise', params: { approved: '60' } },
    });
    const beyond = verdict(otherwise, { others: Array.from({ length: 10 }, (_, index) => another(index)) });
    expect(beyond).toMatchObject({ allowed: false, hold: 'all', exceeds: { code: 'too-many-writes' } });
  });

  test('an expired approval has no effect', () => {
    expect(verdict({ state: 'approved', decided: false })).toMatchObject({ allowed: false, hold: 'all' });
  });

  test.each(['vetoed', 'dropped'] as const)('a %s write stays held while it is the same, in no new plan', (state) => {
    expect(verdict({ state, decided: true })).toMatchObject({
      allowed: false,
      hold: 'refused',
      cause: { code: 'brake-refused', params: { state, by: 'eve' } },
    });
    expect(verdict({ state, decided: true, same: false })).toEqual(YES);
  });

  test('a refused zeroing needs a person while buyers can buy missing stock', () => {
    const zeroing = write({ brake: 'zero', offersMore: { sku: 'SB-1', place: 'EAST', offered: '240 units' } });
    const refused = judge(zeroing, brake({}, { item: item({ state: 'dropped', decided: true }) }));
    const params = { sku: 'SB-1', place: 'EAST', offered: '240 units', state: 'dropped', by: 'eve' };
    expect(refused).toMatchObject({ hold: 'refused', cause: { code: 'fall-refused', params } });
    if (refused.allowed) throw new Error('it is refused');
    expect(shownCause(refused.cause)).toMatchObject({
      turn: 'operator',
      text: expect.stringContaining('Buyers can order 240 units of SKU SB-1 at EAST, but none is in stock') as string,
    });
  });

  test('a price of a larger case is reported with the case, the old and new price, and the price of a unit', () => {
    const otherCase = { was: '12', now: '24', unitWas: '10 USD', unitNow: '10 USD' };
    const judged = judge(write({ brake: 'price', otherCase }), brake({ pass: { percent: '50', moved: '100' } }));
    if (judged.allowed) throw new Error('it is held');
    expect(shownCause(judged.cause).text).toContain(
      'changes the case from 12 to 24 units (a unit still costs 10.00 USD), and with it the price of a case by 100.0 percent',
    );
  });

  test('a held write waits also when there is room again; a single corrected price does not', () => {
    expect(verdict({})).toMatchObject({ allowed: false, hold: 'all' });
    expect(verdict({ same: false })).toMatchObject({ allowed: false, hold: 'all' });
    expect(verdict({ holdsAll: false })).toMatchObject({ allowed: false, hold: 'this' });
    expect(verdict({ holdsAll: false, same: false })).toEqual(YES);
  });

  test.each([
    ['its own limit', {}, {}, tooMany(9, 'day', 8)],
    ['that of the open plan, as another write', { same: false }, open, tooMany(11, 'pass', 10)],
    ['that of its plan, as another write', { same: false }, {}, tooMany(7, 'day', 6)],
  ] as const)('a waiting write says what it waits for: %s', (_, changes, rest, exceeds) => {
    expect(verdict(changes, rest)).toMatchObject({
      exceeds,
      cause: { code: 'brake-plan', params: { exceeds, waits: true } },
    });
  });

  test('new writes join the open plan of their kind', () => {
    expect(judge(write({ brake: 'archive' }), brake({ pass: { count: 10 } }, open))).toMatchObject({ hold: 'all' });
  });
});

test.each([
  ['a count of a pass', 'archive', { count: 3 }, {}, true],
  ['a count of a day', 'archive', {}, { count: 3 }, true],
  ['a share of a pass', 'zero', { percent: '5' }, {}, true],
  ['a share of a day', 'zero', {}, { percent: '5' }, true],
  ['how far one price moves, in a pass or a day', 'price', { percent: '50' }, { percent: '50' }, false],
  ['a count of prices', 'price', { percent: '50' }, { count: 9 }, true],
  ['nothing', 'increase', {}, {}, false],
] as const)('whether writes are counted: %s', (_, kind, pass, day, expected) => {
  expect(isCounted(kind, { pass: span(pass).limit, day: span(day).limit })).toBe(expected);
});
