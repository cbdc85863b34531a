import { z } from 'zod';

/**
 * Lossless JSON: a number that JavaScript cannot hold exactly as written (12.5000, 1e400, 9007199254740993) is kept as
 * its source text in a `RawNumber`, and written back byte for byte. Plain safe integers stay numbers.
 */
export interface RawNumber {
  readonly rawJSON: string;
}

interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}
const json = JSON as unknown as JsonWithSource;

/** @throws SyntaxError when the text is not JSON. */
export function parseJson(text: string): unknown {
  return json.parse(text, (_key, value, context) =>
    typeof value === 'number' && !(Number.isSafeInteger(value) && String(value) === context.source)
      ? json.rawJSON(context.source ?? String(value))
      : value,
  );
}

export function stringifyJson(value: unknown): string {
  return JSON.stringify(value);
}

/** A JSON number with exactly these digits. `text` must be a plain decimal ("12.50"). */
export function rawNumber(text: string): RawNumber {
  return json.rawJSON(text);
}

export function isRawNumber(value: unknown): value is RawNumber {
  return json.isRawJSON(value);
}

/** The digits of a wire decimal, whether it came as a number or as a string; null when it is neither. */
export function decimalText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'string') return value;
  return isRawNumber(value) ? value.rawJSON : null;
}

const PLAIN_DECIMAL = /^-?\d{1,30}(?:\.\d{1,20})?$/;

/** A decimal on the wire: a JSON number or a string holding a decimal. Exponents are not decimals. */
export const wireDecimal = z.custom<number | string | RawNumber>(
  (value) => PLAIN_DECIMAL.test(decimalText(value) ?? ''),
  'expected a decimal number',
);

/** A file of a multipart body. */
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

/** Spec 1, Money. */
export const wireMoney = z.looseObject({ amount: wireDecimal, currency: z.string().min(1) });

/** An amount that deployments send either bare or as Money. */
export const wireAmount = z.union([wireDecimal, wireMoney]);

/** ISO 8601 date-time, compared as the server wrote it. */
export const wireDateTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/, 'expected a date-time');

/** Integers in a query: spec 2 sends an array of them comma-separated. */
export const wireIntegerList = z.string().regex(/^\d+(,\d+)*$/, 'expected integers separated by commas');
