import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, expressionProblem } from '../../expressions/expression.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';

/** JSON whose texts may contain `{{ expression }}`. A text of one expression has its value. */
export type Template = unknown;

/** undefined: no value. Lists and objects omit such parts. */
export type Render = (given: Given) => Promise<unknown>;

const WHOLE = /^\s*\{\{((?:(?!\{\{)[\s\S])*)\}\}\s*$/;
const PIECE = /\{\{([\s\S]*?)\}\}/g;

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export function templateProblems(written: unknown, names: readonly string[], path: Problem['path'] = []): Problem[] {
  if (typeof written === 'string') {
    return expressionsIn(written).flatMap((text) => {
      const problem = expressionProblem(text, names);
      return problem === null ? [] : [{ path, message: `{{ ${text.trim()} }} is no JSONata expression: ${problem}` }];
    });
  }
  if (typeof written !== 'object' || written === null) return [];
  return Object.entries(written).flatMap(([name, part]) =>
    templateProblems(part, names, [...path, Array.isArray(written) ? Number(name) : name]),
  );
}

export function expressionsIn(text: string): string[] {
  const whole = WHOLE.exec(text);
  return whole === null ? Array.from(text.matchAll(PIECE), ([, inner = '']) => inner) : [whole[1] ?? ''];
}

/** @throws ExpressionError for an invalid expression */
export function compileTemplate(written: Template, names: readonly string[]): Render {
  if (typeof written === 'string') return compileText(written, names, textOf);
  if (typeof written !== 'object' || written === null) return async () => written;
  if (Array.isArray(written)) {
    const items = written.map((item: Template) => compileTemplate(item, names));
    return async (given) => (await Promise.all(items.map((item) => item(given)))).filter((item) => item !== undefined);
  }
  const parts = Object.entries(written).map(([name, part]) => [name, compileTemplate(part, names)] as const);
  return async (given) => {
    const made = parts.map(async ([name, part]) => [name, await part(given)] as const);
    return Object.fromEntries((await Promise.all(made)).filter(([, value]) => value !== undefined));
  };
}

/** @param piece formats a value inside a longer text */
export function compileText(written: string, names: readonly string[], piece: (value: unknown) => string): Render {
  const whole = WHOLE.exec(written);
  if (whole !== null && piece === textOf) return compileValue(whole[1] ?? '', names);
  const texts = written.split(PIECE);
  if (texts.length === 1) return async () => written;
  const parts = texts.map((text, index) => (index % 2 === 0 ? async () => text : compileValue(text, names)));
  return async (given) => {
    const values = await Promise.all(parts.map((part) => part(given)));
    return values.map((value, index) => (index % 2 === 0 ? (value as string) : piece(value))).join('');
  };
}

function compileValue(text: string, names: readonly string[]): Render {
  const expression = compileExpression(text, names);
  return async (given) => {
    try {
      return await expression.evaluate({}, given);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new ExpressionError(`{{ ${text.trim()} }} fails: ${error.message}`);
    }
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
