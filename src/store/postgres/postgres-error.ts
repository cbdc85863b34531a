import { type BrokenRule, StoreError } from '../store-error.ts';
import type { Failure } from './messages.ts';

/** SQLSTATE of a server that is stopping, starting or read-only, or has no memory, disk or connection left. */
const PASSES = /^(08|25006|53|57P0|58)/;

/** Data exceptions (22), violated constraints (23) and exceeded limits, such as the size of a key (54). */
const RULES: readonly (readonly [RegExp, BrokenRule['kind']])[] = [
  [/^23505$/, 'unique'],
  [/^23502$/, 'missing'],
  [/^(22001|54)/, 'too-large'],
  [/^2[23]/, 'value'],
];

export class PostgresError extends StoreError {
  override readonly passes: boolean;
  /** SQLSTATE; null: the connection was lost. */
  readonly code: string | null;
  readonly constraint: string | undefined;
  readonly transaction: string | null;
  override readonly rule: BrokenRule | null;

  constructor({ message, code, constraint, transaction, table, column }: Failure, statement: string | null) {
    const where = statement === null ? '' : ` (${statement.slice(0, 300)})`;
    super(code === null ? `PostgreSQL cannot be reached: ${message}` : `PostgreSQL: ${message}${where}`);
    this.code = code;
    this.passes = code === null || PASSES.test(code);
    this.constraint = constraint;
    this.transaction = transaction ?? null;
    const kind = RULES.find(([pattern]) => pattern.test(code ?? ''))?.[1];
    this.rule = kind === undefined ? null : { kind, table: table ?? null, column: column ?? null };
  }
}
