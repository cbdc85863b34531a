import type { WireFile } from '../../marketplace/operations/wire.ts';
import type { Market } from './market.ts';
import type { Fields } from './wire-values.ts';

/** Name and value of each part of a multipart body, in the order they came. */
export type Form = readonly (readonly [name: string, value: string | WireFile])[];

/** A call as it came over the wire. */
export interface RawCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The parts of a multipart body, in place of `body`; null when the body is broken. */
  readonly form?: Form | null;
}

/** Query parameters by name, as the operation's schema types them. */
export type CallQuery = Readonly<Record<string, unknown>>;

/** One validated call, as a handler sees it. */
export interface Call {
  readonly params: Readonly<Record<string, unknown>>;
  /** Filters only: page, page_size, limit, offset and ordering are in `window`. */
  readonly query: CallQuery;
  readonly window: { readonly limit: number; readonly offset: number; readonly ordering: string | null };
  readonly body: Fields;
  /** The body where it is an array. */
  readonly items: readonly Fields[];
}

/** The answer of a handler: an entity as JSON text (null: no content), or the rows of a page as JSON texts. */
export type Answer =
  | { readonly kind: 'entity'; readonly json: string | null; readonly status?: number }
  | {
      readonly kind: 'rows';
      readonly count: number;
      readonly rows: readonly string[];
      /** Further fields of the envelope, in place of next and previous. */
      readonly envelope?: Fields;
    };

/** The answer that shows this value. */
export function entity(value: unknown): Answer {
  return { kind: 'entity', json: JSON.stringify(value) };
}

export const NO_CONTENT: Answer = { kind: 'entity', json: null };

/** Carries out one operation. Runs inside one transaction. */
export type Handler = (market: Market, call: Call) => Answer;
