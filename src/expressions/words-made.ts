import { ExpressionError } from './expression-error.ts';
import { readExpression } from './parse.ts';

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly then?: Node;
  readonly else?: Node;
  readonly expressions?: readonly Node[];
}

/** The literal texts that an expression may return, without those that it only compares with. */
export function wordsMade(text: string): string[] {
  try {
    return made(readExpression(text).ast());
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
}

function made(node: Node | undefined): string[] {
  if (node === undefined) return [];
  if (node.type === 'string') return [String(node.value)];
  if (node.type === 'condition') return [...made(node.then), ...made(node.else)];
  return node.type === 'block' ? made(node.expressions?.at(-1)) : [];
}
