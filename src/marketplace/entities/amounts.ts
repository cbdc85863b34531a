import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import type { Money } from '../../domain/money.ts';
import { decimalText, type RawNumber, rawNumber } from '../../http/json.ts';

/** The decimal in a number or a string; null for anything else, an empty string and an exponent included. */
export function readDecimal(value: unknown): Decimal | null {
  const text = decimalText(value);
  return text === null ? null : parseDecimal(text);
}

/** An amount sent bare or as Money. */
export function readAmount(value: unknown): Decimal | null {
  return readDecimal(value) ?? readDecimal(field(value, 'amount'));
}

export function readMoney(value: unknown): Money | null {
  const amount = readDecimal(field(value, 'amount'));
  const currency = field(value, 'currency');
  return amount === null || typeof currency !== 'string' ? null : { amount, currency };
}

/** The table has checked the row, so a missing value is our own mistake. */
export function checked<Value>(value: Value | null): Value {
  if (value === null) throw new Error('invariant: a row that fits the table has a field that cannot be read');
  return value;
}

/** The text of a non-empty string; null for anything else. */
export function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The field `name` of `value`, if `value` is an object with that field. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A JSON number with exactly the decimal's digits. */
export function writeDecimal(value: Decimal): RawNumber {
  return rawNumber(value.isZero() ? '0' : value.toFixed());
}

/** Money as requests carry it (spec 1, Money). */
export function writeMoney({ amount, currency }: Money): { amount: RawNumber; currency: string } {
  return { amount: writeDecimal(amount), currency };
}
