import { compileExpression, type Expression, expressionProblem } from './expression.ts';
import { ExpressionError } from './expression-error.ts';

/**
 * The rule of a field. A text is an expression, an object or a list consists of rules, and any other value is a
 * constant.
 */
export type Rule =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'constant'; readonly value: number | boolean | null }
  | { readonly kind: 'object'; readonly parts: Readonly<Record<string, Rule>> }
  | { readonly kind: 'list'; readonly items: readonly Rule[] };

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** @throws ExpressionError for what `ruleProblems` finds */
export function compileRule(written: Json): Rule {
  if (typeof written === 'string') return { kind: 'expression', expression: compileExpression(written) };
  if (written === null || typeof written !== 'object') return { kind: 'constant', value: written };
  if (isList(written)) return { kind: 'list', items: written.map(compileRule) };
  const parts = Object.entries(written).map(([name, part]) => [name, compileRule(part)] as const);
  return { kind: 'object', parts: Object.fromEntries(parts) };
}

export interface RuleProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export function ruleProblems(written: unknown, path: readonly (string | number)[]): RuleProblem[] {
  if (typeof written === 'string') {
    const message = expressionProblem(written);
    return message === null ? [] : [{ path, message: `is no JSONata expression: ${message}` }];
  }
  if (typeof written === 'number' && !Number.isSafeInteger(written)) {
    return [{ path, message: `write a decimal as a text of the expression: '"${written}"'` }];
  }
  if (Array.isArray(written)) return written.flatMap((item, index) => ruleProblems(item, [...path, index]));
  if (typeof written !== 'object' || written === null) return [];
  return Object.entries(written).flatMap(([name, part]) => ruleProblems(part, [...path, name]));
}

/**
 * The value of a field; undefined omits the field. An object with a missing part is omitted, because half an amount of
 * money is no amount.
 * @throws ExpressionError that names the part
 */
export async function evaluateRule(rule: Rule, input: unknown, name: string): Promise<unknown> {
  switch (rule.kind) {
    case 'constant':
      return rule.value;
    case 'expression':
      return evaluateNamed(rule.expression, input, name);
    case 'list': {
      const items = rule.items.map((item, index) => evaluateRule(item, input, `${name}[${index}]`));
      return (await inOrder(items)).filter((item) => item !== undefined);
    }
    case 'object': {
      const entries = Object.entries(rule.parts);
      const values = entries.map(([part, of]) => evaluateRule(of, input, `${name}.${part}`));
      const parts: Record<string, unknown> = {};
      for (const [index, value] of (await inOrder(values)).entries()) {
        if (value === undefined) return undefined;
        parts[entries[index]?.[0] ?? ''] = value;
      }
      return parts;
    }
  }
}

/**
 * Awaits rules that were started together, so that they are evaluated together.
 * @throws ExpressionError the first failure, in the order of the rules
 */
export async function inOrder<T>(begun: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(begun);
  return Promise.all(begun);
}

/** @throws ExpressionError that begins with the name */
export async function evaluateNamed(expression: Expression, input: unknown, name: string): Promise<unknown> {
  try {
    return await expression.evaluate(input);
  } catch (error) {
    throw new ExpressionError(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isList(written: Json): written is readonly Json[] {
  return Array.isArray(written);
}
