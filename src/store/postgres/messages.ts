import type { SchemaVersions } from '../sqlite/schema-versions.ts';

/** What the thread of the statements asks of the thread of the connection, one after the other. */
export type Asked =
  | { readonly kind: 'statement'; readonly text: string; readonly name?: string; readonly values: readonly unknown[] }
  /** Several statements without values; nobody waits for them, and an error shows at the next question. */
  | { readonly kind: 'ahead'; readonly text: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'reconnect' };

/** Questions are numbered; nobody waits for that with the number 0. */
export interface Numbered {
  readonly number: number;
  readonly asked: Asked;
}

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** How many were changed. */
  readonly count: number;
}

/** An error of PostgreSQL, or of the way to it. */
export interface Failure {
  readonly message: string;
  /** SQLSTATE; null: the connection was lost, or there was none. */
  readonly code: string | null;
  readonly constraint?: string | undefined;
  /** The transaction whose commit was asked for when the connection was lost; null: it was not asked for. */
  readonly transaction?: string | null;
}

export type Answered = { readonly rows: Rows } | { readonly failure: Failure };

export interface NumberedAnswer {
  readonly number: number;
  readonly answered: Answered;
}

/** A call of a method of the store, from the program to the thread of the statements. */
export interface Call {
  readonly id: number;
  readonly path: string;
  readonly args: unknown;
  readonly fence: { readonly account: string; readonly fence: number } | null;
  /** It goes before those that are not. */
  readonly isUrgent: boolean;
}

export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: unknown };

export type Opening = { readonly opened: Migrated } | { readonly refused: { readonly error: unknown } };

/** Of a thread that only looks at the tables. */
export type Looking = { readonly versions: SchemaVersions | null } | { readonly refused: { readonly error: unknown } };

export interface Migrated {
  readonly count: number;
  readonly isNew: boolean;
  /** Names what is stored there, whatever address it is reached by. */
  readonly installation: string;
}
