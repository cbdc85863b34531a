import { z } from 'zod';
import { PAGE_QUERY } from './operation.ts';
import { shownDecimal, wireDateTime, wireDecimal, wireIntegerList, wireNumberList } from './wire.ts';

/** Fields of one kind: `...each(z.int(), 'brand', 'company')`. */
export function each<Schema extends z.ZodType, const Name extends string>(schema: Schema, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** Fields of one kind that may be left out. */
export function optional<Schema extends z.ZodType, const Name extends string>(
  schema: Schema,
  ...names: readonly Name[]
) {
  return each(schema.optional(), ...names);
}

const shownAs =
  <Schema extends z.ZodType>(schema: Schema) =>
  <const Name extends string>(...names: readonly Name[]) =>
    each(schema.nullish(), ...names);

/** Fields of an answer: each may be left out, or be null. */
export const shown = {
  texts: shownAs(z.string()),
  ints: shownAs(z.int()),
  flags: shownAs(z.boolean()),
  times: shownAs(wireDateTime),
  decimals: shownAs(shownDecimal),
} as const;
/** The times at which a record was made and last changed. */
export const DATED = shown.times('created_date', 'modified_date');

/** A record in an answer. */
export function row<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject({ id: z.int(), ...shape });
}

/** A record that another one names. */
export const NAMED = z.looseObject({ ...shown.ints('id'), ...shown.texts('name') });

/** Spec 2: the company that looks. */
export const COMPANY = { company_id: z.int() } as const;

/** The query of a list without pages. */
export const WHOLE_QUERY = { ordering: PAGE_QUERY.ordering, search: z.string().min(1).optional() } as const;

export const INT32 = z.int().min(-2_147_483_648).max(2_147_483_647);
/** A 32-bit number that is not negative. */
export const UINT31 = z.int().min(0).max(2_147_483_647);

export const nonEmpty = z.string().min(1);
/** Several integers, numbers or texts in a query: one for each parameter, or separated by commas. */
export const integers = z.union([wireIntegerList, z.array(z.int())]);
export const numbers = z.union([wireNumberList, z.array(wireDecimal)]);
export const texts = z.union([nonEmpty, z.array(nonEmpty)]);
/** Several of these words in a query. */
export function wordsOf<const Word extends string>(words: readonly Word[]) {
  const one = `(?:${words.join('|')})`;
  const list = z.string().regex(new RegExp(`^${one}(?:,${one})*$`), `expected one of ${words.join(', ')}, or several`);
  return z.union([list, z.array(z.enum(words)).min(1)]);
}
/** A string of up to `max` characters, or null. The field may be left out. */
export const nullableText = (max: number) => z.string().max(max).nullish();

export const wireDate = z.iso.date('expected a date, such as 2026-01-31');

/**
 * A string holding a decimal: the spec's `^-?\\d{0,WHOLE}(?:\\.\\d{0,PLACES})?$`, with at least one digit, which the spec's
 * pattern does not demand.
 */
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
 * The value that the marketplace gives a field that a create leaves out. The value is shown to people and never sent: a change
 * that leaves the field out does not change it.
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

/** For each field the filters FIELD, `FIELD__in` (values separated by commas) and `FIELD__startswith`. */
export function textFilters<const Field extends string>(...fields: readonly Field[]) {
  const names = fields.flatMap((field) => [field, `${field}__in`, `${field}__startswith`] as const);
  return optional(nonEmpty, ...names);
}

/** An identifier in a path, where the spec only says that it is a string. */
export const pathText = z.string().regex(/^[A-Za-z0-9][\w.-]{0,199}$/, 'expected an identifier');
