/** One thing that was found, and what is said of it. */
export interface Finding {
  /** The kind of thing it is said of: a flow, a collection. */
  readonly about: string;
  readonly key: string;
  readonly text: string;
}

/** Findings that differ in nothing but which entity they name. */
export interface Group {
  readonly about: string;
  readonly count: number;
  /** The first of them. */
  readonly example: { readonly key: string; readonly text: string };
}

/** Groups what is said alike, the largest group first: words with a digit in them are names and figures. */
export function groupAlike(findings: readonly Finding[]): Group[] {
  const groups = Map.groupBy(findings, ({ about, text }) => `${about}\n${text.replaceAll(/\S+/g, withoutNames)}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      return [{ about: first.about, count: group.length, example: { key: first.key, text: first.text } }];
    })
    .toSorted((a, b) => b.count - a.count);
}

function withoutNames(word: string): string {
  return /\d/.test(word) ? '…' : word;
}
