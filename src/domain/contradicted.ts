/**
 * Returns the names that occur on several different rows of one answer, which is one snapshot. Such rows contradict
 * each other.
 */
export function contradictingNames<T>(rows: Iterable<T>, nameOf: (row: T) => string | null): Set<string> {
  const first = new Map<string, T>();
  const names = new Set<string>();
  for (const row of rows) {
    const name = nameOf(row);
    if (name === null) continue;
    const known = first.get(name);
    if (known === undefined) first.set(name, row);
    else if (JSON.stringify(known) !== JSON.stringify(row)) names.add(name);
  }
  return names;
}

export const CONTRADICTION = 'it stands twice in one answer, and not the same each time';
