import { BOUNDS } from './bounds.ts';
import { type Book, bounded, keptPart } from './xlsx-book.ts';

/** How a cell shows its number. `digits`: the marks of a format that pads a whole number, such as 00000; null for any other. */
export interface NumberFormat {
  readonly isDate: boolean;
  readonly digits: readonly Mark[] | null;
}

/** A place of a digit, or a text that stands between the digits. */
type Mark = { readonly digit: true } | { readonly text: string };

/** The formats of the styles of cells, by their places. */
export async function numberFormats(book: Book): Promise<readonly NumberFormat[]> {
  const codes = new Map<number, string>();
  const styles: NumberFormat[] = [];
  let inCells = false;
  await keptPart(book, 'xl/styles.xml', {
    open(tag, at) {
      if (tag === 'numFmt') {
        const code = at['formatCode'] ?? '';
        bounded(codes.size, BOUNDS.styles, 'formats of numbers');
        bounded(code.length - 1, BOUNDS.format, 'characters in the format of a number');
        codes.set(Number(at['numFmtId']), code);
      }
      if (tag === 'cellXfs') inCells = true;
      if (tag !== 'xf' || !inCells) return;
      bounded(styles.length, BOUNDS.styles, 'styles of cells');
      const id = Number(at['numFmtId'] ?? 0);
      const code = codes.get(id) ?? '';
      styles.push({ isDate: isDateFormat(id, code), digits: digitsOf(code) });
    },
    close(tag) {
      if (tag === 'cellXfs') inCells = false;
    },
  });
  return styles;
}

/** The numbers of the built-in formats of Excel for dates and times. */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** Does a number of this format show a date or a time? */
function isDateFormat(id: number, written: string): boolean {
  if (BUILT_IN.has(id)) return true;
  // Texts in quotes and colours in brackets may have the same letters as a date.
  const code = written.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
  return /[ymdhs]/i.test(code) && !/[0#?]/.test(code.replace(/[.,]0+/g, ''));
}

/** A colour or a condition, a space as wide as a sign, a text in quotes, a sign behind "\", a place of a digit, a sign. */
const PART = /\[[^\]]*\]|_.|"([^"]*)"|\\(.)|(0)|([-/ ():])|(.)/gsu;

/** The marks of a format that shows at least two places of a whole number, and nothing else of it. */
function digitsOf(code: string): readonly Mark[] | null {
  const [positive = ''] = code.split(';');
  const marks: Mark[] = [];
  for (const [, quoted, escaped, digit, sign, other] of positive.matchAll(PART)) {
    if (other !== undefined) return null;
    const text = quoted ?? escaped ?? sign;
    if (digit !== undefined) marks.push({ digit: true });
    else if (text !== undefined) marks.push({ text });
  }
  return marks.filter((mark) => 'digit' in mark).length > 1 ? marks : null;
}

/** A whole number as people see it: 123 is 00123 by the format 00000. null where the format adds nothing. */
export function paddedText(whole: string, { digits: marks }: NumberFormat): string | null {
  if (marks === null || !/^\d+$/.test(whole)) return null;
  const places = marks.filter((mark) => 'digit' in mark).length;
  const digits = whole.padStart(places, '0');
  let left = digits.length - places;
  let at = 0;
  const shown = marks.map((mark) => {
    if (!('digit' in mark)) return mark.text;
    const some = digits.slice(at, at + 1 + left);
    at += 1 + left;
    left = 0;
    return some;
  });
  const text = shown.join('');
  return text === whole ? null : text;
}
