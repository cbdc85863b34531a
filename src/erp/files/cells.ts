export interface NumberStyle {
  readonly decimal: '.' | ',';
  readonly thousands: string;
}

/**
 * The cell's number in the contract's form: `1.234,50-` is `-1234.50`. null: not a number of this style. A point is
 * never taken for a comma.
 */
export function numberText(cell: string, { decimal, thousands }: NumberStyle): string | null {
  const text = cell.trim().replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ');
  const [, before = '', whole = '', fraction = '', after = ''] = SHAPE[decimal].exec(text) ?? [];
  if (whole === '' || (before !== '' && after !== '')) return null;
  const digits = thousands === '' ? whole : withoutThousands(whole, thousands);
  if (digits === null || !/^\d+$/.test(digits)) return null;
  const sign = before === '-' || after === '-' ? '-' : '';
  return `${sign}${digits.replace(/^0+(?=\d)/, '')}${fraction === '' ? '' : `.${fraction}`}`;
}

const SHAPE = {
  '.': /^([+-]?)(\d[\d ,'’]*)(?:\.(\d+))?([+-]?)$/,
  ',': /^([+-]?)(\d[\d .'’]*)(?:,(\d+))?([+-]?)$/,
} as const;

/** The digits without separators; null if a group does not have three digits. */
function withoutThousands(whole: string, thousands: string): string | null {
  if (/^\d+$/.test(whole)) return whole;
  const [first = '', ...rest] = whole.split(thousands);
  const fits = first.length <= 3 && rest.length > 0 && rest.every((group) => group.length === 3);
  return fits ? [first, ...rest].join('') : null;
}

/** true, 1, yes, or false, 0, no, in any case; null: another text. */
export function flagOf(cell: string): boolean | null {
  const word = cell.trim().toLowerCase();
  return TRUE.has(word) ? true : FALSE.has(word) ? false : null;
}

const TRUE = new Set(['true', '1', 'yes']);
const FALSE = new Set(['false', '0', 'no']);
