import {
  type Alias,
  CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import { dotted, type Path } from './path.ts';
import type { Problem } from './problem.ts';
import {
  findReferences,
  isShellVariable,
  type Surroundings,
  shieldReferences,
  unshieldReferences,
} from './references.ts';

/** The `${env:}` and `${file:}` references in a value. */
interface Origin {
  readonly written: readonly string[];
  readonly values: readonly string[];
  /** Some references could not be resolved. The problems name them already. */
  readonly failed: boolean;
}

/** A configuration file with its references replaced, and the place of every part. */
export interface SourceFile {
  /** null: not readable as YAML. */
  readonly value: unknown;
  readonly readable: boolean;
  readonly problems: readonly Problem[];
  has(path: Path): boolean;
  /** The references behind a value; null: it is in the file itself. */
  origin(path: Path): Origin | null;
  /** The place of a value or, with `key`, of its key. For a missing value, its parent's key. */
  place(path: Path, of: 'key' | 'value'): Place;
}

interface Place {
  /** The file; default: the configuration file itself. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

const ALIASES_MAX = 100;
const AS_IT_STANDS = 'is taken as it stands: for an environment variable write ${env:NAME}';

/** Checking time grows with the square of the keys. This many take about a second. */
const TEXTS_MAX = 10_000;
const TEXTS: ReadonlySet<string | null> = new Set([
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'block-scalar-header',
]);

function holdsTooMuch(text: string): boolean {
  let texts = 0;
  for (const token of new Lexer().lex(text)) {
    if (TEXTS.has(CST.tokenType(token))) texts += 1;
    if (texts > TEXTS_MAX) return true;
  }
  return false;
}

const TOO_MUCH: SourceFile = {
  value: null,
  readable: false,
  problems: [{ line: 1, column: 1, path: '', message: `it has more than ${TEXTS_MAX} keys and values` }],
  has: () => false,
  origin: () => null,
  place: () => ({ line: 1, column: 1 }),
};

/** YAML 1.2. Never throws: faults are in `problems`. */
export function readDocument(text: string, around: Surroundings): SourceFile {
  if (holdsTooMuch(text)) return TOO_MUCH;
  const lines = new LineCounter();
  const doc = parseDocument(shieldReferences(text), {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    stringKeys: true,
    // `<<: *anchor` merges the keys of the anchor; a quoted "<<" is a normal key.
    merge: true,
  });
  const problems: Problem[] = [];
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const report = (offset: number, message: string, path = ''): void => {
    problems.push({ ...placeAt(offset), path, message });
  };

  for (const { code, message, pos } of withoutEchoes([...doc.errors, ...doc.warnings])) {
    report(pos[0], code === 'DUPLICATE_KEY' ? 'this key is given twice' : unshieldReferences(message));
  }
  let readable = doc.errors.every(({ code }) => code === 'DUPLICATE_KEY');

  let aliases = 0;
  const origins = new Map<Node, Origin>();
  visit(doc, {
    Alias(_key, node, ancestors) {
      const fault = ++aliases > ALIASES_MAX ? `more than ${ALIASES_MAX} aliases` : aliasFault(node, doc, ancestors);
      if (fault === null) return undefined;
      readable = false;
      report(node.range?.[0] ?? 0, fault);
      return aliases > ALIASES_MAX ? visit.BREAK : undefined;
    },
    Scalar(key, node, ancestors) {
      if (typeof node.value === 'string') node.value = unshieldReferences(node.value);
      if (key === 'key') return;
      const path = dotted(pathOf([...ancestors, node]));
      if (typeof node.value === 'string' && isShellVariable(node.value))
        report(node.range?.[0] ?? 0, AS_IT_STANDS, path);
      const origin = replaceReferences(node, text, around, (offset, message) => report(offset, message, path));
      if (origin !== null) origins.set(node, origin);
    },
  });

  const value = readable ? toValue(doc) : null;
  if (value === TOO_MANY_ALIASES) report(0, 'its aliases stand for too much');
  return {
    value,
    readable: readable && value !== TOO_MANY_ALIASES,
    problems,
    has: (path) => find(doc, path) !== null,
    origin: (path) => {
      const node = find(doc, path)?.value;
      return (node && origins.get(node)) ?? null;
    },
    place: (path, of) => placeAt(offsetOf(doc, path, of)),
  };
}

/** After one misplaced token, the parser reports an error for every following token. */
function withoutEchoes(errors: readonly YAMLError[]): YAMLError[] {
  const first = errors.find(({ code }) => code === 'UNEXPECTED_TOKEN');
  return errors.filter((error) => error === first || error.code !== 'UNEXPECTED_TOKEN');
}

function aliasFault(alias: Alias, doc: Document, ancestors: readonly unknown[]): string | null {
  const target = alias.resolve(doc);
  if (target === undefined) return `nothing is named &${alias.source} before this`;
  return ancestors.includes(target) ? `*${alias.source} stands inside what it names` : null;
}

const TOO_MANY_ALIASES = Symbol('too many aliases');

/** Aliases of aliases grow fast. The library throws at a limit. */
function toValue(doc: Document): unknown {
  try {
    return doc.toJS({ maxAliasCount: ALIASES_MAX });
  } catch {
    return TOO_MANY_ALIASES;
  }
}

/** Replaces and lists the references in a text; null: none. */
function replaceReferences(
  node: Scalar,
  source: string,
  around: Surroundings,
  report: (offset: number, message: string) => void,
): Origin | null {
  if (typeof node.value !== 'string' || !node.value.includes('${')) return null;
  const text = node.value;
  const references = findReferences(text, around);
  const values: string[] = [];
  let result = '';
  let end = 0;
  let from = node.range?.[0] ?? 0;
  for (const { written, index, found } of references) {
    const offset = source.indexOf(written, from);
    if ('error' in found) report(offset < 0 ? from : offset, found.error);
    else values.push(found.value);
    result += text.slice(end, index) + ('value' in found ? found.value : written);
    end = index + written.length;
    if (offset >= 0) from = offset + written.length;
  }
  node.value = result + text.slice(end);
  return {
    written: references.map(({ written }) => written),
    values,
    failed: references.some(({ found }) => 'error' in found),
  };
}

function pathOf(chain: readonly unknown[]): Path {
  return chain.flatMap((node, index): PropertyKey[] => {
    if (isPair(node)) return [isScalar(node.key) ? String(node.key.value) : ''];
    return isSeq(node) ? [node.items.indexOf(chain[index + 1])] : [];
  });
}

interface Found {
  readonly key: Node | null;
  readonly value: Node | null;
}

function find(doc: Document, path: Path): Found | null {
  let found: Found = { key: null, value: doc.contents };
  for (const step of path) {
    const next = child(doc, followed(doc, found.value), step);
    if (next === null) return null;
    found = next;
  }
  return { key: found.key, value: followed(doc, found.value) };
}

const followed = (doc: Document, node: Node | null): Node | null =>
  isAlias(node) ? ((node.resolve(doc) as Node | undefined) ?? null) : node;

function child(doc: Document, parent: Node | null, step: PropertyKey): Found | null {
  if (isSeq(parent)) {
    const item = parent.items[Number(step)];
    return item === undefined ? null : { key: null, value: item as Node };
  }
  if (!isMap(parent)) return null;
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === step);
  if (pair !== undefined) return { key: pair.key as Node, value: pair.value as Node | null };
  const merged = parent.items.filter(({ key }) => isScalar(key) && key.value === '<<' && key.type === 'PLAIN');
  const bases = merged.flatMap(({ value }) => basesIn(doc, value as Node | null));
  return bases.map((base) => child(doc, base, step)).find((found) => found !== null) ?? null;
}

function basesIn(doc: Document, value: Node | null): (Node | null)[] {
  const base = followed(doc, value);
  return isSeq(base) ? base.items.map((item) => followed(doc, item as Node)) : [base];
}

function offsetOf(doc: Document, path: Path, of: 'key' | 'value'): number {
  for (let length = path.length; length > 0; length--) {
    const found = find(doc, path.slice(0, length));
    if (found === null) continue;
    const wanted = of === 'value' && length === path.length ? found.value : found.key;
    const range = (wanted ?? found.value ?? found.key)?.range;
    if (range) return range[0];
  }
  return doc.contents?.range?.[0] ?? 0;
}
