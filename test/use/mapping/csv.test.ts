import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvError, csvLine, parseCsv } from '../../../src/use/mapping/csv.ts';

test('CSV has cells, quotes, and the line a record begins in', () => {
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
])('the CSV %j is read', (text, cells) => {
  expect(parseCsv(text).map((record) => record.cells)).toEqual(cells);
});

test.each([
  ['a\n"open', 2],
  ['a\nb"c', 2],
  ['"a\nb" c\n', 1],
])('the CSV %j is refused with its line', (text, line) => {
  expect(() => parseCsv(text)).toThrow(CsvError);
  expect(() => parseCsv(text)).toThrow(expect.objectContaining({ line }) as Error);
});

test('a written CSV cell is read again, and has nothing that a terminal executes or a spreadsheet computes', () => {
  const odd = [
    '',
    ' ',
    '"',
    '\n',
    '\r\n',
    ',',
    'a"b',
    ' x ',
    '=1',
    "'=1",
    "''-1",
    '\\u001b',
    '\\\u001b',
    '\ud800',
    '\u202e',
  ];
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.array(fc.constantFrom(...odd)).map((of) => of.join('')),
  );
  const record = fc.array(cell, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), (records) => {
      const text = records.map((cells) => `${csvLine(cells)}\n`).join('');
      expect(parseCsv(text).map(({ cells }) => cells)).toEqual(records);
      expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]|\p{DI}/u);
      for (const one of records.flat()) expect(csvLine([one])).not.toMatch(/^"?[\t=+\-@]/);
    }),
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['-5', "'-5"],
  ["'@x", "''@x"],
  ['\u001b[2J', String.raw`\u001b[2J`],
  ['a\nheld', String.raw`a\u000aheld`],
  [String.raw`\u001b`, String.raw`\u005cu001b`],
  ["it's 5-4", "it's 5-4"],
])('the CSV cell %j is written as %s', (cell, written) => {
  expect(csvLine([cell])).toBe(written);
});

test('a quoted CSV cell of 40 MB is read', () => {
  const cell = 'a""\n'.repeat(10_000_000);
  expect(parseCsv(`"${cell}",b`)[0]?.cells[1]).toBe('b');
  expect(() => parseCsv(`b\n"${cell}`)).toThrow(expect.objectContaining({ line: 2 }) as Error);
});
