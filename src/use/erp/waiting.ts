import { isScalar, LineCounter, type Pair, parseDocument, Scalar, stringify, visit } from 'yaml';
import { shieldReferences, unshieldReferences } from '../../config/references.ts';
import { DECIDE } from '../../erp/draft/yaml.ts';

/** Finds the places in a description that wait for a person, and applies answers. Pure. */

/** A part marked with `decide:` in its comments. */
export interface Waiting {
  readonly path: readonly string[];
  /** With the comments above, from 1. */
  readonly lines: Lines;
  readonly marked: Lines;
  /** null: the part has its own lines. */
  readonly value: Value | null;
}

export interface Lines {
  readonly from: number;
  readonly to: number;
}

interface Value {
  readonly is: string | number | boolean | null;
  readonly start: number;
  readonly end: number;
}

interface Part {
  readonly path: readonly string[];
  readonly lines: Lines;
  readonly value: Value | null;
  readonly comment: string;
  /** A multi-line text, where `#` starts no comment. */
  readonly isText: boolean;
}

const MARK = `# ${DECIDE}`;

/** In text order; empty for invalid YAML. */
export function waitingIn(text: string): Waiting[] {
  const parts = partsOf(text);
  const onLine = parts.flatMap(({ path, lines, value, comment }) => {
    if (!comment.startsWith(` ${DECIDE}`)) return [];
    return [{ path, lines, marked: lines, value }];
  });
  return [...onLine, ...markedAbove(text, parts)].sort((a, b) => a.lines.from - b.lines.from);
}

/** Parts marked in the comments above them. */
function markedAbove(text: string, parts: readonly Part[]): Waiting[] {
  const lines = text.split('\n');
  const isText = ({ lines: { from, to } }: Part, line: number) => line > from && line <= to;
  const texts = parts.filter((part) => part.isText);
  const isComment = (line: number) => /^\s*#/.test(lines[line - 1] ?? '') && !texts.some((part) => isText(part, line));
  return parts.flatMap(({ path, lines: { from: key, to } }) => {
    let from = key;
    while (isComment(from - 1) || (from === key && lines[from - 2] === '' && isComment(from - 2))) from -= 1;
    if (!lines.slice(from - 1, key - 1).some((line) => line.trim().startsWith(MARK))) return [];
    return [{ path, lines: { from, to }, marked: { from, to: key - 1 }, value: null }];
  });
}

/**
 * Removes the part's marks and keeps its comments.
 * @param typed the new value; null: unchanged
 */
export function settledText(text: string, { value, marked }: Waiting, typed: string | null): string {
  const filled =
    typed === null || value === null
      ? text
      : `${text.slice(0, value.start)}${writtenAs(typed, value.is)}${text.slice(value.end)}`;
  const isMarked = (line: number) => line >= marked.from && line <= marked.to;
  return filled
    .split('\n')
    .map((line, at) => (isMarked(at + 1) ? line.replace(`${MARK} `, '# ') : line))
    .join('\n');
}

/** The value as YAML. It replaces a number or flag by the same type if it looks like one. */
function writtenAs(typed: string, before: Value['is']): string {
  const isPlain = typeof before !== 'string' && before !== null && /^(-?\d{1,15}(\.\d+)?|true|false)$/.test(typed);
  return isPlain ? typed : stringify(typed, { lineWidth: 0 }).trim();
}

/** null: no such part. */
export function linesOf(text: string, path: readonly string[]): Lines | null {
  const isIt = (part: Part) => part.path.length === path.length && path.every((step, at) => part.path[at] === step);
  return partsOf(text).find(isIt)?.lines ?? null;
}

/** Each with the path of its first use. */
export function variablesIn(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { path, value } of partsOf(text))
    for (const [, name = ''] of String(value?.is ?? '').matchAll(/\$\{env:(\w+)\}/g))
      if (!found.has(name)) found.set(name, path);
  return found;
}

function partsOf(text: string): Part[] {
  const counter = new LineCounter();
  const document = parseDocument(shieldReferences(text), { lineCounter: counter });
  if (document.errors.length > 0) return [];
  const parts: Part[] = [];
  visit(document, {
    Pair(_, pair, parents) {
      const path = [...parents, pair].flatMap((one) => keyOf(one as Pair));
      const part = partOf(pair, path, counter);
      if (part !== null) parts.push(part);
    },
  });
  return parts;
}

const keyOf = ({ key }: Partial<Pair>): string[] => (isScalar(key) ? [String(key.value)] : []);

function partOf({ key, value }: Pair, path: readonly string[], counter: LineCounter): Part | null {
  if (!isScalar(key) || key.range == null) return null;
  const range = (value as { range?: readonly number[] } | null)?.range ?? key.range;
  const [start = 0, end = 0] = range;
  const lineOf = (offset: number) => counter.linePos(offset).line;
  const isText = isScalar(value) && (value.type === Scalar.BLOCK_LITERAL || value.type === Scalar.BLOCK_FOLDED);
  const is = isScalar(value) ? value.value : null;
  return {
    path,
    lines: { from: lineOf(key.range[0]), to: lineOf(Math.max(key.range[0], end - 1)) },
    value:
      isScalar(value) && !isText
        ? { is: typeof is === 'string' ? unshieldReferences(is) : (is as Value['is']), start, end }
        : null,
    comment: isScalar(value) && !isText ? (value.comment ?? '') : '',
    isText,
  };
}
