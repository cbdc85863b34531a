import type { Contents, Field } from './shape.ts';

/** An ERP that speaks JSON over HTTP, as far as its document or its answers tell. */

export interface Param {
  readonly name: string;
  readonly required: boolean;
  readonly isNumber: boolean;
  /** The largest value, or else the usual one. */
  readonly most: number | null;
}

export interface Endpoint {
  readonly path: string;
  /** The path of the rows in the answer; null: the answer itself. */
  readonly items: string | null;
  readonly params: readonly Param[];
  /** The values of the answer beside the rows. */
  readonly answer: readonly Field[];
  /** In GraphQL, the query that asks for these fields; null: it is none. */
  readonly query: ((used: readonly Field[]) => string) | null;
  /** The path of one record: `/orders/{id}`. */
  readonly byId: string | null;
  /** A value of the answer for a record that is not there; null: not known. */
  readonly missing: Field | null;
  /** The calls that write, as comments: `POST /orders takes reference*, lines`. */
  readonly writes: readonly string[];
}

export interface RestSource extends Contents<Endpoint> {
  readonly what: string;
  /** null: not known. */
  readonly url: string | null;
  readonly auth: { readonly section: object; readonly shown: string } | null;
  readonly ping: string | null;
}
