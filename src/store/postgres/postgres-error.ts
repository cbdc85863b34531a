import { StoreError } from '../store-error.ts';
import type { Failure } from './messages.ts';

/** SQLSTATE of a server that is ending or starting, only reads for now, or has no memory, disk or connection left. */
const PASSES = /^(08|25006|53|57P0|58)/;

/** A statement failed. */
export class PostgresError extends StoreError {
  override readonly passes: boolean;
  /** SQLSTATE; null: the connection was lost. */
  readonly code: string | null;
  readonly constraint: string | undefined;
  readonly transaction: string | null;

  constructor({ message, code, constraint, transaction }: Failure, statement: string | null) {
    const where = statement === null ? '' : ` (${statement.slice(0, 300)})`;
    super(code === null ? `PostgreSQL cannot be reached: ${message}` : `PostgreSQL: ${message}${where}`);
    this.code = code;
    this.passes = code === null || PASSES.test(code);
    this.constraint = constraint;
    this.transaction = transaction ?? null;
  }
}
