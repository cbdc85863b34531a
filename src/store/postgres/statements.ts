import { type Connection, prepared, type Statement } from './connection.ts';
import { type Answers, answersOf, keyOf, type Prefetched } from './prefetch.ts';

/** A question that was not prefetched, and has no transaction in which to be asked. */
export class NotPrefetchedError extends Error {}

export interface Statements {
  prepare(statement: string): Statement;
  askAhead(prefetched: Prefetched): Answers;
  /**
   * Runs `run` with the prefetched answers.
   * @param mayAsk other questions are asked separately
   * @throws NotPrefetchedError for another question when `mayAsk` is false
   */
  answered<Result>(answers: Answers, mayAsk: boolean, run: () => Result): Result;
}

export function statementsOn(connection: Connection): Statements {
  let current: { readonly answers: Answers; readonly mayAsk: boolean } | null = null;
  const query: Connection['query'] = (text, values = []) => {
    if (current === null) return connection.query(text, values);
    const answer = current.answers.get(keyOf(text, values));
    if (answer !== undefined) return answer;
    if (!current.mayAsk) throw new NotPrefetchedError(text);
    return connection.query(text, values);
  };
  return {
    prepare: (statement) => prepared(statement, query),
    askAhead(prefetched) {
      const [row = []] = connection.query(prefetched.text, prefetched.values, true).rows;
      return answersOf(prefetched, row);
    },
    answered(answers, mayAsk, run) {
      current = { answers, mayAsk };
      try {
        return run();
      } finally {
        current = null;
      }
    },
  };
}
