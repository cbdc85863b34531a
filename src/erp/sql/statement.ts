import { type Dialect, type Token, tokensOf } from './tokens.ts';

/** Decimals and times are texts. A list belongs in `in (:skus)`. */
export type Parameter = string | number | boolean | null;
export type Parameters = Readonly<Record<string, Parameter | readonly Parameter[]>>;

export interface Bound {
  readonly text: string;
  readonly values: readonly Parameter[];
  /** The values' names, for messages. */
  readonly names?: readonly string[];
}

/** The distinct parameter names of a statement. */
export function parametersOf(sql: string, dialect: Dialect): string[] {
  const names = tokensOf(sql, dialect).flatMap(({ kind, text }) => (kind === 'parameter' ? [text] : []));
  return [...new Set(names)];
}

export function hasFilter(sql: string, dialect: Dialect): boolean {
  return tokensOf(sql, dialect).some(({ kind }) => kind === 'filter');
}

/**
 * A query with its condition. Both are configured text without values.
 * @param condition null: every row
 */
export function withFilter(sql: string, condition: string | null, dialect: Dialect): string {
  const put = condition === null ? '1 = 1' : `(\n${condition}\n)`;
  return tokensOf(sql, dialect)
    .map((token) => (token.kind === 'filter' ? put : written(token)))
    .join('');
}

/**
 * The statement with a placeholder for each use of a parameter and for each value of a list. A missing parameter is
 * null.
 */
export function bind(sql: string, given: Parameters, dialect: Dialect): Bound {
  const values: Parameter[] = [];
  const names: string[] = [];
  const place = (name: string, value: Parameter): string => {
    values.push(value);
    names.push(name);
    if (dialect === 'mysql') return '?';
    // Without the cast, a time loses its zone in a comparison with a timestamp without zone.
    return isInstantName(name) ? `$${values.length}::timestamptz` : `$${values.length}`;
  };
  const text = tokensOf(sql, dialect).map((token) => {
    if (token.kind !== 'parameter') return written(token);
    const value = given[token.text] ?? null;
    if (typeof value !== 'object' || value === null) return place(token.text, value);
    // An empty list finds nothing, since no value equals null.
    return value.length === 0 ? place(token.text, null) : value.map((one) => place(token.text, one)).join(', ');
  });
  return { text: text.join(''), values, names };
}

export function isInstantName(name: string): boolean {
  return name === 'since' || name.endsWith('_at');
}

function written({ kind, text }: Token): string {
  return kind === 'parameter' ? `:${text}` : text;
}

const READS = ['select', 'with', 'values', 'table'];
const WRITES = ['insert', 'update', 'delete', 'replace', 'merge', 'select', 'with', 'call'];
/** Words that a reading query has only as quoted or qualified names. */
const WRITING =
  /(?<![.\w])(insert|update|delete|merge|truncate|drop|alter|create|grant|revoke|call|into|outfile)(?!\w)/i;

/** null: none. What passes wrongly is refused by the read-only transaction. */
export function queryProblem(sql: string, dialect: Dialect): string | null {
  const problem = statementProblem(sql, dialect, READS, 'a query that only reads begins with');
  if (problem !== null) return problem;
  const word = WRITING.exec(codeOf(sql, dialect))?.[1]?.toUpperCase();
  return word === undefined ? null : `a query of a list only reads, and this one has ${word}`;
}

/** null: none. */
export function conditionProblem(sql: string, dialect: Dialect): string | null {
  const code = codeOf(sql, dialect);
  if (code.includes(';')) return 'is one condition, without ";"';
  let depth = 0;
  for (const mark of code) {
    if (mark === '(') depth += 1;
    if (mark === ')') depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0) return 'has brackets that do not match';
  const word = WRITING.exec(code)?.[1]?.toUpperCase();
  return word === undefined ? null : `a condition of a list only reads, and this one has ${word}`;
}

/** null: none. */
export function writeProblem(sql: string, dialect: Dialect): string | null {
  return statementProblem(sql, dialect, WRITES, 'a statement of a write begins with');
}

function statementProblem(sql: string, dialect: Dialect, words: readonly string[], says: string): string | null {
  const code = codeOf(sql, dialect).replace(/;\s*$/, '');
  if (code.includes(';')) return 'is one statement: give each its own entry';
  if (dialect === 'mysql' && code.includes('?')) return 'has a "?": values are named, such as :reference';
  const first = /^[\s(]*(\w+)/.exec(code)?.[1]?.toLowerCase();
  if (first !== undefined && words.includes(first)) return null;
  return `${says} ${words.map((word) => word.toUpperCase()).join(', ')}`;
}

/** The statement without comments, quoted texts and parameter names. */
function codeOf(sql: string, dialect: Dialect): string {
  const parts = tokensOf(sql, dialect).map(({ kind, text }) => {
    if (kind === 'code') return text;
    return kind === 'comment' ? ' ' : " '' ";
  });
  return parts.join('').trim();
}
