import type { Readable } from '../sql/database.ts';

/*
 * An observation asks a dozen questions, many with values from earlier answers, and each costs a round trip to
 * PostgreSQL. So they are prefetched (plans.ts) as one statement (prefetch.ts). A question that was not prefetched is
 * asked separately, which only costs time.
 */

/** The values of a column in the rows that a question finds, unknown until PostgreSQL answers. */
export class ColumnOf<out Value> {
  declare private readonly value: Value;
  readonly question: number;
  /** The value as an SQL expression. `p` is the row. */
  readonly expression: string;
  /** The next question is asked for null too. */
  readonly mayBeNull: boolean;

  constructor(question: number, expression: string, mayBeNull = false) {
    this.question = question;
    this.expression = expression;
    this.mayBeNull = mayBeNull;
  }

  as<Other>(expression: (column: string) => string): ColumnOf<Other> {
    return new ColumnOf(this.question, expression(this.expression));
  }

  orNull(): ColumnOf<Value> {
    return new ColumnOf(this.question, this.expression, true);
  }
}

/** A number that another table stores as text. */
export const asText = (of: ColumnOf<number | null>): ColumnOf<string> => of.as((column) => `${column}::text`);

/** The integer in a text. Other texts are skipped. */
export const asNumber = (of: ColumnOf<string | null>): ColumnOf<number> =>
  of.as((column) => `case when ${column} ~ '^[0-9]{1,15}$' then ${column}::bigint end`);

/** Each text at a path of a JSON text. */
export const eachIn = (of: ColumnOf<string | null>, path: string): ColumnOf<string> =>
  of.as((column) => `(jsonb_path_query(as_json(${column}), '${path}') #>> '{}')`);

type Find<Of, Row> = (db: Readable, of: Of) => Row | readonly Row[] | undefined;

/**
 * Prefetches a question. Each value is known or a column of one earlier question's rows. The question is asked for each
 * value that is not null.
 */
export type Ask = <Of extends object, Row extends object>(
  find: Find<Of, Row>,
  of: { readonly [Name in keyof Of]: Of[Name] | ColumnOf<Of[Name] | null> },
) => { readonly [Name in keyof Row]: ColumnOf<Row[Name]> };

export type PrefetchPlan<Args extends readonly unknown[]> = (ask: Ask, ...args: Args) => void;
