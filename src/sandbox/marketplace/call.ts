import type { WireFile } from '../../marketplace/operations/wire.ts';
import type { Market } from './market.ts';
import type { Fields } from './wire-values.ts';

/** A multipart body's parts in order. */
export type Form = readonly (readonly [name: string, value: string | WireFile])[];

/** As received. */
export interface RawCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** A multipart body, instead of `body`; null: invalid. */
  readonly form?: Form | null;
}

/** By name, typed by the operation's schema. */
export type CallQuery = Readonly<Record<string, unknown>>;

/** A validated call for a handler. */
export interface Call {
  readonly params: Readonly<Record<string, unknown>>;
  /** Filters only; `window` has page, page_size, limit, offset and ordering. */
  readonly query: CallQuery;
  readonly window: { readonly limit: number; readonly offset: number; readonly ordering: string | null };
  readonly body: Fields;
  /** The body, if it is an array. */
  readonly items: readonly Fields[];
}

/** An entity as JSON text (null: no content), or a page's rows as JSON texts. */
export type Answer =
  | { readonly kind: 'entity'; readonly json: string | null; readonly status?: number }
  | {
      readonly kind: 'rows';
      readonly count: number;
      readonly rows: readonly string[];
      /** Other envelope fields, instead of next and previous. */
      readonly envelope?: Fields;
    };

export function entity(value: unknown): Answer {
  return { kind: 'entity', json: JSON.stringify(value) };
}

export const NO_CONTENT: Answer = { kind: 'entity', json: null };

/** Runs an operation inside a transaction. */
export type Handler = (market: Market, call: Call) => Answer;
