import type { SchemaVersions } from '../sqlite/schema.ts';

/** A question from the statement thread to the connection thread. They come one at a time. */
export type ConnectionRequest =
  | { readonly kind: 'statement'; readonly text: string; readonly name?: string; readonly values: readonly unknown[] }
  /** Statements without values. Nobody waits for the answer; an error shows at the next question. */
  | { readonly kind: 'ahead'; readonly text: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'reconnect' };

/** Nobody waits for the answer to number 0. */
export interface Numbered {
  readonly number: number;
  readonly asked: ConnectionRequest;
}

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly count: number;
}

export interface Failure {
  readonly message: string;
  /** SQLSTATE; null: no connection. */
  readonly code: string | null;
  readonly constraint?: string | undefined;
  /** The table, and the last column, that the error names. */
  readonly table?: string | null;
  readonly column?: string | null;
  /** The transaction that was committing when the connection was lost; null: none. */
  readonly transaction?: string | null;
}

export type ConnectionAnswer = { readonly rows: Rows } | { readonly failure: Failure };

export interface NumberedAnswer {
  readonly number: number;
  readonly answered: ConnectionAnswer;
}

/** A call of a store method, from the program to the statement thread. */
export interface Call {
  readonly id: number;
  readonly path: string;
  readonly args: unknown;
  readonly fence: { readonly account: string; readonly fence: number } | null;
  readonly isUrgent: boolean;
}

export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: unknown };

/** A thread's first message: the applied migrations, or the versions if it only inspects. */
export type Opening = { readonly opened: Migrated | SchemaVersions | null } | { readonly refused: unknown };

export interface Migrated {
  readonly count: number;
  readonly isNew: boolean;
  /** The id of the stored installation, whatever the address of its database. */
  readonly installation: string;
}
