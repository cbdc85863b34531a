import type { Readable } from '../sql/database.ts';

/*
 * A question to PostgreSQL takes a round trip, and an observation asks a dozen of them, many with what the one before has
 * found. So an observation foretells its questions (foretold.ts), and all of them go out as one statement (foretell.ts). The
 * observation then finds its answers there. One that nobody foretold is asked by itself: only time is lost.
 */

/** What the rows that a question finds have in a column. Nobody knows it before PostgreSQL answers. */
export class Later<out Value> {
  declare private readonly value: Value;
  readonly question: number;
  /** In PostgreSQL's words, of the row `p`. */
  readonly expression: string;
  /** The question is asked with null too. */
  readonly mayBeNull: boolean;

  constructor(question: number, expression: string, mayBeNull = false) {
    this.question = question;
    this.expression = expression;
    this.mayBeNull = mayBeNull;
  }

  as<Other>(expression: (column: string) => string): Later<Other> {
    return new Later(this.question, expression(this.expression));
  }

  orNull(): Later<Value> {
    return new Later(this.question, this.expression, true);
  }
}

/** A number that another table keeps as a text. */
export const asText = (of: Later<number | null>): Later<string> => of.as((column) => `${column}::text`);

/** The whole number that a text is. A text that is none is not asked for. */
export const asNumber = (of: Later<string | null>): Later<number> =>
  of.as((column) => `case when ${column} ~ '^[0-9]{1,15}$' then ${column}::bigint end`);

/** Each of the texts that a text of JSON has at a path. */
export const eachIn = (of: Later<string | null>, path: string): Later<string> =>
  of.as((column) => `(jsonb_path_query(as_json(${column}), '${path}') #>> '{}')`);

/** The texts that are none of the others. */
export const without = (of: Later<string>, others: Later<string>): Later<string> =>
  of.as((column) => {
    const found = `select ${others.expression} from q${others.question} p where p."#row" is not null`;
    return `case when ${column} not in (${found}) then ${column} end`;
  });

type Find<Of, Row> = (db: Readable, of: Of) => Row | readonly Row[] | undefined;

/**
 * Foretells a question of the store, with values that are known or are those of the rows that one earlier question finds; it is
 * asked once for each of them that is not null.
 */
export type Ask = <Of extends object, Row extends object>(
  find: Find<Of, Row>,
  of: { readonly [Name in keyof Of]: Of[Name] | Later<Of[Name] | null> },
) => { readonly [Name in keyof Row]: Later<Row[Name]> };

/** All questions of an observation. */
export type Foretelling<Args extends readonly unknown[]> = (ask: Ask, ...args: Args) => void;
