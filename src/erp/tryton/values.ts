import { z } from 'zod';
import { Decimal, ZERO } from '../../domain/decimal.ts';
import { instantNs, later } from '../../domain/instant.ts';
import { decimalText } from '../../http/json.ts';

/** Tryton's JSON values: quantities are floats, amounts `{__class__: 'Decimal'}`, times UTC without a zone. */

/** The decimals kept of a float. Further digits are rounding errors of divisions. */
const FLOAT_DIGITS = 12;

/** A number or a `Decimal`. A float below 0.0001 has an exponent. */
export const figure = z.unknown().transform((value, context): Decimal => {
  const inside = typeof value === 'object' && value !== null && 'decimal' in value ? value.decimal : value;
  const digits = decimalText(inside);
  if (digits !== null && /^-?\d+(\.\d+)?(e[+-]?\d{1,2})?$/i.test(digits)) {
    const read = new Decimal(digits);
    return read.isZero() ? ZERO : read;
  }
  context.addIssue({ code: 'custom', input: value, message: 'expected a number or a Decimal' });
  return z.NEVER;
});

export const twoDigits = (value: number) => String(value).padStart(2, '0');

/** ISO 8601 with microseconds; null: the record was never changed. */
const stamp = z
  .object({
    year: z.int(),
    month: z.int(),
    day: z.int(),
    hour: z.int(),
    minute: z.int(),
    second: z.int(),
    microsecond: z.int(),
  })
  .transform(({ year, month, day, hour, minute, second, microsecond }) => {
    const date = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
    return `${date}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}.${String(microsecond).padStart(6, '0')}Z`;
  })
  .nullable();

/** When a record was created and last changed, as the start of the transaction. */
export const stamps = { create_date: stamp, write_date: stamp };

export function changedAt(records: readonly { create_date: string | null; write_date: string | null }[]): string {
  return records
    .flatMap((one) => [one.create_date, one.write_date])
    .reduce<string>((latest, time) => (time === null ? latest : later(latest, time)), '1970-01-01T00:00:00Z');
}

/** As a multiple of the category's reference unit. */
export const unit = z.object({ id: z.int(), factor: figure, rate: figure, symbol: z.string() });
export type Unit = z.output<typeof unit>;

/** All field names of a record, for a read. A trailing point means related records. */
export function fieldsOf(record: z.core.$ZodType, path = ''): string[] {
  if (record instanceof z.ZodNullable || record instanceof z.ZodOptional) return fieldsOf(record.unwrap(), path);
  if (record instanceof z.ZodArray) return fieldsOf(record.element, path);
  if (!(record instanceof z.ZodObject)) throw new Error(`${path} is no record`);
  return Object.entries(record.shape as z.core.$ZodShape).flatMap(([name, part]) => {
    if (name.endsWith('.')) return fieldsOf(part, path + name);
    // Tryton always returns the ids of related records.
    return name === 'id' && path !== '' ? [] : [path + name];
  });
}

/**
 * The exact factor of a unit. A person typed factor or rate, and Tryton cut the inverse to 12 digits, so the shorter
 * one is exact.
 */
function factorOf({ factor, rate }: Unit): Decimal {
  return rate.toFixed().length < factor.toFixed().length ? new Decimal(1).dividedBy(rate) : factor;
}

/** How many `other` are in one `one`: 12 pieces in a case. */
export function unitsIn(one: Unit, other: Unit): Decimal {
  return cut(factorOf(one).dividedBy(factorOf(other)));
}

/** Drops digits that a float does not keep. */
export function cut(value: Decimal): Decimal {
  return value.toDecimalPlaces(FLOAT_DIGITS);
}

export function decimalOut(value: Decimal) {
  return { __class__: 'Decimal', decimal: value.toFixed() };
}

/** Tryton keeps quantities as floats of 15 digits. */
export function quantityOut(value: Decimal): number {
  return value.toNumber();
}

/** UTC, cut to microseconds. */
export function stampOut(time: string) {
  const ns = instantNs(time) ?? 0n;
  const at = new Date(Number(ns / 1_000_000n));
  return {
    __class__: 'datetime',
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    microsecond: Number((ns / 1_000n) % 1_000_000n),
  };
}

/** Finds records that themselves, or whose related ones, were created or changed since a time. */
export function changedSince(time: string, paths: readonly string[]): unknown[] {
  const at = stampOut(time);
  return [
    'OR',
    ...paths.flatMap((path) => [
      [`${path}write_date`, '>=', at],
      [`${path}create_date`, '>=', at],
    ]),
  ];
}
