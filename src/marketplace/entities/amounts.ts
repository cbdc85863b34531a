import { type Decimal, type Figure, figure, parseDecimal } from '../../domain/decimal.ts';
import { type Price, type Terms } from '../../domain/units.ts';
import { decimalText, type RawNumber, rawNumber } from '../../http/json.ts';

/** Parses a number or a string; null for anything else, including an empty string and an exponent. */
export function readDecimal(value: unknown): Decimal | null {
  const text = decimalText(value);
  return text === null ? null : parseDecimal(text);
}

export function readFigure<Of extends Terms>(value: unknown): Figure<Of> | null {
  const decimal = readDecimal(value);
  return decimal === null ? null : figure(decimal);
}

/** Parses an amount, with or without a currency. */
export function readAmount(value: unknown): Decimal | null {
  return readDecimal(value) ?? readDecimal(field(value, 'amount'));
}

export function readMoney(value: unknown): Price<'marketplace price'> | null {
  const amount = readFigure<'marketplace price'>(field(value, 'amount'));
  const currency = field(value, 'currency');
  return amount === null || typeof currency !== 'string' ? null : { amount, currency };
}

/** The row was checked against the table, so a missing value is our own mistake. */
export function checked<Value>(value: Value | null): Value {
  if (value === null) throw new Error('invariant: a row that fits the table has a field that cannot be read');
  return value;
}

/** null: empty or no string. */
export function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The day of a date or a date-time, as written; null for anything else. */
export function readDay(value: unknown): string | null {
  return readText(value)?.match(/^\d{4}-\d\d-\d\d(?=T|$)/)?.[0] ?? null;
}

/** A field of `value`; undefined if `value` is no object with that field. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A JSON number with exactly the decimal's digits. */
export function writeDecimal(value: Decimal): RawNumber {
  return rawNumber(value.isZero() ? '0' : value.toFixed());
}

/** Spec 1, Money. */
export function writeMoney({ amount, currency }: Price<'marketplace price'>): { amount: RawNumber; currency: string } {
  return { amount: writeDecimal(amount), currency };
}
