import jsonata from 'jsonata';
import { ExpressionError } from './expression-error.ts';
import { FORBIDDEN, OWN, unknownNames } from './names.ts';

/** Limits that the engine itself checks between the parts of an expression. */
const LIMITS = { timeout: 1_000, stack: 500, sequence: 10_000 } as const;

/**
 * @param given names with values at evaluation, without `$`
 * @throws ExpressionError when the text is no JSONata, or calls an unknown function
 */
export function parseExpression(text: string, given: readonly string[] = []): jsonata.Expression {
  const parsed = readExpression(text);
  const [unknown] = unknownNames(parsed.ast(), given);
  if (unknown !== undefined) throw new ExpressionError(`there is no ${unknown}`);
  return parsed;
}

/** Parses an expression without checking its names. */
export function readExpression(text: string): jsonata.Expression {
  const parsed = read(text);
  // A name that the expression defines somewhere counts as known everywhere. Elsewhere the engine would find its own
  // function.
  for (const name of FORBIDDEN) parsed.assign(name, refuse(name));
  for (const [name, does] of Object.entries(OWN)) parsed.assign(name, (...parts: unknown[]) => does(...parts));
  return parsed;
}

function refuse(name: string) {
  return (): never => {
    throw new Error(`there is no $${name}`);
  };
}

function read(text: string): jsonata.Expression {
  try {
    return jsonata(text, LIMITS);
  } catch (error) {
    throw new ExpressionError(explain(error));
  }
}

/** The engine throws objects with a code that are no Errors. */
interface Thrown {
  readonly code?: string;
  readonly message?: string;
  readonly position?: number;
}

/** The most characters of a message, which may quote the whole input. */
const MOST_SAID = 500;
const ARITHMETIC = new Set(['T2001', 'T2002', 'T2010', 'T2009']);

export function explain(error: unknown): string {
  const { code, message, position }: Thrown = typeof error === 'object' && error !== null ? error : {};
  const said = (message ?? String(error)).slice(0, MOST_SAID).toWellFormed();
  const place = typeof position === 'number' && position > 0 ? `character ${position}: ` : '';
  const advice = ARITHMETIC.has(code ?? '') ? '; decimals are text here, so that no digit is lost' : '';
  return `${place}${said}${advice}`;
}
