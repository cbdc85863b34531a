import { type Connection, prepared, type Statement } from './connection.ts';
import { type Answers, answersOf, keyOf, type Prefetched } from './prefetch.ts';

/** A question that was not prefetched, when there is no transaction in which to ask it. */
export class Unforeseen extends Error {}

/** The store's statements on a connection. Some of them were answered ahead. */
export interface Statements {
  prepare(statement: string): Statement;
  /** Asks all prefetched questions in one round trip. */
  askAhead(prefetched: Prefetched): Answers;
  /**
   * Runs this with the answers that came ahead.
   * @param mayAsk other questions are asked by themselves
   * @throws Unforeseen when there are other questions, and they may not be asked
   */
  answered<Result>(answers: Answers, mayAsk: boolean, run: () => Result): Result;
}

export function statementsOn(connection: Connection): Statements {
  let known: { readonly answers: Answers; readonly mayAsk: boolean } | null = null;
  const query: Connection['query'] = (text, values = []) => {
    if (known === null) return connection.query(text, values);
    const answer = known.answers.get(keyOf(text, values));
    if (answer !== undefined) return answer;
    if (!known.mayAsk) throw new Unforeseen(text);
    return connection.query(text, values);
  };
  return {
    prepare: (statement) => prepared(statement, query),
    askAhead(prefetched) {
      const [row = []] = connection.query(prefetched.text, prefetched.values, true).rows;
      return answersOf(prefetched, row);
    },
    answered(answers, mayAsk, run) {
      known = { answers, mayAsk };
      try {
        return run();
      } finally {
        known = null;
      }
    },
  };
}
