import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantNs, isBefore, isOutdatedBy, minusMs } from '../../src/domain/instant.ts';

test.each([
  ['2022-10-31T08:30:00Z', '2022-10-31T08:30:00.000000Z'],
  ['2022-10-31T08:30:00Z', '2022-10-31T09:30:00+01:00'],
  ['2022-10-31T08:30:00Z', '2022-10-31T01:30:00-0700'],
  ['2022-10-31T08:30:00Z', '2022-10-31T08:30:00'],
  ['2022-10-31T08:30:00Z', '2022-10-31T08:30Z'],
])('the instants %s and %s are the same', (a, b) => {
  expect(instantNs(a)).toBe(instantNs(b));
  expect(instantNs(a)).not.toBeNull();
  expect([isBefore(a, b), isBefore(b, a)]).toEqual([false, false]);
});

test.each([
  ['2022-10-31T08:30:00.123456Z', '2022-10-31T08:30:00.123457Z'],
  ['2022-10-31T08:30:00.123456788Z', '2022-10-31T08:30:00.123456789Z'],
  ['2022-10-31T08:30:00.9Z', '2022-10-31T08:30:01Z'],
  // As texts, these two would have the opposite order.
  ['2022-10-31T08:30:00Z', '2022-10-31T08:30:00.1Z'],
  ['2022-10-31T23:59:00+14:00', '2022-10-31T10:00:00Z'],
])('the instant %s is before %s', (a, b) => {
  expect([isBefore(a, b), isBefore(b, a)]).toEqual([true, false]);
});

test.each(['', 'yesterday', '2022-10-31', '31.10.2022', '2022-13-01T00:00:00Z', '2022-10-31T25:00:00Z', '1667205000'])(
  '"%s" is no instant: it is before nothing and after nothing',
  (text) => {
    expect(instantNs(text)).toBeNull();
    expect([isBefore(text, '2022-10-31T08:30:00Z'), isBefore('2022-10-31T08:30:00Z', text)]).toEqual([false, false]);
  },
);

test.each([
  ['2022-10-31T08:30:00.123456Z', 2_000, '2022-10-31T08:29:58.123456Z'],
  ['2022-10-31T09:30:00+01:00', 1, '2022-10-31T08:29:59.999000Z'],
  ['1970-01-01T00:00:00.5Z', 1_000, '1969-12-31T23:59:59.500000Z'],
  ['yesterday', 1_000, 'yesterday'],
])('the instant %s less %i ms is %s', (text, ms, expected) => expect(minusMs(text, ms)).toBe(expected));

test('an overlap never ends after the requested instant', () => {
  const date = fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(date, fc.nat(999_999), fc.nat(1_000_000_000), (at, nanos, ms) => {
      const text = at.toISOString().replace('Z', `${String(nanos).padStart(6, '0')}Z`);
      const exact = (instantNs(text) ?? 0n) - BigInt(ms) * 1_000_000n;
      const back = instantNs(minusMs(text, ms)) ?? 0n;
      expect(back <= exact && exact - back < 1_000n).toBe(true);
    }),
  );
});

test.each([
  ['2030-01-01T12:00:00Z', true],
  ['2030-01-01T12:09:59.999Z', true],
  ['2030-01-01T12:10:00Z', false],
  ['2030-01-01T12:11:00Z', false],
  // The clock was set back. Otherwise nothing would be believed for an hour.
  ['2030-01-01T11:00:00Z', false],
  ['2030-01-01T11:59:59Z', false],
  ['yesterday', false],
])('an answer of %s, after one of 12:10, was overtaken: %s', (text, expected) => {
  expect(isOutdatedBy(text, '2030-01-01T12:10:00Z')).toBe(expected);
});

test('any two instants are in the order of their nanoseconds', () => {
  const two = (least: number, most: number) =>
    fc.integer({ min: least, max: most }).map((value) => String(value).padStart(2, '0'));
  const fraction = fc.constantFrom('', '.5', '.500', '.499999', '.500001', '.1234567899', '.1234567891');
  const zone = fc.constantFrom('Z', '', '+01:00');
  const instant = fc
    .tuple(two(0, 13), two(0, 32), two(0, 24), two(59, 60), fraction, zone)
    .map(([month, day, hour, second, part, from]) => `2024-${month}-${day}T${hour}:00:${second}${part}${from}`);
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      const [first, second] = [instantNs(a), instantNs(b)];
      expect(isBefore(a, b)).toBe(first !== null && second !== null && first < second);
    }),
    { numRuns: 5_000 },
  );
});
