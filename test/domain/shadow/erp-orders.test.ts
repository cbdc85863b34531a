import { describe, expect, test } from 'vitest';
import { dueOfErpOrder, type ErpOrderRow, skusOf, withErpOrder } from '../../../src/domain/shadow/erp-orders.ts';
import { at } from '../../store/shelf.ts';

const content = (quantity = '7', sku = 'SB-1', unitPrice = '12.50') =>
  JSON.stringify({ lines: [{ sku, quantity, unitPrice }] });
type Changes = Partial<ErpOrderRow> & { readonly countedAsOf?: string };
const read = (before: ErpOrderRow | undefined, changes: Changes = {}, mended = false, readTo: string | null = null) => {
  const order = { id: 'E-1', reference: 'o-1', origin: 'marketplace', status: 'reserved' } as const;
  const seen = { ...order, content: content(), changedAt: at(0), ...changes };
  return withErpOrder(before, seen, { mended, nowMs: 1, readTo });
};

/** Each state is read after the one before it, and kept. */
function known(...states: Changes[]): ErpOrderRow {
  let kept: ErpOrderRow | undefined;
  for (const state of states) kept = read(kept, state).row ?? kept;
  if (kept === undefined) throw new Error('no state was read');
  return kept;
}

test('an unchanged ERP order is no change, unless its row is valid again', () => {
  expect(read(known({}), { changedAt: at(3) })).toEqual({ row: null, history: [] });
  expect(read(known({}), {}, true).row).not.toBeNull();
});

test.each([
  ['draft', null],
  ['reserved', at(1)],
  ['shipped', at(1)],
  ['cancelled', null],
  ['packed', null],
])('the time since when the ERP counts an order: %s: %s', (status, expected) => {
  expect(known({ status, changedAt: at(1) }).countedSince).toBe(expected);
});

test('the ERP counts an order since it was first seen counted, whatever else changes', () => {
  const states = [
    { status: 'draft' },
    { changedAt: at(2) },
    { reference: 'o-2', changedAt: at(3) },
    { content: content('7', 'SB-1', '9.99'), changedAt: at(4) },
    { content: content('7', 'SB-1', '9.99'), status: 'shipped', changedAt: at(5) },
  ];
  expect(known(...states).countedSince).toBe(at(2));
});

test("an order counts in the ERP's stock from the time that the ERP states, if that is not its change time", () => {
  const counted = { changedAt: at(1), countedAsOf: at(5) };
  expect(known(counted).countedSince).toBe(at(5));
  expect(known(counted, { ...counted, countedAsOf: at(9) }).countedSince).toBe(at(5));
  expect(known(counted, { content: content('9'), changedAt: at(6), countedAsOf: at(9) }).countedSince).toBe(at(9));
});

test('the ERP counts an order not before the changes that had been read without it, whatever its date says', () => {
  const shipped = { status: 'shipped', changedAt: at(2) };
  const sinceWith = (readTo: string) => read(known({ status: 'draft' }), shipped, false, readTo).row?.countedSince;
  expect([sinceWith(at(1)), sinceWith(at(6))]).toEqual([at(2), at(6)]);
  expect(read(undefined, { ...shipped, countedAsOf: at(3) }, false, at(6)).row?.countedSince).toBe(at(3));
  const edited = { content: content('9'), changedAt: at(2) };
  expect(read(known({ changedAt: at(1) }), edited, false, at(6)).row?.countedSince).toBe(at(2));
});

test('the ERP counts an order since the last step of a multi-step write', () => {
  const asked = { content: JSON.stringify({ ...JSON.parse(content()), finished: false }), changedAt: at(1) };
  expect(known(asked).countedSince).toBeNull();
  expect(known(asked, { changedAt: at(2) }).countedSince).toBe(at(2));
  expect(known(asked, { changedAt: at(2), countedAsOf: at(7) }).countedSince).toBe(at(7));
});

test('the time since when the ERP counts an order starts anew with other quantities, or after a cancellation', () => {
  expect(known({}, { content: content('9'), changedAt: at(3) }).countedSince).toBe(at(3));
  const again = known({}, { status: 'cancelled', changedAt: at(3) }, { changedAt: at(4) });
  expect(again.countedSince).toBe(at(4));
});

describe('a changed order has looked at', () => {
  const due = (...[before, order, beside = {}]: [ErpOrderRow | undefined, ErpOrderRow, object?]) =>
    dueOfErpOrder(before, order, { linkedTo: null, reused: [], productIds: [], lookedAt: undefined, ...beside }).map(
      ({ flow, key }) => `${flow} ${key}`,
    );
  const madeInErp = { origin: 'erp', reference: 'E-1' } as const;

  test('a changed ERP order marks the marketplace order that it refers to, and the one that it referred to before', () => {
    expect(due(undefined, known({}))).toEqual(['order-in o-1']);
    expect(due(known({}), known({ reference: 'o-2' }))).toEqual(['order-in o-2', 'order-in o-1']);
    expect(due(known({}), known({ reference: 'o-2' }), { lookedAt: 'o-2' })).toEqual(['order-in o-1']);
  });

  test('a changed ERP order that was made in the ERP marks itself, and its marketplace order', () => {
    expect(due(undefined, known(madeInErp))).toEqual(['order-out E-1']);
    expect(due(undefined, known(madeInErp), { linkedTo: 'o-7' })).toEqual(['order-out E-1', 'order-in o-7']);
  });

  test('a changed ERP order marks the marketplace order whose number is its reference, though it was made in the ERP', () => {
    expect(due(undefined, known(madeInErp), { reused: ['o-1'] })).toEqual(['order-out E-1', 'order-in o-1']);
  });

  test('a changed ERP order marks the stock of its SKUs before and after, each once', () => {
    expect(skusOf(known({ content: content('1', 'SB-2') }), known({}), undefined)).toEqual(['SB-2', 'SB-1']);
    expect(due(undefined, known({}), { productIds: ['P-1', 'P-2', 'P-1'] })).toEqual([
      'order-in o-1',
      'stock P-1',
      'stock P-2',
    ]);
  });
});
