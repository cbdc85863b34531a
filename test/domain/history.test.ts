import { describe, expect, test } from 'vitest';
import { type FirstSight, orderStanding } from '../../src/domain/history.ts';

const DATE = '2026-11-01T00:00:00Z';
const [BEFORE, AFTER] = ['2026-10-31T23:59:59.999999Z', '2026-11-01T00:00:00.000001Z'];

const seen = (changes: Partial<FirstSight>): FirstSight => {
  return { firstModified: BEFORE, firstStatus: 'Complete', history: null, ...changes };
};
const standing = (changes: Partial<FirstSight>, by: 'setting' | 'first-start' = 'setting', at = DATE) =>
  orderStanding(seen(changes), { at, by });

describe('an order from before the date', () => {
  test.each(['Fulfilled', 'Shipped', 'Complete', 'Rejected', 'Canceled'])(
    '%s at first sight: history',
    (firstStatus) => {
      expect(standing({ firstStatus })).toBe('history');
    },
  );

  test.each(['Submitted', 'Accepted', 'Backorder', 'Combined'])(
    '%s at first sight: a person decides',
    (firstStatus) => {
      expect(standing({ firstStatus })).toBe('waits');
      expect(standing({ firstStatus, history: 'leave' })).toBe('history');
      expect(standing({ firstStatus, history: 'enter' })).toBe('work');
    },
  );

  test('that was seen before first sights were kept: history, without a question', () => {
    expect(standing({ firstStatus: null })).toBe('history');
  });
});

describe('work is', () => {
  test('an order from after the date, whatever its status at first sight', () => {
    for (const firstStatus of ['Submitted', 'Complete', 'Rejected'])
      expect(standing({ firstModified: AFTER, firstStatus })).toBe('work');
  });

  test('an order of the very instant that is set, and no order that was there at the first start', () => {
    expect(standing({ firstModified: DATE })).toBe('work');
    expect(standing({ firstModified: DATE }, 'first-start')).toBe('history');
    expect(standing({ firstModified: AFTER }, 'first-start')).toBe('work');
  });

  test('an order that does not tell its time', () => expect(standing({ firstModified: null })).toBe('work'));

  test('every order while there is no date', () => expect(orderStanding(seen({}), null)).toBe('work'));
});
