import { expect, test } from 'vitest';
import { NO_BREAK, painted, shownLine } from '../../src/cli/paint.ts';
import { entry, paragraph, table, wrap } from '../../src/cli/table.ts';

test('table columns are aligned, to the right on request, whatever their colour', () => {
  const rows = [
    ['order', '3', 'x'],
    [painted('red', 'stock'), '120', ''],
    ['\u001b', '7', ''],
  ];
  const lines = ['order     3  x', '\u001b[31mstock\u001b[39m   120', String.raw`\u001b    7`];
  expect(table(rows, [1]).map((line) => shownLine(line, true))).toEqual(lines);
  expect(table([])).toEqual([]);
});

test('a sentence that ends with foreign text has one full stop', () => {
  const next = 'Mend it there.';
  expect(paragraph({ text: 'the ERP says: not today.', next })).toBe('the ERP says: not today. Mend it there.');
  expect(paragraph({ text: 'it waits', next }, 'your turn')).toBe('it waits (your turn). Mend it there.');
});

test('text is wrapped between words, but not at a no-break space', () => {
  expect(wrap('one two  three four', 12, '  ')).toEqual(['  one two', '  three four']);
  expect(wrap(`a b${NO_BREAK}c`, 4, '')).toEqual(['a', 'b c']);
  expect(wrap('a-word-that-is-longer-than-the-line b', 10, '  ')).toEqual([
    '  a-word-that-is-longer-than-the-line',
    '  b',
  ]);
  expect(wrap('', 10, '  ')).toEqual([]);
});

test('foreign text cannot end a line, and its wrapped lines are indented deeper than an entry', () => {
  const forged = 'no stock\n  order-in 17: held\u00a0for\u2003good';
  expect(entry(`order-in 4: ${forged}`, 22, '  ')).toEqual([
    '  order-in 4: no',
    String.raw`    stock\n order-in`,
    '    17: held for good',
  ]);
});
