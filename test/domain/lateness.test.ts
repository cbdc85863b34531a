import { expect, test } from 'vitest';
import { lateness } from '../../src/domain/lateness.ts';

const seen = (status: string, ...lines: number[]) => ({ status, lineIds: new Set(lines) });

test.each(['Submitted', 'Accepted', 'Backorder'])('a line that appears while the order is %s is in time', (status) => {
  expect(lateness(seen('Submitted', 1), status, 2)).toBe('in-time');
  expect(lateness(null, status, 1)).toBe('in-time');
});

test.each(['Fulfilled', 'Shipped', 'Complete'])('a line that is new on an order known as %s is late', (status) => {
  expect(lateness(seen(status, 1), status, 2)).toBe('late');
  expect(lateness(seen(status), 'Complete', 2)).toBe('late');
});

test('a line that existed before stays in time, whatever the status of the order', () => {
  for (const status of ['Accepted', 'Fulfilled', 'Complete', 'Rejected', 'Combined']) {
    expect(lateness(seen('Accepted', 1), status, 1)).toBe('in-time');
    expect(lateness(seen('Fulfilled', 1), status, 1)).toBe('in-time');
  }
});

test('a line and a step past Accepted that are seen at once leave the lateness of the line unknown', () => {
  expect(lateness(seen('Accepted', 1), 'Fulfilled', 2)).toBe('ambiguous');
  expect(lateness(seen('Submitted', 1), 'Complete', 2)).toBe('ambiguous');
  expect(lateness(null, 'Fulfilled', 1)).toBe('ambiguous');
});
