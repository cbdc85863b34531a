import { expect, test } from 'vitest';
import { Decimal } from '../../../../src/domain/decimal.ts';
import type { MarketplacePayment } from '../../../../src/domain/payment.ts';
import { decidePaymentIn, type PaymentInSnapshot } from '../../../../src/flows/payment/in/decide.ts';

const PAID = '2030-01-31T12:00:00Z';
const facts = { orderNumber: 'o-1', amount: new Decimal('50.00'), type: 'wire', paidAt: PAID };

interface Changes extends Partial<Omit<PaymentInSnapshot, 'payment' | 'rules'>> {
  readonly payment?: Partial<MarketplacePayment> | null;
  readonly rules?: Partial<PaymentInSnapshot['rules']>;
}

function decide({ payment, rules, ...changes }: Changes = {}) {
  const whole: MarketplacePayment = {
    id: '7',
    orderNumber: 'o-1',
    total: new Decimal('50.00'),
    currency: 'USD',
    type: 'wire',
    paidAt: PAID,
    createdAt: PAID,
    ...payment,
  };
  return decidePaymentIn({
    payment: payment === null ? null : whole,
    invalidRow: null,
    linked: false,
    gone: null,
    createInDoubt: false,
    reference: 'o-1',
    former: new Map(),
    method: 'Bank transfer',
    unlinked: [],
    unsettled: [],
    recordedHere: [],
    paymentsKnown: true,
    rules: { create: true, currency: 'USD', from: null, ...rules },
    ...changes,
  });
}

test('a payment recorded on the marketplace is recorded in the ERP, for its order there', () => {
  expect(decide({ reference: 'SO-9' }).actions).toEqual([
    {
      action: 'payment-in.create',
      target: 'ERP payment for marketplace payment 7',
      before: null,
      after: '50.00 USD, Bank transfer, for SO-9',
      why: 'recorded on the marketplace',
      payment: {
        reference: 'SO-9',
        amount: facts.amount,
        currency: 'USD',
        method: 'Bank transfer',
        receivedAt: PAID,
      },
    },
  ]);
});

const IN_SYNC = { actions: [], holds: [], alerts: [], lookAgainMs: null };

test('no payment is recorded where the flow is off', () => {
  expect(decidePaymentIn(null)).toEqual(IN_SYNC);
});

test.each<[string, Changes]>([
  ['for one that is not there', { payment: null }],
  ['for one that is linked', { linked: true }],
  ['where none is recorded in the ERP', { rules: { create: false } }],
  ['from before the beginning', { rules: { from: '2030-02-01T00:00:00Z' } }],
])('no payment is recorded in the ERP %s', (_, changes) => {
  expect(decide(changes)).toEqual(IN_SYNC);
});

test.each<[string, Changes, string]>([
  ['in another currency', { payment: { currency: 'EUR' } }, 'payment-currency'],
  ['paid back', { payment: { total: new Decimal('-5') } }, 'payment-amount'],
  ['while its order is not in the ERP', { reference: null }, 'payment-order-unknown'],
  ['when its row cannot be read', { invalidRow: 'total: expected' }, 'payment-invalid'],
  ['before the ERP was read', { paymentsKnown: false }, 'payments-unread'],
  [
    'while it may be the one that is being recorded for the ERP',
    { unsettled: [{ what: 'ERP payment PAY-1', ...facts }], reference: null },
    'payment-like-another',
  ],
  [
    'while its like was recorded on the marketplace from here: that money may have been entered twice',
    { recordedHere: [{ id: '6', of: 'PAY-1', ...facts }] },
    'payment-entered-twice',
  ],
  [
    'while its like may be an earlier one under another id',
    { unlinked: [{ id: 'PAY-1', ...facts }], former: new Map([['PAY-1', ['PAY-0']]]) },
    'payment-like-earlier',
  ],
  [
    'when several in the ERP may be it',
    {
      unlinked: [
        { id: 'PAY-1', ...facts },
        { id: 'PAY-2', ...facts },
      ],
    },
    'payment-several',
  ],
])('a payment of the marketplace is held: %s', (_, changes, reason) => {
  expect(decide(changes)).toMatchObject({ actions: [], holds: [{ code: reason }] });
});

test('if several ERP payments match, an operator has to choose one', () => {
  const several = [
    { id: 'PAY-1', ...facts },
    { id: 'PAY-2', ...facts },
  ];
  expect(decide({ unlinked: several }).awaitsLink).toBe(true);
});

test('a payment without a currency is in the account’s currency', () => {
  expect(decide({ payment: { currency: null } }).actions).toHaveLength(1);
});

test('a payment is linked to the only ERP payment that matches', () => {
  expect(decide({ unlinked: [{ id: 'PAY-1', ...facts }] }).actions).toMatchObject([
    { action: 'payment-in.link', erpId: 'PAY-1' },
  ]);
});

test('a create in doubt is settled first, and no new payment is created when creating has been switched off since', () => {
  expect(decide({ createInDoubt: true }).actions).toMatchObject([{ payment: { reference: 'o-1' } }]);
  expect(decide({ createInDoubt: true, rules: { create: false } }).actions).toMatchObject([{ payment: null }]);
});
