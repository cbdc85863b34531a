import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../src/domain/approval.ts';
import { cause } from '../../../src/domain/causes/cause.ts';
import { type ApprovalSnapshot, decideApproval } from '../../../src/flows/approval/decide.ts';

const PURCHASE_ORDER = '8bf47ca3-9c3a-4a0f-b472-6c56ea4e44e0';
const KNOWN = { purchaseOrder: PURCHASE_ORDER, orderId: 17 };
const APPROVED: Verdict = { ...KNOWN, status: 'approved', message: null };

function decided(changes: Partial<ApprovalSnapshot> = {}) {
  return decideApproval({
    erpId: 'SO-17',
    number: 'o-1',
    approval: { status: 'approved' },
    tooOld: false,
    purchaseOrder: KNOWN,
    told: null,
    tellInDoubt: false,
    ...changes,
  });
}
const NOTHING = { actions: [], holds: [], alerts: [] };

describe('the marketplace is told', () => {
  test('a verdict that it was not told', () => {
    expect(decided().actions).toEqual([
      expect.objectContaining({ action: 'approval-out.tell', before: null, after: 'approved', verdict: APPROVED }),
    ]);
  });

  test('a verdict that is another now', () => {
    const [action] = decided({ told: APPROVED, approval: { status: 'rejected', message: 'no credit' } }).actions;
    expect(action).toMatchObject({ before: 'approved', after: 'rejected: no credit', brake: 'reject' });
  });

  test('no verdict twice', () => {
    expect(decided({ told: APPROVED })).toMatchObject(NOTHING);
  });

  test.each([
    ['an order that it does not have', { number: null }],
    ['an order without a verdict', { approval: null }],
    ['a verdict that was given too early', { tooOld: true }],
  ])('nothing of %s', (_what, changes) => {
    expect(decided(changes)).toMatchObject(NOTHING);
  });

  test('a change of a verdict that it was told, however old', () => {
    expect(decided({ told: { ...APPROVED, status: 'error' }, tooOld: true }).actions).toHaveLength(1);
  });
});

test('a verdict that nobody knows is held, and so is one of an order without a purchase order', () => {
  const unknown = cause('approval-status-unknown', { erpOrder: 'SO-17', status: 'on hold' });
  expect(decided({ approval: { status: 'on hold' } })).toMatchObject({ actions: [], holds: [unknown] });
  const none = cause('approval-no-purchase-order', { order: 'o-1', problem: 'purchase_order_number makes no UUID' });
  expect(decided({ purchaseOrder: none })).toMatchObject({ actions: [], holds: [none] });
});

test('a verdict that the ERP took back raises an alert, since it cannot be taken back on the marketplace', () => {
  const withdrawn = cause('approval-withdrawn', { order: 'o-1', status: 'approved' });
  expect(decided({ told: APPROVED, approval: null })).toMatchObject({ ...NOTHING, alerts: [withdrawn] });
});

test('a verdict whose answer was lost is settled first, wanted or not', () => {
  expect(decided({ tellInDoubt: true }).actions).toMatchObject([{ verdict: APPROVED }]);
  expect(decided({ tellInDoubt: true, approval: null }).actions).toMatchObject([{ verdict: null }]);
});

test('nothing is done where the flow is off', () => {
  expect(decideApproval(null)).toMatchObject(NOTHING);
});
