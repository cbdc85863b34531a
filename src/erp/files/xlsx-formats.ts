import { BOUNDS } from './bounds.ts';
import { type Book, bounded, keptPart } from './xlsx-book.ts';

/** `digits`: a format that pads a whole number, such as 00000; null: any other. */
export interface NumberFormat {
  readonly isDate: boolean;
  readonly digits: readonly Mark[] | null;
}

/** A digit, or a text between digits. */
type Mark = { readonly digit: true } | { readonly text: string };

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

/** Excel's built-in date and time formats. */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

function isDateFormat(id: number, written: string): boolean {
  if (BUILT_IN.has(id)) return true;
  // Quoted texts and bracketed colours may contain date letters.
  const code = written.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
  return /[ymdhs]/i.test(code) && !/[0#?]/.test(code.replace(/[.,]0+/g, ''));
}

/** In order: a colour or condition, a space, a quoted text, an escaped character, a digit, a separator, any other. */
const PART = /\[[^\]]*\]|_.|"([^"]*)"|\\(.)|(0)|([-/ ():])|(.)/gsu;

/** The marks of a format that pads whole numbers to at least two digits. */
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

/** A whole number as displayed: 123 is 00123 in format 00000. null: the format adds nothing. */
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
