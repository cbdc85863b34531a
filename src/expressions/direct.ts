import type { Given } from './bundle.ts';
import { plainValue } from './plain.ts';

/**
 * Evaluates an expression at once, or returns `ASK` if only the engine can. @throws Error for a large or unplain result
 */
export type Direct = (input: unknown, given: Given) => unknown;

export const NEEDS_ENGINE = Symbol('the engine has to be asked');

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly steps?: readonly Node[];
  readonly lhs?: Node;
  readonly rhs?: Node;
  readonly procedure?: Node;
  readonly arguments?: readonly Node[];
}

/** The node keys that this file understands. A node with further keys needs the engine. */
const KNOWN = new Set(['type', 'value', 'position', 'steps', 'lhs', 'rhs', 'procedure', 'arguments']);

/**
 * An expression that only names a value (`next`, `a.b`, `$`, `$draft.note`), or compares such values, needs no separate
 * process, because it cannot take long. null: any other expression.
 * @param names the names with values at evaluation
 */
export function directOf(ast: unknown, names: readonly string[]): Direct | null {
  const node = ast as Node;
  if (saysMore(node)) return null;
  switch (node.type) {
    case 'string':
    case 'value':
      return () => node.value;
    case 'variable':
      return variable(String(node.value), names);
    case 'path':
      return path(node.steps ?? [], names);
    case 'function':
      return typeOf(node, names);
    case 'binary':
      return node.value === '=' ? equality(node, names) : null;
    default:
      return null;
  }
}

const saysMore = (node: Node): boolean =>
  Object.entries(node).some(([key, part]) => part !== undefined && !KNOWN.has(key));

function variable(name: string, names: readonly string[]): Direct | null {
  if (name === '') return (input) => plainValue(input);
  return names.includes(name) ? (_, given) => given[name] : null;
}

function path([first, ...rest]: readonly Node[], names: readonly string[]): Direct | null {
  if (first === undefined) return null;
  const named = first.type === 'variable' && first.value !== '' ? directOf(first, names) : null;
  const isRoot = first.type === 'variable' && first.value === '';
  const fields = named === null && !isRoot ? [first, ...rest] : rest;
  if (fields.some((one) => one.type !== 'name' || saysMore(one))) return null;
  return (input, given) => {
    let found = named === null ? input : named(input, given);
    for (const { value } of fields) {
      if (Array.isArray(found)) return NEEDS_ENGINE;
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, String(value))) return undefined;
      found = (found as Readonly<Record<string, unknown>>)[String(value)];
    }
    if (named !== null) return found;
    return Array.isArray(found) ? NEEDS_ENGINE : plainValue(found);
  };
}

/** `$type(a.b)` */
function typeOf({ procedure, arguments: parameters = [] }: Node, names: readonly string[]): Direct | null {
  const [of, more] = parameters;
  if (procedure?.type !== 'variable' || procedure.value !== 'type' || of === undefined || more !== undefined)
    return null;
  const tell = directOf(of, names);
  if (tell === null) return null;
  return (input, given) => {
    const value = tell(input, given);
    if (value === undefined) return undefined;
    if (value === null) return 'null';
    return typeof value === 'object' || typeof value === 'symbol' ? NEEDS_ENGINE : typeof value;
  };
}

function equality({ lhs, rhs }: Node, names: readonly string[]): Direct | null {
  const [left, right] = [lhs, rhs].map((side) => (side === undefined ? null : directOf(side, names)));
  if (left === null || right === null || left === undefined || right === undefined) return null;
  return (input, given) => {
    const [a, b] = [left(input, given), right(input, given)];
    if ([a, b].some((one) => typeof one === 'symbol' || (typeof one === 'object' && one !== null))) return NEEDS_ENGINE;
    return a !== undefined && a === b;
  };
}
