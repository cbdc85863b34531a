import { Document, isMap, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { DraftFault } from './shape.ts';

/**
 * A text with a secret's variable or a template that the draft itself added. In any other text, these come from the
 * source and are escaped.
 */
export class TrustedText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Includes the stand-in characters that the configuration reader uses for braces. */
const FILLED = /\$\{|\{\{|[\uE000-\uE07F]/;

/** A value with a comment, on its line or above a nested value. */
export class Commented {
  readonly value: unknown;
  readonly comments: readonly string[];

  constructor(value: unknown, ...comments: readonly string[]) {
    this.value = value;
    this.comments = comments;
  }
}

/** Marks what only a person can know. */
export const DECIDE = 'decide:';

export function decide(value: unknown, question: string): Commented {
  return new Commented(value, `${DECIDE} ${question}`);
}

const COMMENT_MAX = 300;

/** Keeps any text of the source on one comment line. */
function commentText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim();
  return ` ${line.length > COMMENT_MAX ? `${line.slice(0, COMMENT_MAX)}…` : line}`.replaceAll('${', '$ {');
}

/** YAML of plain values with comments. A key with an undefined value is dropped. */
export function yamlText(head: readonly string[], value: unknown): string {
  const document = new Document(nodeOf(value));
  document.commentBefore = head.map(commentText).join('\n');
  return document.toString({ lineWidth: 0 });
}

function nodeOf(value: unknown): unknown {
  if (value instanceof Commented) return nodeOf(value.value);
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    for (const one of value as readonly unknown[]) list.items.push(withComment(nodeOf(one), one));
    return list;
  }
  if (typeof value === 'object' && value !== null && !(value instanceof TrustedText)) {
    const map = new YAMLMap();
    for (const [name, part] of Object.entries(value)) if (part !== undefined) map.items.push(pairOf(name, part));
    return map;
  }
  const scalar = new Scalar(value instanceof TrustedText ? value.text : isFilled(value) ? '' : value);
  if (typeof value === 'string' && value.includes('\n')) scalar.type = 'BLOCK_LITERAL';
  return scalar;
}

/** Whether the source's text would be taken for a secret or template. */
function isFilled(value: unknown): boolean {
  return typeof value === 'string' && FILLED.test(value);
}

function pairOf(name: string, given: unknown): Pair {
  if (isFilled(name))
    throw new DraftFault(`it has ${name.slice(0, 100)} for a name, which a configuration would fill in`);
  const isLeftOut = isFilled(given instanceof Commented ? given.value : given);
  const part = isLeftOut
    ? decide('', 'left out, since it has the mark of a secret or of a template in the source')
    : given;
  const key = new Scalar(name);
  const node = nodeOf(part);
  if (!(part instanceof Commented)) return new Pair(key, node);
  const [last = ''] = part.comments.slice(-1);
  const isLine = node instanceof Scalar && node.type !== 'BLOCK_LITERAL' && part.comments.length === 1;
  if (isLine) node.comment = commentText(last);
  else key.commentBefore = part.comments.map(commentText).join('\n');
  return new Pair(key, node);
}

function withComment(node: unknown, from: unknown): unknown {
  if (from instanceof Commented && (isMap(node) || node instanceof Scalar))
    node.commentBefore = from.comments.map(commentText).join('\n');
  return node;
}
