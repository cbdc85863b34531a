import { describe, expect, test } from 'vitest';
import { differingFields, echoesOf, shortText, showFields } from '../../../src/flows/engine/fields.ts';
import { parseJson, rawNumber } from '../../../src/http/json.ts';

const shown = (text: string) => parseJson(text) as Record<string, unknown>;
const differs = (wanted: unknown, listing: string) =>
  differingFields({ field: wanted }, shown(`{"field":${listing}}`), {}).length > 0;

test.each<[unknown, string]>([
  ['Kush', '"Kush"'],
  [rawNumber('12.50'), '12.5'],
  [rawNumber('12.50'), '"12.5000"'],
  [12, '12.0000'],
  ['3.5', '3.50'],
  [true, 'true'],
  [null, 'null'],
  [{ amount: rawNumber('12.50'), currency: 'USD' }, '{"amount":12.5,"currency":"USD","formatted":"$12.50"}'],
  [{ stockbridge: 'P-1' }, '{"stockbridge":"P-1","other":"x"}'],
  [['a', 'b'], '["a","b"]'],
  [[{ id: 1 }], '[{"id":1,"name":"x"}]'],
  // A reference by id, in different forms.
  [12, '{"id":12,"name":"Flower"}'],
  [{ id: 12 }, '12'],
])('the field values %j and %s are equal', (wanted, listing) => expect(differs(wanted, listing)).toBe(false));

test.each<[unknown, string]>([
  ['Kush', '"kush"'],
  // Both values are texts, although they look like numbers.
  ['0010', '"10"'],
  ['1.10', '"1.1"'],
  [rawNumber('12.50'), '12.51'],
  [rawNumber('0.1'), '0.10000000000000001'],
  [{ amount: rawNumber('12.50'), currency: 'USD' }, '{"amount":12.5,"currency":"EUR"}'],
  [{ amount: rawNumber('12.50'), currency: 'USD' }, '12.5'],
  [{ stockbridge: 'P-1' }, '{"other":"P-1"}'],
  [['a', 'b'], '["b","a"]'],
  [['a'], '["a","b"]'],
  [['a'], '"a"'],
  ['', 'null'],
  [false, 'null'],
  [0, 'null'],
  [12, '{"id":13,"name":"Flower"}'],
  [12, '{"name":"Flower"}'],
  [{ id: 12 }, '13'],
  [{ id: 12, name: 'Flower' }, '12'],
])('the field values %j and %s differ', (wanted, listing) => expect(differs(wanted, listing)).toBe(true));

test('a missing field differs, and a field that is not wanted does not', () => {
  expect(differingFields({ name: 'Kush' }, {}, {})).toEqual(['name']);
  expect(differingFields({}, { name: 'Kush' }, {})).toEqual([]);
});

describe('a marketplace that stores another value than was written', () => {
  const wanted = { name: 'Kush  1g', tags: ['b', 'a'], note: null };
  const listing = { name: 'Kush 1g', tags: ['a', 'b'] };
  const echoes = echoesOf(wanted, listing, {});

  test('a value that the marketplace stores in another form is not written again and again', () => {
    expect(differingFields(wanted, listing, {})).toEqual(['name', 'tags', 'note']);
    expect(differingFields(wanted, listing, echoes)).toEqual([]);
  });

  test('a value that the marketplace changed is written again when the wanted or the stored value changes', () => {
    expect(differingFields({ ...wanted, name: 'Kush 2g' }, listing, echoes)).toEqual(['name']);
    expect(differingFields(wanted, { ...listing, name: 'Haze' }, echoes)).toEqual(['name']);
  });

  test('a new echo keeps those of other fields and replaces that of the same field', () => {
    const later = echoesOf({ name: 'A' }, { name: 'a' }, echoes);
    expect(differingFields({ ...wanted, name: 'A' }, { ...listing, name: 'a' }, later)).toEqual([]);
    expect(differingFields(wanted, listing, later)).toEqual(['name']);
  });
});

test('fields are displayed by name, decimals with their digits, and missing ones as missing', () => {
  const fields = { wholesale_price: { amount: rawNumber('12.50'), currency: 'USD' }, name: 'Kush' };
  expect(showFields(['name', 'wholesale_price', 'sku'], fields)).toBe(
    'name "Kush", wholesale_price {"amount":12.50,"currency":"USD"}, sku not shown',
  );
});

test('a value is displayed in full up to sixty characters, and truncated with its length after that', () => {
  expect(shortText('x'.repeat(58))).toBe(`"${'x'.repeat(58)}"`);
  expect(shortText('x'.repeat(59))).toBe(`"${'x'.repeat(59)}... (59 characters)`);
  expect(shortText({ amount: 12, currency: 'USD' })).toBe('12');
});
