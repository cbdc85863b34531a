import { Exact } from '../exact.ts';
import type { Answer, Handler } from './call.ts';
import { invalid } from './refusal.ts';
import type { Fields } from './wire-values.ts';

/** The answer of a list without pages, sorted by the attribute that `ordering` names. @throws Refusal 400 */
export function wholeList(rows: readonly Fields[], ordering: string | null): Answer {
  const sorted = ordering === null ? rows : inOrder(rows, ordering);
  return { kind: 'rows', count: sorted.length, rows: sorted.map((row) => JSON.stringify(row)) };
}

/** Choices as {value, display_value}, all at once. */
export function choices(names: Iterable<string>, valueOf: (name: string) => string): Handler {
  return (_market, { query: { search = '' }, window }) => {
    const wanted = String(search).toLowerCase();
    const found = [...names].filter((name) => name.toLowerCase().includes(wanted));
    return wholeList(
      found.map((name) => ({ value: valueOf(name), display_value: name })),
      window.ordering,
    );
  };
}

function inOrder(rows: readonly Fields[], ordering: string): readonly Fields[] {
  const attribute = ordering.replace(/^-/, '');
  if (rows[0] !== undefined && !(attribute in rows[0])) throw invalid('ordering', `${attribute} is no attribute.`);
  const sign = ordering.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => sign * compared(one[attribute], other[attribute]));
}

/** Compares decimals by their value, in any notation, and everything else as text. */
function compared(one: unknown, other: unknown): number {
  const [a, b] = [text(one), text(other)];
  if (DECIMAL.test(a) && DECIMAL.test(b)) return new Exact(a).comparedTo(b);
  return a < b ? -1 : Number(a > b);
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
