import { describe, expect, test } from 'vitest';
import { UNDATED } from '../../../src/domain/ahead.ts';
import type { MarketplaceOrder } from '../../../src/domain/order.ts';
import {
  isAsKnownOrder,
  isSameAnswer,
  type KnownOrder,
  type OrderRead,
  withOrderRead,
} from '../../../src/domain/shadow/orders.ts';
import { at, d, line, order } from '../../store/shelf.ts';

const same = (text: string) => text;
const read = (before: KnownOrder | null, changes: Partial<MarketplaceOrder> = {}, how: Partial<OrderRead> = {}) => {
  const reading = { cursorBefore: at(-1), isFirstRead: false, lookedAt: undefined, nowMs: 1 };
  const asked = { account: 'main', raw: '{}', mended: false, ...reading };
  return withOrderRead(before, { ...asked, order: order(changes), ...how }, same);
};

/** Each state is read after the one before it, and kept. */
function known(...states: Partial<MarketplaceOrder>[]): KnownOrder {
  const kept = states.reduce(keep, null);
  if (kept === null) throw new Error('no state was read');
  return kept;
}

function keep(before: KnownOrder | null, state: Partial<MarketplaceOrder>): KnownOrder | null {
  const { row, head, lines } = read(before, state);
  if (row === null) return before && { ...before, row: { ...before.row, ...head } };
  return { row, lines: lines ?? before?.lines ?? [] };
}
const lateOf = ({ lines }: KnownOrder) => lines.map(({ lineId, late }) => [lineId, late]);

describe('an order without a time', () => {
  const firstModified = (how: Partial<OrderRead>) => read(null, { modified: UNDATED }, how).row?.firstModified;

  test('an order without a time existed before the first full read', () =>
    expect(firstModified({ cursorBefore: null, isFirstRead: true })).toBe(UNDATED));
  test('an order without a time has no time of appearance in a later full read, or in a single read', () =>
    expect(firstModified({ cursorBefore: null })).toBeNull());
});

test('an echo of an order that differs only in its time changes only the time', () => {
  const before = known({ externalId: 'E-1' });
  const nothing = { row: null, head: null, lines: null, move: null, due: [] };
  expect(read(before, { externalId: 'E-1' })).toEqual(nothing);
  const head = { modified: at(5), hasLines: true, linesStatus: 'Submitted', raw: '{}' };
  expect(read(before, { externalId: 'E-1', modified: at(5) })).toEqual({ ...nothing, head });
  expect(isAsKnownOrder('main', order({ externalId: 'E-1', modified: at(5) }), before, same)).toBe(true);
});

test('an order equal to the stored answer changes nothing, except in another interpretation or with missing lines', () => {
  const reading = { cursorBefore: null, isFirstRead: false, lookedAt: undefined, nowMs: 1 };
  const answer = { account: 'main', raw: '{}', mended: false, ...reading };
  const { row } = known({});
  expect(isSameAnswer(row, { ...answer, order: order() })).toBe(true);
  expect(isSameAnswer(undefined, { ...answer, order: order() })).toBe(false);
  expect(isSameAnswer(row, { ...answer, order: order(), raw: '{"total":7}' })).toBe(false);
  expect(isSameAnswer(row, { ...answer, order: order(), mended: true })).toBe(false);
  expect(isSameAnswer(row, { ...answer, order: order({ externalId: 'E-1' }) })).toBe(false);
  expect(isSameAnswer(known({ lines: null }).row, { ...answer, order: order() })).toBe(false);
});

test('numbers in another notation, and lines in another order, change nothing of an order', () => {
  const before = known({ discountAmount: d('1.50'), lines: [line({ quantity: d('7.0000') }), line({ id: 2 })] });
  const again = { discountAmount: d('1.5'), lines: [line({ id: 2 }), line({ quantity: d('7') })] };
  expect(read(before, again).row).toBeNull();
});

test.each([
  ['status', { status: 'Accepted' }, true],
  ['external_id', { externalId: 'E-9' }, false],
  ['discount', { discountAmount: d('0.01') }, false],
  ['customer', { customer: { id: 6, name: 'Corner Shop' } }, false],
  ['delivery state', { deliveryState: 'CA' }, false],
  ['quantity', { lines: [line({ quantity: d('7.0001') })] }, true],
  ['price', { lines: [line({ orderedUnitPrice: { amount: d('12.51'), currency: 'USD' } })] }, true],
  ['number of lines', { lines: [line(), line({ id: 2 })] }, true],
  ['number of lines, none', { lines: [] }, true],
])('an order with another %s counts as changed, even when `modified` stayed the same', (_, changes, mayMoveStock) => {
  const change = read(known({}), changes);
  expect(change.due).toMatchObject([{ flow: 'order-in', key: 'o-1' }]);
  expect([change.row !== null, change.move !== null]).toEqual([true, mayMoveStock]);
  expect(isAsKnownOrder('main', order(changes), known({}), same)).toBe(false);
});

test('an order that is readable again is marked, though nothing in it changed', () => {
  expect(read(known({}), {}, { mended: true })).toMatchObject({ lines: null, move: { wasHidden: true }, due: [{}] });
});

test('an order stored by its own reconcile attempt is not marked again', () => {
  expect(read(known({}), { status: 'Accepted' }, { lookedAt: 'o-1' })).toMatchObject({ row: {}, due: [] });
});

test('an order without its lines keeps the stored lines, and missing lines are not zero lines', () => {
  expect(known({ lines: null }).row.hasLines).toBe(false);
  const accepted = known({}, { lines: null, status: 'Accepted' });
  expect(accepted.row).toMatchObject({ hasLines: true, linesStatus: 'Submitted', status: 'Accepted' });
  expect(accepted.lines).toHaveLength(1);
  expect(known({ lines: null }, { lines: [] }).row.hasLines).toBe(true);
});

test.each([
  ['its first read', null, at(0), { late: false, wasHidden: true }],
  ['a cursor that is at it', at(0), at(0), { late: true, wasHidden: true }],
  ['a cursor that is past it', at(1), at(0), { late: true, wasHidden: true }],
  ['a cursor before it', at(0), at(1), { late: false, wasHidden: false }],
])('an order after %s became visible: %#', (_, cursorBefore, modified, expected) => {
  expect(read(null, { modified }, { cursorBefore }).move).toMatchObject(expected);
});

describe('a line that was added after Accepted is late (spec 1, Rule)', () => {
  const two = [line(), line({ id: 2 })];

  test('a late line stays late in later reads', () => {
    const fulfilled = known({ status: 'Fulfilled' }, { status: 'Fulfilled', lines: two });
    expect(lateOf(fulfilled)).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(
      lateOf(known({ status: 'Fulfilled' }, { status: 'Fulfilled', lines: two }, { status: 'Complete', lines: two })),
    ).toEqual(lateOf(fulfilled));
  });

  test.each<[string, Partial<MarketplaceOrder>[], boolean]>([
    ['is not, if it was there while Accepted', [{ status: 'Accepted' }, { status: 'Fulfilled', lines: null }], false],
    ['is, if the lines were read once more past Accepted', [{ status: 'Accepted' }, { status: 'Fulfilled' }], true],
    ['is not known to be, if no lines were read before', [{ status: 'Fulfilled', lines: null }], false],
  ])('a line is late and %s', (_, states, isLate) => {
    expect(lateOf(known(...states, { status: 'Fulfilled', lines: two }))[1]).toEqual([2, isLate]);
  });
});
