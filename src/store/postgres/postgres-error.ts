import { StoreError } from '../store-error.ts';
import type { Failure } from './messages.ts';

/** A statement failed. */
export class PostgresError extends StoreError {
  /** SQLSTATE; null: the connection was lost. */
  readonly code: string | null;
  readonly constraint: string | undefined;
  readonly transaction: string | null;

  constructor({ message, code, constraint, transaction }: Failure, statement: string | null) {
    const where = statement === null ? '' : ` (${statement.slice(0, 300)})`;
    super(code === null ? `PostgreSQL cannot be reached: ${message}` : `PostgreSQL: ${message}${where}`);
    this.code = code;
    this.constraint = constraint;
    this.transaction = transaction ?? null;
  }
}
