import { expect, test } from 'vitest';
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

test('a new verdict of the ERP is reported to the marketplace', () => {
  expect(decided().actions).toEqual([
    expect.objectContaining({ action: 'approval-out.tell', before: null, after: 'approved', verdict: APPROVED }),
  ]);
});

test('a changed verdict of the ERP is reported to the marketplace', () => {
  const [action] = decided({ told: APPROVED, approval: { status: 'rejected', message: 'no credit' } }).actions;
  expect(action).toMatchObject({ before: 'approved', after: 'rejected: no credit', brake: 'reject' });
});

test('a verdict that was reported is not reported again', () => {
  expect(decided({ told: APPROVED })).toMatchObject(NOTHING);
});

test.each([
  ['an order that it does not have', { number: null }],
  ['an order without a verdict', { approval: null }],
  ['a verdict that was given too early', { tooOld: true }],
])('no verdict is reported of %s', (_what, changes) => {
  expect(decided(changes)).toMatchObject(NOTHING);
});

test('a change of a reported verdict is reported, however old it is', () => {
  expect(decided({ told: { ...APPROVED, status: 'error' }, tooOld: true }).actions).toHaveLength(1);
});

test('an unknown verdict is held, and so is a verdict of an order without a purchase order', () => {
  const unknown = cause('approval-status-unknown', { erpOrder: 'SO-17', status: 'on hold' });
  expect(decided({ approval: { status: 'on hold' } })).toMatchObject({ actions: [], holds: [unknown] });
  const none = cause('approval-no-purchase-order', { order: 'o-1', problem: 'purchase_order_number makes no UUID' });
  expect(decided({ purchaseOrder: none })).toMatchObject({ actions: [], holds: [none] });
});

test('a verdict that the ERP withdrew raises an alert, since the marketplace cannot withdraw it', () => {
  const withdrawn = cause('approval-withdrawn', { order: 'o-1', status: 'approved' });
  expect(decided({ told: APPROVED, approval: null })).toMatchObject({ ...NOTHING, alerts: [withdrawn] });
});

test('a verdict write with a lost answer is settled first, whether or not it is still wanted', () => {
  expect(decided({ tellInDoubt: true }).actions).toMatchObject([{ verdict: APPROVED }]);
  expect(decided({ tellInDoubt: true, approval: null }).actions).toMatchObject([{ verdict: null }]);
});

test('no verdict is reported where the flow is off', () => {
  expect(decideApproval(null)).toMatchObject(NOTHING);
});
