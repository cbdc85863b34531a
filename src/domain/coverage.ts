import { instantNs } from './instant.ts';

/** A time span of a list that was read to its end. Both ends are as the server wrote them. null: before everything. */
export interface Interval {
  readonly from: string | null;
  readonly to: string | null;
}

export interface Hole {
  readonly from: string | null;
  readonly to: string;
}

export function isTouching(a: Interval, b: Interval): boolean {
  return compare(a.from, b.to) <= 0 && compare(b.from, a.to) <= 0;
}

/** Merges two spans that touch. Of two equal ends, the spelling of `a` stays. */
export function joined(a: Interval, b: Interval): Interval {
  return { from: compare(b.from, a.from) < 0 ? b.from : a.from, to: compare(b.to, a.to) > 0 ? b.to : a.to };
}

/** Sorts and merges the spans. A span that ends before it begins covers only its beginning. */
export function merged(intervals: readonly Interval[]): Interval[] {
  const inOrder = intervals
    .map(({ from, to }) => (compare(to, from) < 0 ? { from, to: from } : { from, to }))
    .toSorted((a, b) => compare(a.from, b.from));
  const found: Interval[] = [];
  for (const next of inOrder) {
    const last = found.at(-1);
    if (last !== undefined && isTouching(last, next)) found[found.length - 1] = joined(last, next);
    else found.push(next);
  }
  return found;
}

/**
 * Returns the gaps between spans, earliest first. Time after the last span is not read yet, so it is no gap.
 * @param fromBeginning whether time before the first span counts as a gap
 */
export function holesIn(intervals: readonly Interval[], fromBeginning: boolean): Hole[] {
  const [first, ...rest] = merged(intervals);
  if (first === undefined) return [];
  const holes: Hole[] = fromBeginning && first.from !== null ? [{ from: null, to: first.from }] : [];
  let before = first;
  for (const next of rest) {
    if (next.from !== null) holes.push({ from: before.to, to: next.from });
    before = next;
  }
  return holes;
}

/** Orders by time. null and invalid instants come first, so an invalid text never covers anything. */
function compare(a: string | null, b: string | null): number {
  const [first, second] = [nsOf(a), nsOf(b)];
  if (first === second) return 0;
  if (first === null || second === null) return first === null ? -1 : 1;
  return first < second ? -1 : 1;
}

function nsOf(text: string | null): bigint | null {
  return text === null ? null : instantNs(text);
}
