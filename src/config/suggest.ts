/** `; did you mean "x"?` for the candidate nearest to a mistyped word, or nothing when none is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const best = nearest(word, candidates);
  return best === null ? '' : `; did you mean "${best}"?`;
}

/** The candidate that differs from `word` by the fewest typing mistakes, at most one in three characters. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.min(3, Math.max(1, Math.floor(word.length / 3))) + 1;
  for (const candidate of candidates) {
    if (word.length > 100 || Math.abs(candidate.length - word.length) >= least) continue;
    const distance = mistakes(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Letters inserted, left out, replaced or swapped with their neighbour (optimal string alignment). */
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
