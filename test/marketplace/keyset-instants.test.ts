import { expect, test } from 'vitest';
import { laterOf, overlapStart } from '../../src/marketplace/keyset-instants.ts';

const CURSOR = '2030-01-01T12:00:00.123456Z';
const TWO_MINUTES = 120_000;

test('a read without a cursor begins at the beginning', () => {
  expect(overlapStart(null, TWO_MINUTES, CURSOR)).toBeNull();
});

test('a read begins before the cursor by the overlap, to the microsecond', () => {
  expect(overlapStart(CURSOR, TWO_MINUTES, null)).toBe('2030-01-01T11:58:00.123456Z');
  expect(overlapStart('2030-01-01T14:00:00.1+02:00', TWO_MINUTES, null)).toBe('2030-01-01T11:58:00.100000Z');
});

test('the start of a read has no zone for a server that names none', () => {
  expect(overlapStart('2030-01-01T12:00:00', TWO_MINUTES, null)).toBe('2030-01-01T11:58:00.000000');
});

test('the overlap is cut to less than a page of known rows', () => {
  expect(overlapStart(CURSOR, TWO_MINUTES, '2030-01-01T11:59:30.5Z')).toBe('2030-01-01T11:59:30.5Z');
  expect(overlapStart(CURSOR, TWO_MINUTES, '2030-01-01T11:00:00Z')).toBe('2030-01-01T11:58:00.123456Z');
});

test('a read of changes never begins after its cursor', () => {
  expect(overlapStart(CURSOR, TWO_MINUTES, '2030-01-01T12:00:01Z')).toBe(CURSOR);
});

test('the later of two instants keeps its text, and null is before all', () => {
  expect(laterOf('2030-01-01T12:00:00Z', '2030-01-01T12:30:00+01:00')).toBe('2030-01-01T12:00:00Z');
  expect(laterOf('2030-01-01T12:00:00Z', '2030-01-01T12:00:00.000001Z')).toBe('2030-01-01T12:00:00.000001Z');
  expect(laterOf(null, CURSOR)).toBe(CURSOR);
  expect(laterOf(CURSOR, null)).toBe(CURSOR);
  expect(laterOf(null, null)).toBeNull();
});
