import { expect, test } from 'vitest';
import { CsvError, csvLine, parseCsv } from '../../../src/use/mapping/csv.ts';
import { erpIdProblem, marketplaceIdProblem } from '../../../src/use/mapping/ids.ts';

/* Files that somebody may give a person to import. */

const MEGABYTE = 1024 * 1024;

test.each([
  ['a quote that is never closed', `a,b\n1,"${'x'.repeat(8 * MEGABYTE)}`],
  ['nothing but quotes', '"'.repeat(8 * MEGABYTE + 1)],
  ['a quote inside a cell', 'a,b\n1,x"y'],
  ['more cells than a line has', ','.repeat(8 * MEGABYTE)],
  ['more lines than are read', 'a\n'.repeat(500_002)],
])('a CSV with %s is refused with its line', (_, text) => {
  expect(() => parseCsv(text)).toThrow(CsvError);
});

test('a CSV cell may be long, and lines may be empty', () => {
  const long = 'x'.repeat(8 * MEGABYTE);
  expect(parseCsv(`a,b\n1,"${long}"\n`)[1]?.cells).toEqual(['1', long]);
  expect(parseCsv('\n'.repeat(MEGABYTE))).toEqual([]);
});

test.each(['=1+1', "'=1+1", '\u001b[2J', 'a\u0000b', '\ud800', String.raw`\ud800`, '\ufeff', 'two\nlines', '"', ' '])(
  'written CSV is read again: %j',
  (cell) => {
    expect(parseCsv(`${csvLine([cell, 'end'])}\n`)[0]?.cells).toEqual([cell, 'end']);
  },
);

test('half a character in a CSV is refused as a name', () => {
  expect(erpIdProblem('\ud800')).toMatch('half a character');
  expect(marketplaceIdProblem('order', 'A-\udfff')).toMatch('half a character');
  expect(erpIdProblem('\u{1f600}')).toBeNull();
});
