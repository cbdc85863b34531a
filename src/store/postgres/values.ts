/*
 * Encodes values for PostgreSQL. Its texts cannot hold U+0000, so that character becomes MARK and 0. MARK itself is
 * doubled.
 */

const MARK = '\u{10FFFD}';
const ZERO = '\0';

export function asSent(value: unknown): unknown {
  if (typeof value !== 'string' || !(value.includes(ZERO) || value.includes(MARK))) return value;
  return value.replaceAll(MARK, MARK + MARK).replaceAll(ZERO, `${MARK}0`);
}

function readText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(new RegExp(`${MARK}(${MARK}|0)`, 'gu'), (_, what: string) => (what === '0' ? ZERO : MARK));
}

/** Safe integers. The store has no others on SQLite. */
function readNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`${text} is no whole number below 2^53`);
  return number;
}

const READERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === 't' ? 1 : 0),
  17: (text) => Buffer.from(text.slice(2), 'hex'),
  20: readNumber,
  21: Number,
  23: Number,
  114: (text) => text,
  1700: readNumber,
};

/** @param oid PostgreSQL's type id of a column */
export function readerOf(oid: number): (text: string) => unknown {
  return READERS[oid] ?? readText;
}

/** Reads the values of rows that PostgreSQL returned as JSON, as if returned without JSON. */
export function readJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value === 'string') return readText(value);
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (typeof value === 'number') return readNumber(String(value));
    return value;
  });
}
