import { expect, test } from 'vitest';
import { Decimal } from '../../src/domain/decimal.ts';
import { storedDecimals } from '../../src/domain/rounded.ts';

test.each<[string, [sent: string, shown: string][], number | null]>([
  ['a fraction was rounded down', [['2.4', '2']], 0],
  ['a fraction was cut off', [['2.9', '2']], 0],
  ['a fraction was rounded up', [['2.9', '3']], 0],
  ['a price lost its second decimal', [['14.63', '14.6']], 1],
  [
    'two prices lost their third decimal',
    [
      ['1.234', '1.23'],
      ['4.567', '4.57'],
    ],
    2,
  ],
  [
    'one of two was rounded',
    [
      ['14.63', '14.6'],
      ['3', '3'],
    ],
    1,
  ],
  ['a whole number was changed', [['3', '2']], null],
  ['a fraction was changed by more', [['2.4', '1']], null],
  [
    'another figure keeps what this one lost',
    [
      ['14.63', '14.6'],
      ['3.21', '3.21'],
    ],
    null,
  ],
  [
    'one was rounded, and another changed',
    [
      ['2.4', '2'],
      ['7', '5'],
    ],
    null,
  ],
  ['nothing differs', [['2.4', '2.4']], null],
  ['there is no figure', [], null],
])('the decimals that the marketplace keeps when %s', (_, pairs, kept) => {
  const figures = pairs.map(([sent, shown]) => ({ sent: new Decimal(sent), shown: new Decimal(shown) }));
  expect(storedDecimals(figures)).toBe(kept);
});
