import { Decimal, decimalOf } from '../../domain/decimal.ts';
import { isRawNumber, rawNumber } from '../../http/json.ts';
import { NotInDoubt, WorkInProgress } from '../intents.ts';
import { LeaseLost } from '../leases.ts';
import { MappingConflict } from '../links.ts';
import { BrakeDecisionError } from '../record.ts';
import { FileGoneError, NewerVersionError, PageError, StoreError } from '../store-error.ts';
import { PostgresError } from './postgres-error.ts';

/*
 * Packs calls and answers for transfer between two threads. Structured cloning loses the types of decimals, raw numbers
 * and store errors.
 */

const MARK = '\0is';
type Marked = { readonly [MARK]: 'decimal' | 'number' | 'bytes'; readonly text: string | Uint8Array };

export function packed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal) return { [MARK]: 'decimal', text: value.toString() } satisfies Marked;
  if (isRawNumber(value)) return { [MARK]: 'number', text: value.rawJSON } satisfies Marked;
  if (value instanceof Uint8Array) return { [MARK]: 'bytes', text: value } satisfies Marked;
  return mapped(value, packed);
}

export function unpacked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (!(MARK in value)) return mapped(value, unpacked);
  const { [MARK]: is, text } = value as Marked;
  if (typeof text !== 'string') return Buffer.from(text);
  return is === 'decimal' ? decimalOf(text) : rawNumber(text);
}

function mapped(value: object, each: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(each);
  if (value instanceof Map) return new Map([...value].map(([key, part]) => [each(key), each(part)]));
  if (value instanceof Set) return new Set([...value].map(each));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, each(part)]));
}

const ERRORS: readonly (abstract new (...args: never[]) => Error)[] = [
  LeaseLost,
  PostgresError,
  StoreError,
  NewerVersionError,
  FileGoneError,
  PageError,
  WorkInProgress,
  NotInDoubt,
  MappingConflict,
  BrakeDecisionError,
];

interface PackedError {
  /** The error's index in `ERRORS`; -1: no store error. */
  readonly kind: number;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly fields: unknown;
  readonly cause: unknown;
}

export function packedError(error: unknown): unknown {
  if (!(error instanceof Error)) return packed(error);
  const { name, message, stack, cause } = error;
  const kind = ERRORS.findIndex((one) => error.constructor === one);
  const fields = kind === -1 ? {} : packed(Object.fromEntries(Object.entries(error)));
  const packedCause = cause === undefined ? undefined : packedError(cause);
  return { kind, name, message, stack, fields, cause: packedCause } satisfies PackedError;
}

export function unpackedError(value: unknown): Error {
  const { kind, name, message, stack, fields, cause } = value as PackedError;
  const error = new Error(message);
  Object.setPrototypeOf(error, (ERRORS[kind] ?? Error).prototype as object);
  const own = { name, stack, ...(cause === undefined ? {} : { cause: unpackedError(cause) }) };
  for (const [field, part] of Object.entries(own)) {
    Object.defineProperty(error, field, { value: part, configurable: true, writable: true });
  }
  return Object.assign(error, unpacked(fields));
}
