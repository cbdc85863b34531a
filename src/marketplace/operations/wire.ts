import { z } from 'zod';
import { decimalText, type RawNumber } from '../../http/json.ts';

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
