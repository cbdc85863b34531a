import { describe, expect, test } from 'vitest';
import { createNewIds, isShownAs } from '../../../src/use/rehearsal/new-ids.ts';

describe('a text that a plan shows', () => {
  const cases: [planned: string | null, actual: string | null, isSame: boolean][] = [
    ['listing 7', 'listing 7', true],
    ['listing 7', 'listing 71', false],
    ['listing (new)', 'listing 7', true],
    ['listing (new)', 'listing ', false],
    ['listing (new) of line (new)', 'listing 7 of line 8', true],
    ['listing (new) of line (new)', 'listing 7 of line ', false],
    ['(new) + (new).', '1 + 2.', true],
    ['price 1.50', 'price 1x50', false],
    ['(new)', 'two\nlines', true],
    // A "(new)" that a side itself shows stands for itself, and for nothing else.
    [String.raw`name \(new)`, 'name (new)', true],
    [String.raw`name \(new)`, 'name of another', false],
    [String.raw`\(new) is (new)`, '(new) is 7', true],
    // An id is never as long as a whole text.
    ['(new)', 'x'.repeat(201), false],
    // A plan that was written by hand must not take long to compare.
    ['(new)'.repeat(40) + '!', 'x'.repeat(5_000), false],
    ['(new)a'.repeat(3_000), 'a'.repeat(100_000), false],
    [null, null, true],
    [null, '', false],
    ['', null, false],
  ];
  test.each(cases)('in the text of a plan %j is %j: %j', (planned, actual, isSame) => {
    expect(isShownAs(planned, actual)).toBe(isSame);
  });

  test('the text of a plan has (new) for each made-up id, and for no other number', () => {
    const ids = createNewIds();
    const [number, text] = [ids.number(), ids.text()];
    expect(ids.shown(`listing ${number} of ${text}, barcode 4006381333931000`)).toBe(
      'listing (new) of (new), barcode 4006381333931000',
    );
    expect(ids.shown('made (new)')).toBe(String.raw`made \(new)`);
    expect(ids.shown(null)).toBeNull();
  });
});
