import { type Dialect, type Token, tokensOf } from './tokens.ts';

/** A bound value. Decimals and times are texts. A list belongs in `in (:skus)`. */
export type Parameter = string | number | boolean | null;
export type Parameters = Readonly<Record<string, Parameter | readonly Parameter[]>>;

/** A statement, with its values apart from the text. */
export interface Bound {
  readonly text: string;
  readonly values: readonly Parameter[];
  /** The names of the values, for messages. */
  readonly names?: readonly string[];
}

/** The names of the parameters of a statement, each once. */
export function parametersOf(sql: string, dialect: Dialect): string[] {
  const names = tokensOf(sql, dialect).flatMap(({ kind, text }) => (kind === 'parameter' ? [text] : []));
  return [...new Set(names)];
}

export function hasFilter(sql: string, dialect: Dialect): boolean {
  return tokensOf(sql, dialect).some(({ kind }) => kind === 'filter');
}

/**
 * A query with its condition. Both come from the configuration, and neither holds a value.
 * @param condition null: every row
 */
export function withFilter(sql: string, condition: string | null, dialect: Dialect): string {
  const put = condition === null ? '1 = 1' : `(\n${condition}\n)`;
  return tokensOf(sql, dialect)
    .map((token) => (token.kind === 'filter' ? put : written(token)))
    .join('');
}

/**
 * A statement as the database takes it. Each use of a parameter becomes a placeholder of its own, and a list becomes one
 * placeholder for each value. A parameter that is not given is null.
 */
export function bind(sql: string, given: Parameters, dialect: Dialect): Bound {
  const values: Parameter[] = [];
  const names: string[] = [];
  const place = (name: string, value: Parameter): string => {
    values.push(value);
    names.push(name);
    if (dialect === 'mysql') return '?';
    // Without the cast, a time would lose its zone when it is compared with a timestamp without a zone.
    return isInstantName(name) ? `$${values.length}::timestamptz` : `$${values.length}`;
  };
  const text = tokensOf(sql, dialect).map((token) => {
    if (token.kind !== 'parameter') return written(token);
    const value = given[token.text] ?? null;
    if (typeof value !== 'object' || value === null) return place(token.text, value);
    // No value is equal to null, so an empty list finds nothing.
    return value.length === 0 ? place(token.text, null) : value.map((one) => place(token.text, one)).join(', ');
  });
  return { text: text.join(''), values, names };
}

/** Does a parameter of this name hold an instant? */
export function isInstantName(name: string): boolean {
  return name === 'since' || name.endsWith('_at');
}

function written({ kind, text }: Token): string {
  return kind === 'parameter' ? `:${text}` : text;
}

const READS = ['select', 'with', 'values', 'table'];
const WRITES = ['insert', 'update', 'delete', 'replace', 'merge', 'select', 'with', 'call'];
/** Words that no reading query has, except as the name of something, and then quoted or behind a dot. */
const WRITING =
  /(?<![.\w])(insert|update|delete|merge|truncate|drop|alter|create|grant|revoke|call|into|outfile)(?!\w)/i;

/** The problem of the query of a list; null when it has none. The read-only transaction refuses any write that passes here. */
export function queryProblem(sql: string, dialect: Dialect): string | null {
  const problem = statementProblem(sql, dialect, READS, 'a query that only reads begins with');
  if (problem !== null) return problem;
  const word = WRITING.exec(codeOf(sql, dialect))?.[1]?.toUpperCase();
  return word === undefined ? null : `a query of a list only reads, and this one has ${word}`;
}

/** The problem of a condition; null when it has none. */
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

/** The problem of a statement of a write; null when it has none. */
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

/** The statement without its comments. Empty quotes replace each quoted text and each parameter. */
function codeOf(sql: string, dialect: Dialect): string {
  const parts = tokensOf(sql, dialect).map(({ kind, text }) => {
    if (kind === 'code') return text;
    return kind === 'comment' ? ' ' : " '' ";
  });
  return parts.join('').trim();
}
