/*
 * Values on their way to PostgreSQL and back. A text of SQLite can hold the character U+0000, and a text of PostgreSQL cannot.
 * The character travels as a private character and a 0. The private character itself travels doubled.
 */

const MARK = '\u{10FFFD}';
const ZERO = '\0';

/** A value for a statement, as the driver sends it. */
export function asSent(value: unknown): unknown {
  if (typeof value !== 'string' || !(value.includes(ZERO) || value.includes(MARK))) return value;
  return value.replaceAll(MARK, MARK + MARK).replaceAll(ZERO, `${MARK}0`);
}

function readText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(new RegExp(`${MARK}(${MARK}|0)`, 'gu'), (_, what: string) => (what === '0' ? ZERO : MARK));
}

/** Whole numbers that a program can count with. The store has no others on SQLite. */
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

/** @param oid the type of a column, as PostgreSQL counts its types */
export function readerOf(oid: number): (text: string) => unknown {
  return READERS[oid] ?? readText;
}

/** The values of rows that PostgreSQL put into a JSON text, in the form in which they are read without JSON. */
export function readJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value === 'string') return readText(value);
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (typeof value === 'number') return readNumber(String(value));
    return value;
  });
}
