import { expect, test } from 'vitest';
import { type FirstSeen, orderStanding } from '../../src/domain/history.ts';

const DATE = '2026-11-01T00:00:00Z';
const [BEFORE, AFTER] = ['2026-10-31T23:59:59.999999Z', '2026-11-01T00:00:00.000001Z'];

const seen = (changes: Partial<FirstSeen>): FirstSeen => {
  return { firstModified: BEFORE, firstStatus: 'Complete', history: null, ...changes };
};
const standing = (changes: Partial<FirstSeen>, by: 'setting' | 'first-start' = 'setting', at = DATE) =>
  orderStanding(seen(changes), { at, by });

test.each(['Fulfilled', 'Shipped', 'Complete', 'Rejected', 'Canceled'])(
  'an order from before the start date that is %s at first sight is history',
  (firstStatus) => {
    expect(standing({ firstStatus })).toBe('history');
  },
);

test.each(['Submitted', 'Accepted', 'Backorder', 'Combined'])(
  'an order from before the start date that is %s at first sight waits for a person',
  (firstStatus) => {
    expect(standing({ firstStatus })).toBe('waits');
    expect(standing({ firstStatus, history: 'leave' })).toBe('history');
    expect(standing({ firstStatus, history: 'enter' })).toBe('work');
  },
);

test('an order from before the start date whose first sight was not stored is history, without a question', () => {
  expect(standing({ firstStatus: null })).toBe('history');
});

test('an order from after the start date is work, whatever its status at first sight', () => {
  for (const firstStatus of ['Submitted', 'Complete', 'Rejected'])
    expect(standing({ firstModified: AFTER, firstStatus })).toBe('work');
});

test('an order of the exact start date is work, and no order that existed at the first start', () => {
  expect(standing({ firstModified: DATE })).toBe('work');
  expect(standing({ firstModified: DATE }, 'first-start')).toBe('history');
  expect(standing({ firstModified: AFTER }, 'first-start')).toBe('work');
});

test('an order without a time is processed and does not count as history', () =>
  expect(standing({ firstModified: null })).toBe('work'));

test('every order is work while there is no start date', () => expect(orderStanding(seen({}), null)).toBe('work'));
