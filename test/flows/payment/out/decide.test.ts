import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/domain/decimal.ts';
import type { ErpPayment } from '../../../../src/erp/connector.ts';
import { decidePaymentOut, type PaymentOutSnapshot } from '../../../../src/flows/payment/out/decide.ts';

const PAID = '2030-01-31T12:00:00Z';
const facts = (changes: { amount?: string } = {}) => ({
  orderNumber: 'o-1',
  amount: new Decimal(changes.amount ?? '50.00'),
  type: 'cash' as const,
  paidAt: PAID,
});
const shown = (total = '50.00') => ({
  id: '7',
  orderNumber: 'o-1',
  total: new Decimal(total),
  currency: 'USD',
  type: 'cash',
  paidAt: PAID,
  createdAt: PAID,
});

interface Changes extends Partial<Omit<PaymentOutSnapshot, 'payment' | 'rules'>> {
  readonly payment?: Partial<ErpPayment> | null;
  readonly rules?: Partial<PaymentOutSnapshot['rules']>;
}

function decide({ payment, rules, ...changes }: Changes = {}) {
  const whole: ErpPayment = {
    id: 'PAY-1',
    reference: 'o-1',
    amount: new Decimal('50.00'),
    currency: 'USD',
    method: 'cash',
    receivedAt: PAID,
    marketplaceId: null,
    voided: false,
    changedAt: PAID,
    ...payment,
  };
  return decidePaymentOut({
    payment: payment === null ? null : whole,
    invalidErpRow: null,
    linked: null,
    createInDoubt: false,
    orderNumber: 'o-1',
    orderGone: false,
    named: null,
    former: [],
    left: [],
    type: 'cash',
    unlinked: [],
    unsettled: [],
    recordedHere: [],
    paymentsKnown: true,
    rules: { create: true, currency: 'USD', from: null, ...rules },
    ...changes,
  });
}

const IN_SYNC = { actions: [], holds: [], alerts: [], lookAgainMs: null };

test('a payment received in the ERP is recorded on its order', () => {
  expect(decide().actions).toEqual([
    {
      action: 'payment-out.create',
      target: 'marketplace payment for ERP payment PAY-1',
      before: null,
      after: '50.00 cash, order o-1',
      why: 'received in the ERP',
      payment: facts(),
    },
  ]);
});

test('no payment is recorded on the marketplace where the flow is off', () => {
  expect(decidePaymentOut(null)).toEqual(IN_SYNC);
});

test.each<[string, Changes]>([
  ['for one that is not there', { payment: null }],
  ['for one that is linked and agrees', { linked: { id: '7', shown: shown(), gone: null } }],
  ['for one whose other side was not read', { linked: { id: '7', shown: null, gone: null } }],
  ['for one that was voided before it was recorded', { payment: { voided: true } }],
  ['where none is recorded on the marketplace', { rules: { create: false } }],
  ['from before the beginning', { rules: { from: '2030-02-01T00:00:00Z' } }],
])('no payment is recorded on the marketplace: %s', (_, changes) => {
  expect(decide(changes)).toEqual(IN_SYNC);
});

test('a payment of exactly the start date is recorded', () => {
  expect(decide({ rules: { from: PAID } }).actions).toHaveLength(1);
});

describe('it is held', () => {
  const like = { what: 'ERP payment PAY-2', ...facts() };
  test.each<[string, Changes, string]>([
    ['in another currency', { payment: { currency: 'EUR' } }, 'payment-currency'],
    ['at zero', { payment: { amount: new Decimal(0) } }, 'payment-amount'],
    ['below zero', { payment: { amount: new Decimal('-1') } }, 'payment-amount'],
    ['with a third decimal', { payment: { amount: new Decimal('1.234') } }, 'payment-amount'],
    ['while its order is not known', { orderNumber: null }, 'payment-order-unknown'],
    ['when its order is gone', { orderGone: true }, 'payment-order-gone'],
    ['with a method nobody has named', { type: null, payment: { method: 'Scheck' } }, 'payment-method-unknown'],
    ['when its row cannot be read', { invalidErpRow: 'amount: expected' }, 'erp-payment-invalid'],
    ['before the marketplace was read', { paymentsKnown: false }, 'payments-unread'],
    ['while one like it is not settled', { unsettled: [like] }, 'payment-like-another'],
    ['while it may be an earlier one under another id', { former: ['PAY-0'] }, 'payment-like-earlier'],
    [
      'while it may be an earlier one, though one like it is there',
      { former: ['PAY-0'], unlinked: [{ id: '7', ...facts() }] },
      'payment-like-earlier',
    ],
  ])('a payment of the ERP is held: %s', (_, changes, reason) => {
    expect(decide(changes)).toMatchObject({ actions: [], holds: [{ code: reason }] });
  });

  test('a payment is held when several marketplace payments match it', () => {
    const unlinked = [
      { id: '7', ...facts() },
      { id: '8', ...facts() },
    ];
    expect(decide({ unlinked }).holds).toMatchObject([{ code: 'payment-several', params: { found: ['7', '8'] } }]);
    expect(decide({ unlinked }).awaitsLink).toBe(true);
  });
});

test('a payment that is being recorded does not stop a payment that does not match it', () => {
  expect(decide({ unsettled: [{ what: 'ERP payment PAY-2', ...facts({ amount: '49' }) }] }).actions).toHaveLength(1);
});

test('a payment of the ERP is linked to the only marketplace payment that matches', () => {
  const [action] = decide({
    unlinked: [
      { id: '7', ...facts() },
      { id: '8', ...facts({ amount: '20' }) },
    ],
  }).actions;
  expect(action).toMatchObject({ action: 'payment-out.link', marketplaceId: '7', how: 'equal' });
});

test('a payment is linked to the one that the ERP names, also where creating payments is off', () => {
  const [action] = decide({ payment: { marketplaceId: '9' }, named: 'there', rules: { create: false } }).actions;
  expect(action).toMatchObject({ action: 'payment-out.link', marketplaceId: '9', how: 'marketplace_id' });
});

describe('the payment of the marketplace that it names', () => {
  const named = (state: 'there' | 'gone' | 'left', more: Changes = {}) =>
    decide({ payment: { marketplaceId: '9' }, named: state, ...more });

  test('a payment that names a deleted marketplace payment is treated as if it named none', () => {
    expect(named('gone').actions).toMatchObject([{ action: 'payment-out.create', payment: facts() }]);
    expect(named('gone', { unlinked: [{ id: '7', ...facts() }] }).actions).toMatchObject([
      { action: 'payment-out.link', marketplaceId: '7', how: 'equal' },
    ]);
    expect(named('gone', { rules: { create: false } })).toEqual(IN_SYNC);
  });

  test('a marketplace payment whose ERP payment is gone is linked to the ERP payment that names it, without a person', () => {
    const [action] = named('left').actions;
    expect(action).toMatchObject({ action: 'payment-out.relink', marketplaceId: '9', how: 'marketplace_id' });
    expect(action).not.toHaveProperty('brake');
  });
});

describe('a payment that is like one whose payment of the ERP is gone', () => {
  const left = [{ id: '7', of: 'PAY-0', ...facts() }];

  test('a payment that matches one whose ERP payment is gone replaces it after a plan is approved, and is not recorded again', () => {
    expect(decide({ left }).actions).toMatchObject([
      { action: 'payment-out.relink', marketplaceId: '7', how: 'equal', brake: 'relink' },
    ]);
  });

  test('a payment is recorded anew if its amount differs from the one whose ERP payment is gone', () => {
    expect(decide({ left: [{ id: '7', of: 'PAY-0', ...facts({ amount: '49' }) }] }).actions).toMatchObject([
      { action: 'payment-out.create' },
    ]);
  });

  test('a payment waits for a person if it matches several whose ERP payments are gone', () => {
    const decision = decide({ left: [...left, { id: '8', of: 'PAY-9', ...facts() }] });
    expect(decision).toMatchObject({
      actions: [],
      holds: [{ code: 'payment-several', params: { found: ['7', '8'] } }],
    });
  });
});

test.each<[string, Changes]>([
  ['voided since', { payment: { voided: true } }],
  ['not wanted any more', { rules: { create: false } }],
  ['not to be recorded any more', { payment: { amount: new Decimal('-1') } }],
])('a payment create in doubt is settled and no new payment is recorded: %s', (_, changes) => {
  expect(decide({ ...changes, createInDoubt: true }).actions).toMatchObject([
    { action: 'payment-out.create', payment: null },
  ]);
});

test('a payment create in doubt that is still wanted is looked up, and recorded if it is missing', () => {
  expect(decide({ createInDoubt: true }).actions).toMatchObject([{ payment: facts() }]);
});

describe('a recorded payment that differs now is an alert', () => {
  const linked = { id: '7', shown: shown(), gone: null };
  test.each<[string, Changes, string]>([
    ['voided', { payment: { voided: true } }, 'payment-voided'],
    ['another amount', { payment: { amount: new Decimal('60.5') } }, 'payment-amount-differs'],
    ['another order', { orderNumber: 'o-2' }, 'payment-order-differs'],
  ])('a recorded payment that differs later raises an alert: %s', (_, changes, alert) => {
    const decision = decide({ linked, ...changes });
    expect(decision).toMatchObject({ actions: [], holds: [] });
    expect(decision.alerts).toMatchObject([{ code: alert, params: { there: '7' } }]);
  });
});
