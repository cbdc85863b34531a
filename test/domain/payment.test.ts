import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/domain/decimal.ts';
import { alike, type PaymentFacts, paymentAmountProblem } from '../../src/domain/payment.ts';

const PAID = '2030-01-31T12:00:00Z';

function payment(changes: Partial<Omit<PaymentFacts, 'amount'>> & { amount?: string; id?: string } = {}) {
  const { amount = '50.00', ...facts } = changes;
  return { id: 'M', orderNumber: 'o-1', type: 'cash', paidAt: PAID, ...facts, amount: new Decimal(amount) };
}

describe('payments are alike', () => {
  const alikeTo = (other: Parameters<typeof payment>[0]) => alike(payment(), [payment(other)]).length === 1;

  test.each([
    ['in everything', {}],
    ['with the amount spelled otherwise', { amount: '50' }],
    ['with the day only', { paidAt: '2030-01-31T00:00:00Z' }],
    ['with the day of another time zone', { paidAt: '2030-01-31T23:00:00-08:00' }],
    ['without a date', { paidAt: null }],
    ['where the type cannot be told', { type: null }],
  ])('payments are equal: %s', (_, other) => {
    expect(alikeTo(other)).toBe(true);
  });

  test.each([
    ['of another order', { orderNumber: 'o-2' }],
    ['of another amount', { amount: '50.01' }],
    ['of another type', { type: 'check' }],
    ['of another day', { paidAt: '2030-02-01T12:00:01Z' }],
  ])('payments are not equal with %s', (_, other) => {
    expect(alikeTo(other)).toBe(false);
  });

  test('among several equal payments, those of the exact instant match, however it is written', () => {
    const among = [payment({ id: 'A', paidAt: null }), payment({ id: 'B', paidAt: '2030-01-31T13:00:00.5+01:00' })];
    expect(alike(payment(), among).map(({ id }) => id)).toEqual(['B']);
    expect(alike(payment({ paidAt: '2030-01-31T12:30:00Z' }), among).map(({ id }) => id)).toEqual(['A', 'B']);
  });
});

test.each([
  ['50.00', null],
  ['0.01', null],
  ['99999999.99', null],
  ['0', 'its amount 0.00 USD is not above zero'],
  ['-3.5', 'its amount -3.50 USD is not above zero'],
  ['1.005', 'its amount 1.005 USD has more than two decimals'],
  ['100000000', 'its amount 100,000,000.00 USD has more than eight digits'],
])('a payment amount of %s: %s', (text, problem) => {
  expect(paymentAmountProblem(new Decimal(text), 'USD')).toBe(problem);
});
