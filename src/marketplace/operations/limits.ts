import { z } from 'zod';

/** Limits that many resources of spec 2 share. */

export const INT32 = z.int().min(-2_147_483_648).max(2_147_483_647);
/** A 32-bit number that is not negative. */
export const UINT31 = z.int().min(0).max(2_147_483_647);

export const nonEmpty = z.string().min(1);
/** A string of up to `max` characters, or null; may be left out. */
export const nullableText = (max: number) => z.string().max(max).nullish();
/** A string that is not empty, or null; may be left out. */
export const nullableNonEmpty = nonEmpty.nullish();

export const wireDate = z.iso.date('expected a date, such as 2026-01-31');

/**
 * A string holding a decimal: the spec's `^-?\\d{0,WHOLE}(?:\\.\\d{0,PLACES})?$`, which alone would also take strings
 * without any digit.
 */
export const decimalString = (whole: number, places: number) =>
  z
    .string()
    .regex(
      new RegExp(String.raw`^-?\d{0,${whole}}(?:\.\d{0,${places}})?$`),
      `expected a decimal string, up to ${whole} digits before and ${places} after the point`,
    )
    .regex(/\d/, 'expected a decimal string');

export const wireColour = z
  .string()
  .max(40)
  .regex(/^#[0-9a-fA-F]{6}$/, 'expected a colour such as #33aa77');

/**
 * The value of a field that a create leaves out. It is told, never sent: a change that leaves the field out changes nothing.
 */
export function byDefault<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>) {
  return schema.meta({ default: value }).optional();
}

export const BY_ID = z.strictObject({ id: z.int() });

const TESTS = ['gt', 'gte', 'lt', 'lte'] as const;

/** The filters `FIELD__gt`, `__gte`, `__lt` and `__lte`. */
export function compared<Field extends string, Schema extends z.ZodType>(field: Field, schema: Schema) {
  const optional = schema.optional();
  return Object.fromEntries(TESTS.map((test) => [`${field}__${test}`, optional])) as Record<
    `${Field}__${(typeof TESTS)[number]}`,
    z.ZodOptional<Schema>
  >;
}

const text = nonEmpty.optional();

/** The filters FIELD, `FIELD__in` (values separated by commas) and `FIELD__startswith`. */
export function textFilter<Field extends string>(field: Field) {
  return { [field]: text, [`${field}__in`]: text, [`${field}__startswith`]: text } as Record<
    Field | `${Field}__in` | `${Field}__startswith`,
    typeof text
  >;
}

/** An identifier in a path, where the spec only says that it is a string. */
export const pathText = z.string().regex(/^[A-Za-z0-9][\w.-]{0,199}$/, 'expected an identifier');
