/**
 * Returns the names that occur on several different rows of one answer. An answer is one snapshot, so such rows
 * contradict each other.
 * @param nameOf null for a row without a name
 */
export function contradicted<T>(rows: Iterable<T>, nameOf: (row: T) => string | null): Set<string> {
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

export const TWICE = 'it stands twice in one answer, and not the same each time';
