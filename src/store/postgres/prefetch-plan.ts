import type { Readable } from '../sql/database.ts';

/*
 * A question to PostgreSQL takes a round trip. An observation asks a dozen questions, many of them with values from an earlier
 * answer. So an observation prefetches its questions (plans.ts), and all of them are sent as one statement (prefetch.ts). The
 * observation then takes its answers from there. A question that was not prefetched is asked by itself, which costs only time.
 */

/** The values of a column in the rows that a question finds. They are not known before PostgreSQL answers. */
export class ColumnOf<out Value> {
  declare private readonly value: Value;
  readonly question: number;
  /** The value in PostgreSQL's words, where `p` is the row. */
  readonly expression: string;
  /** The next question is asked with null too. */
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

/** A number that another table keeps as a text. */
export const asText = (of: ColumnOf<number | null>): ColumnOf<string> => of.as((column) => `${column}::text`);

/** The whole number in a text. A text that is no whole number is not asked for. */
export const asNumber = (of: ColumnOf<string | null>): ColumnOf<number> =>
  of.as((column) => `case when ${column} ~ '^[0-9]{1,15}$' then ${column}::bigint end`);

/** Each text at a path of a JSON text. */
export const eachIn = (of: ColumnOf<string | null>, path: string): ColumnOf<string> =>
  of.as((column) => `(jsonb_path_query(as_json(${column}), '${path}') #>> '{}')`);

type Find<Of, Row> = (db: Readable, of: Of) => Row | readonly Row[] | undefined;

/**
 * Prefetches a question of the store. Its values are known, or come from the rows that one earlier question finds. The question is
 * asked once for each value that is not null.
 */
export type Ask = <Of extends object, Row extends object>(
  find: Find<Of, Row>,
  of: { readonly [Name in keyof Of]: Of[Name] | ColumnOf<Of[Name] | null> },
) => { readonly [Name in keyof Row]: ColumnOf<Row[Name]> };

/** All questions of an observation. */
export type PrefetchPlan<Args extends readonly unknown[]> = (ask: Ask, ...args: Args) => void;
