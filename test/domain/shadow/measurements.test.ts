import { expect, test } from 'vitest';
import {
  isOlderAnswer,
  type Measurement,
  measuredBy,
  withMeasurements,
} from '../../../src/domain/shadow/measurements.ts';
import { d } from '../../store/shelf.ts';

const at = (facilityId: number, available: string): Measurement => ({
  listingId: 70,
  facilityId,
  batchId: 1,
  onHand: d('9'),
  reserved: d('0.5'),
  available: d(available),
});
const asked = { tick: 2, askedAtMs: 20 };
const read = (before: Parameters<typeof withMeasurements>[0], found: readonly Measurement[], how = {}) =>
  withMeasurements(before, { listingId: 70, found, asked }, { mended: false, erpId: 'P-1', ...how });

test('measurements are read back with exact digits, by facility, in any order', () => {
  const { row } = read(undefined, [at(2, '8.5'), at(1, '99999999.9999')]);
  expect(row).toEqual(read(undefined, [at(1, '99999999.9999'), at(2, '8.5')]).row);
  const measured = measuredBy(row, null);
  expect([...(measured?.byPlace.values() ?? [])]).toEqual([at(1, '99999999.9999'), at(2, '8.5')]);
});

test('a batch with changed measurements, or a row that is valid again, marks the linked product', () => {
  const { row, due } = read(undefined, [at(1, '8.5')]);
  expect(due).toMatchObject([{ flow: 'facility-stock', key: 'P-1' }]);
  expect(read(row, [at(1, '8.5')]).due).toEqual([]);
  expect(read(row, []).due).toHaveLength(1);
  expect(read(undefined, []).due).toEqual([]);
  expect(read(row, [at(1, '8.5')], { mended: true }).due).toHaveLength(1);
  expect(read(row, [], { erpId: null }).due).toEqual([]);
});

test('measurements are unknown before they were requested; after all were requested, a listing without any has none', () => {
  expect(measuredBy(undefined, null)).toBeNull();
  expect(measuredBy(undefined, asked)).toEqual({ byPlace: new Map(), ...asked });
  const { row } = read(undefined, []);
  expect(measuredBy(row, { tick: 9, askedAtMs: 90 })).toMatchObject({ tick: 9, askedAtMs: 90 });
});

test('measurements of an earlier request change nothing', () => {
  expect(isOlderAnswer({ tick: 3, askedAtMs: 30 }, asked)).toBe(true);
  for (const before of [undefined, asked]) expect(isOlderAnswer(before, asked)).toBe(false);
});
