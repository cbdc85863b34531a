import { instantNs } from './instant.ts';

/** A part of a collection that reads have covered, with both ends, spelled as the server wrote them. null: before everything. */
export interface Interval {
  readonly from: string | null;
  readonly to: string | null;
}

/** A gap between two covered parts. */
export interface Hole {
  readonly from: string | null;
  readonly to: string;
}

/** Do the two parts touch, so that nothing between them is uncovered? */
export function isTouching(a: Interval, b: Interval): boolean {
  return compare(a.from, b.to) <= 0 && compare(b.from, a.to) <= 0;
}

/** The smallest part that covers two parts that touch. When two ends are equal, the first one's spelling stays. */
export function joined(a: Interval, b: Interval): Interval {
  return { from: compare(b.from, a.from) < 0 ? b.from : a.from, to: compare(b.to, a.to) > 0 ? b.to : a.to };
}

/** The same coverage in as few intervals as possible, in order. An interval that ends before it begins covers its beginning. */
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
 * The holes between intervals, earliest first. Time after the last interval is not read yet, so it is no hole.
 * @param fromBeginning the time before the first interval counts as a hole too
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

/** The earlier instant first; null before all. A text that is no instant counts as null, so it can never cover anything. */
function compare(a: string | null, b: string | null): number {
  const [first, second] = [nsOf(a), nsOf(b)];
  if (first === second) return 0;
  if (first === null || second === null) return first === null ? -1 : 1;
  return first < second ? -1 : 1;
}

function nsOf(text: string | null): bigint | null {
  return text === null ? null : instantNs(text);
}
