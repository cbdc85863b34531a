/** `; did you mean "x"?` for the candidate nearest to a mistyped word; empty: none is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const best = nearest(word, candidates);
  return best === null ? '' : `; did you mean "${best}"?`;
}

/** The candidate with the fewest typing mistakes: at most one in three characters. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  return nearestOf(word, candidates, 1)[0] ?? null;
}

export function nearestOf(word: string, candidates: readonly string[], count: number): string[] {
  const most = Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  const near: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    if (word.length > 100 || Math.abs(candidate.length - word.length) > most) continue;
    const distance = mistakes(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= most) near.push({ candidate, distance });
  }
  return near
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** The number of inserted, deleted, replaced or swapped characters (optimal string alignment). */
function mistakes(from: string, to: string): number {
  const width = to.length + 1;
  const cost = Array.from({ length: (from.length + 1) * width }, (_, cell) =>
    cell < width ? cell : cell % width === 0 ? cell / width : 0,
  );
  const at = (row: number, column: number): number => cost[row * width + column] ?? 0;
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      cost[i * width + j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + same,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(from.length, to.length);
}
