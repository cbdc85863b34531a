import { parseSync } from 'oxc-parser';

/** A change of a program that its tests ought to notice: the text from `start` to `end` becomes `to`. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** The other operator of each pair. */
const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

/** The other method of each pair. */
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  max: 'min',
  min: 'max',
  plus: 'minus',
  minus: 'plus',
  greaterThan: 'greaterThanOrEqualTo',
  greaterThanOrEqualTo: 'greaterThan',
  lessThan: 'lessThanOrEqualTo',
  lessThanOrEqualTo: 'lessThan',
};

/** Every mutant of a TypeScript program, in the order of its text. Types have none. */
export function mutantsOf(text: string): Mutant[] {
  const found: Mutant[] = [];
  const visit = (node: Node): void => {
    if (node.type.startsWith('TS') || node.type === 'ImportDeclaration') return;
    found.push(...changesOf(node, text));
    for (const part of partsOf(node)) visit(part);
  };
  visit(parseSync('program.ts', text).program as unknown as Node);
  return found.toSorted((one, other) => one.start - other.start);
}

function changesOf(node: Node, text: string): Mutant[] {
  const inPlace = (part: Node, to: string): Mutant => ({ start: part.start, end: part.end, to });
  const textOf = ({ start, end }: Node) => text.slice(start, end);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorOf(node, text);
    case 'UnaryExpression':
      return node['operator'] === '!' ? [inPlace(node, textOf(node['argument'] as Node))] : [];
    case 'Literal':
      return typeof node['value'] === 'boolean' ? [inPlace(node, String(!node['value']))] : [];
    case 'IfStatement':
      return ['true', 'false'].map((to) => inPlace(node['test'] as Node, to));
    case 'ConditionalExpression':
      return ['true', 'false'].map((to) => inPlace(node['test'] as Node, to));
    case 'ExpressionStatement':
      return isCall(node['expression'] as Node) ? [inPlace(node, ';')] : [];
    case 'MemberExpression': {
      const property = node['property'] as Node;
      const other = METHODS[String(property['name'])];
      return other === undefined || node['computed'] === true ? [] : [inPlace(property, other)];
    }
    default:
      return [];
  }
}

function operatorOf(node: Node, text: string): Mutant[] {
  const operator = String(node['operator']);
  const other = OPERATORS[operator];
  const [left, right] = [node['left'] as Node, node['right'] as Node];
  const start = text.indexOf(operator, left.end);
  // A sum of texts has no difference.
  const isText = operator === '+' && [left, right].some((side) => isOfText(side));
  return other === undefined || isText || start >= right.start
    ? []
    : [{ start, end: start + operator.length, to: other }];
}

const isOfText = ({ type, value }: Node) =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');

function isCall({ type, argument }: Node): boolean {
  return type === 'CallExpression' || (type === 'AwaitExpression' && isCall(argument as Node));
}

function partsOf(node: Node): Node[] {
  return Object.values(node).flatMap((field) => (Array.isArray(field) ? field : [field]).filter(isNode));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';
}
