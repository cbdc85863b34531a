import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globRegex } from '../../../src/erp/files/glob.ts';

it('a file name matches a pattern if its letters can stand for the stars and question marks', () => {
  const fits = (glob: string, name: string): boolean => {
    const [first, rest] = [glob.charAt(0), glob.slice(1)];
    if (first === '') return name === '';
    if (first === '*') return fits(rest, name) || (name !== '' && fits(glob, name.slice(1)));
    return name !== '' && (first === '?' || first === name[0]) && fits(rest, name.slice(1));
  };
  const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters.split('')), maxLength: 9 });
  fc.assert(
    fc.property(text('ab.1*?'), text('ab.1'), (glob, name) => {
      expect(globRegex(glob).test(name)).toBe(fits(glob, name));
    }),
  );
});

it('a hostile file name is matched against a pattern at once, however long it is', () => {
  // The processor time is measured, since a busy machine makes everything late.
  const before = process.cpuUsage();
  expect(globRegex('*_*_*_*_*.csv').test('_'.repeat(20_000))).toBe(false);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
