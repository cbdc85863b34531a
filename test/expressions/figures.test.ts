import { expect, test } from 'vitest';
import { compileExpression } from '../../src/expressions/expression.ts';

const ROW = { price: '12.505', packs: 3, none: null, at: '2026-07-01 08:30:00' };
const make = (text: string) => compileExpression(text).evaluate(ROW);

test.each<[string, unknown]>([
  ['$plus("0.1", "0.2")', '0.3'],
  ['$minus(price, packs)', '9.505'],
  ['$times(price, "1000000000000000000000")', '12505000000000000000000'],
  ['$divide("1", "3", 4)', '0.3333'],
  ['$rounded(price, 2)', '12.51'],
  ['$total([1, "2.5", packs])', '6.5'],
  ['$total([])', '0'],
  ['$compare("10", "9.99")', 1],
  ['$plus(missing, 1)', undefined],
  ['$plus(none, 1)', undefined],
  ['$total(missing)', undefined],
])('figures are computed exactly: %s', async (text, value) => {
  expect(await make(text)).toEqual(value);
});

test.each([
  ['$plus("a", 1)', /"a" is no decimal/],
  ['$plus(0.5, 1)', /0.5 is no decimal/],
  ['$divide(1, 0, 2)', /division by zero/],
  ['$divide(1, 3)', /number of places/],
])('the figure %s fails', async (text, message) => {
  await expect(make(text)).rejects.toThrow(message);
});

test.each<[string, unknown]>([
  ['$instant(at, "Europe/Berlin")', '2026-07-01T06:30:00Z'],
  ['$instant(at)', '2026-07-01T08:30:00Z'],
  ['$instant("2026-01-31")', '2026-01-31T00:00:00Z'],
  ['$instant("2026-01-31T08:30:00.123456+01:00")', '2026-01-31T07:30:00.123456Z'],
  ['$instant("2026-01-31 08:30:00+0100")', '2026-01-31T07:30:00Z'],
  ['$instant(1767225600)', '2026-01-01T00:00:00Z'],
  ['$instant("1767225600123")', '2026-01-01T00:00:00.123Z'],
  ['$instant("31.01.2026 08:30:00", "Europe/Berlin", "dd.MM.yyyy HH:mm:ss")', '2026-01-31T07:30:00Z'],
  ['$instant("310126", "UTC", "ddMMyy")', '2026-01-31T00:00:00Z'],
  ['$local("2026-07-01T06:30:05Z", "Europe/Berlin", "dd.MM.yyyy HH:mm")', '01.07.2026 08:30'],
  ['$instant(none)', undefined],
  ['$instant(missing)', undefined],
  ['$local("2026-07-01T06:30:00Z", "Europe/Berlin")', '2026-07-01T08:30:00'],
])('a time is read in its zone: %s', async (text, value) => {
  expect(await make(text)).toEqual(value);
});

test.each([
  ['$instant("soon")', /"soon" is no time/],
  ['$instant("31.02.2026", "UTC", "dd.MM.yyyy")', /"31.02.2026" is no time/],
  ['$instant(at, "Mars")', /is no time in the zone Mars/],
])('the time %s fails', async (text, message) => {
  await expect(make(text)).rejects.toThrow(message);
});

test('names in an expression stand for values that are given with the input', async () => {
  const expression = compileExpression('price & " " & $settings.currency & $missing', ['settings', 'missing']);
  expect(await expression.evaluate(ROW, { settings: { currency: 'USD' } })).toBe('12.505 USD');
  expect(() => compileExpression('$settings')).toThrow('there is no $settings');
});
