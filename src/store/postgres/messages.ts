import type { SchemaVersions } from '../sqlite/schema.ts';

/** A question from the thread of the statements to the thread of the connection. The questions come one after the other. */
export type Asked =
  | { readonly kind: 'statement'; readonly text: string; readonly name?: string; readonly values: readonly unknown[] }
  /** Several statements without values. Nobody waits for their answer. An error shows at the next question. */
  | { readonly kind: 'ahead'; readonly text: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'reconnect' };

/** A question with its number. Nobody waits for an answer to number 0. */
export interface Numbered {
  readonly number: number;
  readonly asked: Asked;
}

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** The number of changed rows. */
  readonly count: number;
}

/** An error of PostgreSQL, or of the connection to it. */
export interface Failure {
  readonly message: string;
  /** SQLSTATE; null: the connection was lost, or there was none. */
  readonly code: string | null;
  readonly constraint?: string | undefined;
  /** The table and the last of the columns that the error names. */
  readonly table?: string | null;
  readonly column?: string | null;
  /** The transaction whose commit was under way when the connection was lost; null: no commit was under way. */
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
  /** Urgent calls go first. */
  readonly isUrgent: boolean;
}

export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: unknown };

/** The first message of a thread: the migrations it made, or the versions when it only looks at the tables. */
export type Opening = { readonly opened: Migrated | SchemaVersions | null } | { readonly refused: unknown };

export interface Migrated {
  readonly count: number;
  readonly isNew: boolean;
  /** The name of the stored installation. It is the same under every address of the database. */
  readonly installation: string;
}
