import { z } from 'zod';
import { PAGE_QUERY } from './operation.ts';
import { shownDecimal, wireDateTime, wireDecimal, wireIntegerList, wireNumberList } from './wire.ts';

/** Fields of one type: `...each(z.int(), 'brand', 'company')`. */
export function eachField<Schema extends z.ZodType, const Name extends string>(
  schema: Schema,
  ...names: readonly Name[]
) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** Optional fields of one type. */
export function optional<Schema extends z.ZodType, const Name extends string>(
  schema: Schema,
  ...names: readonly Name[]
) {
  return eachField(schema.optional(), ...names);
}

const shownAs =
  <Schema extends z.ZodType>(schema: Schema) =>
  <const Name extends string>(...names: readonly Name[]) =>
    eachField(schema.nullish(), ...names);

/** Fields of an answer, each optional and nullable. */
export const shown = {
  texts: shownAs(z.string()),
  ints: shownAs(z.int()),
  flags: shownAs(z.boolean()),
  times: shownAs(wireDateTime),
  decimals: shownAs(shownDecimal),
} as const;
export const DATED = shown.times('created_date', 'modified_date');

export function row<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject({ id: z.int(), ...shape });
}

/** A reference to another record. */
export const NAMED = z.looseObject({ ...shown.ints('id'), ...shown.texts('name') });

/** Spec 2: the company on whose behalf the call reads. */
export const COMPANY = { company_id: z.int() } as const;

/** The query of a list without pages. */
export const WHOLE_QUERY = { ordering: PAGE_QUERY.ordering, search: z.string().min(1).optional() } as const;

export const INT32 = z.int().min(-2_147_483_648).max(2_147_483_647);
/** A non-negative 32-bit number. */
export const UINT31 = z.int().min(0).max(2_147_483_647);

export const nonEmpty = z.string().min(1);
/** Several values in a query: repeated parameters, or comma-separated. */
export const integers = z.union([wireIntegerList, z.array(z.int())]);
export const numbers = z.union([wireNumberList, z.array(wireDecimal)]);
export const texts = z.union([nonEmpty, z.array(nonEmpty)]);
export function wordsOf<const Word extends string>(words: readonly Word[]) {
  const one = `(?:${words.join('|')})`;
  const list = z.string().regex(new RegExp(`^${one}(?:,${one})*$`), `expected one of ${words.join(', ')}, or several`);
  return z.union([list, z.array(z.enum(words)).min(1)]);
}
/** An optional string of at most `max` characters, or null. */
export const nullableText = (max: number) => z.string().max(max).nullish();

export const wireDate = z.iso.date('expected a date, such as 2026-01-31');

/** A decimal as string: the spec's `^-?\\d{0,WHOLE}(?:\\.\\d{0,PLACES})?$`, but with at least one digit. */
export const decimalString = (whole: number, places: number) =>
  z
    .string()
    .regex(new RegExp(String.raw`^-?\d{0,${whole}}(?:\.\d{0,${places}})?$`), {
      error: `expected a decimal string, up to ${whole} digits before and ${places} after the point`,
      abort: true,
    })
    .regex(/\d/, 'expected a decimal string');

export const wireColour = z
  .string()
  .max(40)
  .regex(/^#[0-9a-fA-F]{6}$/, 'expected a colour such as #33aa77');

/**
 * The marketplace's default for a field that a create omits, for display only. It is never sent: a change that omits
 * the field does not change it.
 */
export function byDefault<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>) {
  return schema.meta({ default: value }).optional();
}

export const BY_ID = z.strictObject({ id: z.int() });

const TESTS = ['gt', 'gte', 'lt', 'lte'] as const;

/** For each field the filters `FIELD__gt`, `__gte`, `__lt` and `__lte`. */
export function compared<Schema extends z.ZodType, const Field extends string>(
  schema: Schema,
  ...fields: readonly Field[]
) {
  const names = fields.flatMap((field) => TESTS.map((test) => `${field}__${test}` as const));
  return optional(schema, ...names);
}

export function textFilters<const Field extends string>(...fields: readonly Field[]) {
  const names = fields.flatMap((field) => [field, `${field}__in`, `${field}__startswith`] as const);
  return optional(nonEmpty, ...names);
}

/** An identifier in a path, of which the spec only says that it is a string. */
export const pathText = z.string().regex(/^[A-Za-z0-9][\w.-]{0,199}$/, 'expected an identifier');
