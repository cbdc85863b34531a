import { z } from 'zod';
import { decimalText, type RawNumber } from '../../http/json.ts';

const PLAIN_DECIMAL = /^-?\d{1,30}(?:\.\d{1,20})?$/;
const SHOWN_DECIMAL = /^-?(?:\d{1,30}(?:\.\d{0,20})?|\.\d{1,20})$/;
const NO_DIGITS = /^-?\.?$/;

const expected = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? 'is missing' : `expected ${what}`),
});

const decimalLike = (pattern: RegExp) =>
  z.custom<number | string | RawNumber>((value) => {
    const digits = decimalText(value);
    return digits !== null && pattern.test(digits);
  }, expected('a decimal number'));

/** A decimal in a request: a JSON number, or a string without an exponent. */
export const wireDecimal = decimalLike(PLAIN_DECIMAL);

/** A decimal in an answer. The specs' patterns allow `.5` and `5.` too. */
export const shownDecimal = decimalLike(SHOWN_DECIMAL);

/** A decimal or unknown: the specs' patterns allow a text without digits, which is never zero. */
export const shownDecimalOrNone = z.union([shownDecimal, z.string().regex(NO_DIGITS)]);

export interface WireFile {
  readonly name: string;
  /** `image/png` */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export const wireFile = z.custom<WireFile>(
  (value) => typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array,
  'expected a file',
);

/** A number in a request: spec 1 has amounts as JSON numbers. */
export const wireNumber = z.custom<number | RawNumber>(
  (value) => typeof value !== 'string' && PLAIN_DECIMAL.test(decimalText(value) ?? ''),
  expected('a number, without quotation marks'),
);

/** Spec 1, Money. */
export const wireMoney = moneyOf(wireNumber, z.string().regex(/^[A-Z]{3}$/, 'expected a currency code, such as USD'));
export const shownMoney = moneyOf(shownDecimal, z.string().min(1));

/** An amount with or without a currency, depending on the deployment. */
export const shownAmount = z.union([shownDecimal, shownMoney]);

/** ISO 8601 date-time, compared as the server wrote it. */
export const wireDateTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/, {
  error: 'expected a date-time',
  abort: true,
});

const TIME_OF_DAY = /T(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/;

/** A date-time in a request must exist. */
export const sentDateTime = wireDateTime.refine(
  (text) => z.iso.date().safeParse(text.slice(0, 10)).success && TIME_OF_DAY.test(text),
  'expected a date-time that exists',
);

/** Integers in a query: spec 2 sends them comma-separated. */
export const wireIntegerList = z.string().regex(/^-?\d+(,-?\d+)*$/, 'expected integers separated by commas');

export const wireNumberList = z
  .string()
  .regex(/^-?\d{1,30}(?:\.\d{1,20})?(?:,-?\d{1,30}(?:\.\d{1,20})?)*$/, 'expected numbers separated by commas');

function moneyOf<Amount extends z.ZodType>(amount: Amount, currency: z.ZodString) {
  return z.looseObject({ amount, currency });
}
