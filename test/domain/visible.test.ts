import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible } from '../../src/domain/visible.ts';

test.each([
  ['a line feed', 'a\nheld', String.raw`a\nheld`],
  ['ESC and CSI', '\u001b[2J\u009b31m', String.raw`\u001b[2J\u009b31m`],
  ['what turns the order round', 'a\u202eb\u2066', String.raw`a\u202eb\u2066`],
  ['ends of lines', '\u2028\u2029\u0085', String.raw`\u2028\u2029\u0085`],
  ['tag characters', 'a\u{e0041}', String.raw`a\udb40\udc41`],
  ['what is invisible', '\u200b\u00ad\u3164\u{e0100}\ufeff', String.raw`\u200b\u00ad\u3164\udb40\udd00\ufeff`],
  ['a mark that stands on what is before it', ': \u0301', String.raw`: \u0301`],
  ['marks that pile up', `a${'\u0301'.repeat(6)}`, `a${'\u0301'.repeat(4)}${String.raw`\u0301`.repeat(2)}`],
  ['a lone surrogate', '\ud800a', String.raw`\ud800a`],
  ['a joiner between letters', 'S\u200dB', String.raw`S\u200dB`],
])('the hidden character %s is displayed and has no effect', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each([
  'Zoë',
  'Zoe\u0308',
  'ทั้งหมด',
  'Tiệm',
  'हिन्दी',
  'שָׁלוֹם',
  '📦 👩🏽‍🌾 1️⃣ ❤️ 🇩🇪',
  'a b—c',
  '日本語',
  'C:\\new',
  'a\tb',
])('the character %s stays', (text) => {
  expect(visible(text)).toBe(text);
});

test('no hidden character is left of any text, a second pass changes nothing, and JSON is equal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = visible(text);
      expect(shown).not.toMatch(/(?!\t)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(visible(shown)).toBe(shown);
      const json = JSON.stringify([text]);
      expect(JSON.parse(visible(json))).toEqual([text]);
    }),
    { numRuns: 1_000 },
  );
});
