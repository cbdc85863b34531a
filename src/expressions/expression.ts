import jsonata from 'jsonata';
import { unknownNames } from './names.ts';
import { plainValue } from './plain.ts';

/** A JSONata expression that was checked. */
export interface Expression {
  readonly text: string;
  /**
   * Evaluates it over `input`. The result is plain JSON: texts, whole numbers, booleans, null, lists and objects of them;
   * undefined where it finds nothing.
   * @throws ExpressionError
   */
  evaluate(input: unknown): Promise<unknown>;
}

/** An expression that cannot be read, or that failed; the message says where in it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/**
 * The limits of an evaluation, so that every expression ends. Regular expressions are the engine's own, and are not
 * interrupted.
 */
const LIMITS = { timeout: 1_000, stack: 500, sequence: 10_000 } as const;

/** @throws ExpressionError when it is no JSONata, or calls an unknown function. */
export function compileExpression(text: string): Expression {
  const compiled = parsed(text);
  const [unknown] = unknownNames(compiled.ast());
  if (unknown !== undefined) throw new ExpressionError(`there is no ${unknown}`);
  return {
    text,
    async evaluate(input) {
      try {
        return plainValue(await compiled.evaluate(input));
      } catch (error) {
        throw new ExpressionError(explain(error));
      }
    },
  };
}

/** The fault of an expression; null when it can be evaluated. */
export function expressionProblem(text: string): string | null {
  try {
    compileExpression(text);
    return null;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

function parsed(text: string): jsonata.Expression {
  try {
    return jsonata(text, LIMITS);
  } catch (error) {
    throw new ExpressionError(explain(error));
  }
}

/** The engine throws objects with a code that are no Error. */
interface Thrown {
  readonly code?: string;
  readonly message?: string;
  readonly position?: number;
}

const ARITHMETIC = new Set(['T2001', 'T2002', 'T2010', 'T2009']);

function explain(error: unknown): string {
  const { code, message, position }: Thrown = typeof error === 'object' && error !== null ? error : {};
  const said = message ?? String(error);
  const place = typeof position === 'number' && position > 0 ? `character ${position}: ` : '';
  const advice = ARITHMETIC.has(code ?? '') ? '; decimals are text here, so that no digit is lost' : '';
  return `${place}${said}${advice}`;
}
