import type { Contents, Field } from './shape.ts';

/** What a document or sample answers tell about an ERP with JSON over HTTP. */

export interface Param {
  readonly name: string;
  readonly required: boolean;
  readonly isNumber: boolean;
  /** The maximum, or else the default. */
  readonly most: number | null;
}

export interface Endpoint {
  readonly path: string;
  /** The path of the rows in the answer; null: the answer itself. */
  readonly items: string | null;
  readonly params: readonly Param[];
  /** The answer's values beside the rows. */
  readonly answer: readonly Field[];
  /** The GraphQL query for these fields; null: not GraphQL. */
  readonly query: ((used: readonly Field[]) => string) | null;
  /** The path of one record: `/orders/{id}`. */
  readonly byId: string | null;
  /** The answer's value for a missing record; null: unknown. */
  readonly missing: Field | null;
  /** The writing calls, as comments: `POST /orders takes reference*, lines`. */
  readonly writes: readonly string[];
}

export interface RestSource extends Contents<Endpoint> {
  readonly what: string;
  /** null: unknown. */
  readonly url: string | null;
  readonly auth: { readonly section: object; readonly shown: string } | null;
  readonly ping: string | null;
}
