import type { Given } from './bundle.ts';
import { type Direct, directOf, NEEDS_ENGINE } from './direct.ts';
import { ExpressionError } from './expression-error.ts';
import { explain, parseExpression } from './parse.ts';
import { createRunner } from './runner.ts';

export interface Expression {
  readonly text: string;
  /**
   * `input` is plain JSON. Returns plain JSON: text, whole number, boolean, null, list or object; undefined if nothing
   * is found.
   * @param given the values of the expression's names
   * @throws ExpressionError when the expression fails, or exceeds its time or memory
   */
  evaluate(input: unknown, given?: Given): Promise<unknown>;
}

/** One per process. It has no data of any account. */
const runner = createRunner();

/**
 * @param names the names with values at evaluation
 * @throws ExpressionError when the text is no JSONata, or calls an unknown function
 */
export function compileExpression(text: string, names: readonly string[] = []): Expression {
  const direct = directOf(parseExpression(text, names).ast(), names);
  return {
    text,
    async evaluate(input, given = {}) {
      const found = direct === null ? NEEDS_ENGINE : atOnce(direct, input, given);
      return found === NEEDS_ENGINE ? runner.evaluate(text, input, given) : found;
    },
  };
}

/** @throws ExpressionError */
function atOnce(direct: Direct, input: unknown, given: Given): unknown {
  try {
    return direct(input, given);
  } catch (error) {
    throw new ExpressionError(explain(error));
  }
}

/** The fault of an expression; null: none. */
export function expressionProblem(text: string, names: readonly string[] = []): string | null {
  try {
    parseExpression(text, names);
    return null;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}
