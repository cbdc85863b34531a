import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvError, csvLine, parseCsv } from '../../../src/use/mapping/csv.ts';

test('cells, quotes, and the line a record begins in', () => {
  expect(parseCsv('a,b\n1,"x, ""y"""\r\n\n"two\nlines",\n')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1', 'x, "y"'] },
    { line: 4, cells: ['two\nlines', ''] },
  ]);
});

test.each([
  ['', []],
  ['\uFEFFa', [['a']]],
  ['a\rb', [['a'], ['b']]],
  ['a,', [['a', '']]],
  [',', [['', '']]],
  ['a\n\n\n', [['a']]],
])('%j', (text, cells) => {
  expect(parseCsv(text).map((record) => record.cells)).toEqual(cells);
});

test.each([
  ['a\n"open', 2],
  ['a\nb"c', 2],
  ['"a\nb" c\n', 1],
])('%j is refused with its line', (text, line) => {
  expect(() => parseCsv(text)).toThrow(CsvError);
  expect(() => parseCsv(text)).toThrow(expect.objectContaining({ line }) as Error);
});

test('what is written is read again', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('', ' ', '"', '\n', '\r\n', ',', 'a"b', ' x '));
  const record = fc.array(cell, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), (records) => {
      const text = records.map((cells) => `${csvLine(cells)}\n`).join('');
      expect(parseCsv(text).map(({ cells }) => cells)).toEqual(records);
    }),
  );
});
