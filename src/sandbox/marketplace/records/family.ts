import type { Call, Handler } from '../call.ts';
import type { Condition, Filter } from '../list-query.ts';
import type { Market } from '../market.ts';
import type { Fields } from '../wire-values.ts';

export interface RecordRow {
  /** Counts up within its family. */
  readonly id: number;
  /** The key of a record: its id, or its UUID. */
  readonly key: string;
  /** In microseconds. */
  readonly created: number;
  readonly modified: number;
  /** JSON object. */
  readonly fields: string;
}

/** One kind of records: how they are kept, found and shown. Parts that are left out are the same for most families. */
export interface Family {
  /** As in operation ids: `contacts`. */
  readonly name: string;
  /** `uuid`: the id of a record is a UUID. Left out: the id is a number. */
  readonly id?: 'uuid';
  /** The path parameter that carries the id; `id` by default. */
  readonly param?: string;
  /** The wire names of a record's two instants, if they are shown: when it was made, and when it last changed. */
  readonly times?: readonly [created: string, modified: string];
  /** Fields that a create may leave out, besides those with a default in the operation table. */
  readonly initial?: Fields;
  /** Fields that stay when a record is replaced, since a replacement does not name them. */
  readonly kept?: readonly string[];
  /** Field -> the family of the record, or records, that the field names. A missing record is a 400 with the field's name. */
  readonly refers?: Readonly<Record<string, Reference>>;
  /** SQL over a record's columns (id, created, modified, fields), by attribute; by default the field of that name. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** SQL of the texts that `search` looks in; by default the field `name`. */
  readonly searched?: readonly string[];
  /** Filters that no attribute describes: the SQL condition of a value, null when the value does not matter. */
  readonly filters?: Readonly<Record<string, Filter>>;
  /** A condition, in SQL, for rows that every list leaves out. */
  readonly hidden?: string;
  /** The fields that all records within reach of a call have. A new record gets them too. @throws Refusal 403, 404 */
  readonly within?: (market: Market, call: Call) => Fields;
  /** Operations besides list, get, create, replace, patch and delete, or in place of them; by verb. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** The fields as they are kept. @throws Refusal 400 */
  readonly take?: (market: Market, fields: Fields, write: Write) => Fields;
  /** The fields as they are shown. */
  readonly show?: (market: Market, fields: Fields, row: RecordRow) => Fields;
}

/** The name of a family, or a test of one value. */
export type Reference = string | ((market: Market, value: unknown) => boolean);

export interface Write {
  /** The fields before; null for a new record. */
  readonly before: Fields | null;
  /** The fields that were sent, without defaults. */
  readonly sent: Fields;
}

/** SQL of a field of the record. */
export function field(path: string): string {
  return `json_extract(fields, '$.${path}')`;
}

/** The SQL condition that a field of the record has this value. */
export function fieldIs(path: string, value: unknown): Condition {
  return { sql: `${field(path)} = ?`, values: [value] };
}

const DAY_MICROS = 86_400_000_000;

/** Filters by the days on which a record may have been made: the first and the last, both included (UTC). */
export function madeBetween(first: string, last: string): Readonly<Record<string, Filter>> {
  const startOf = (day: unknown) => Date.parse(String(day)) * 1000;
  return {
    [first]: (day) => ({ sql: 'created >= ?', values: [startOf(day)] }),
    [last]: (day) => ({ sql: 'created < ?', values: [startOf(day) + DAY_MICROS] }),
  };
}
