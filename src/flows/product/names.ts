import { nearestOf } from '../../config/suggest.ts';
import type { Named } from '../../store/marketplace.ts';

/** The record with this name, or why it is ambiguous. null: there is none. */
export type Match =
  | { readonly id: number; readonly problem: null }
  | { readonly id: null; readonly problem: string }
  | null;

/**
 * Chooses among records with the same name. A known parent excludes records of other parents.
 * @param what the kind of record, for messages: `category`
 */
export function pickNamed(alike: readonly Named[], parentId: number | null, what: string): Match {
  const others = parentId === null ? [] : alike.filter((one) => one.parentId !== null && one.parentId !== parentId);
  const possible = alike.filter((one) => !others.includes(one));
  const own = possible.filter((one) => parentId !== null && one.parentId === parentId);
  const meant = own.length > 0 ? own : possible;
  const [first, second] = meant;
  if (first === undefined) return null;
  if (second === undefined) return { id: first.id, problem: null };
  const shown = meant.map(({ id, name }) => `"${name}" (${id})`).join(', ');
  return {
    id: null,
    problem: `${meant.length} records on the marketplace have the name of this ${what}: ${shown}; rename all but one`,
  };
}

const MAX_SUGGESTED = 3;

/** `the marketplace has no category "Flowr"; the nearest are "Flower", "Flour"` */
export function unknownName(what: string, name: string, all: readonly Named[]): string {
  const names = [...new Set(all.map((one) => one.name))];
  const near = nearestOf(name, names, MAX_SUGGESTED);
  const advice =
    near.length > 0
      ? `; the nearest ${near.length === 1 ? 'is' : 'are'} ${quoted(near)}`
      : names.length === 0
        ? '; it has none at all'
        : `; it has ${quoted(names.slice(0, MAX_SUGGESTED))}${names.length > MAX_SUGGESTED ? ` and ${names.length - MAX_SUGGESTED} more` : ''}`;
  return `the marketplace has no ${what} "${name}"${advice}`;
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
