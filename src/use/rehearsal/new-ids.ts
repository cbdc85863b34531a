/** Makes an id for something that does not exist yet. No id of either side looks like it. */
export type NewId = () => string;

export interface NewIds {
  /** Makes an id for an entity whose id is a text. */
  readonly text: NewId;
  /** Makes an id for an entity whose id is a number. */
  readonly number: () => number;
  /** The text with NEW in the place of every id that was made here. */
  shown<Text extends string | null>(text: Text): Text;
}

const FIRST = Number.MAX_SAFE_INTEGER;

export function createNewIds(): NewIds {
  const made = new Set<string>();
  const next = (): number => {
    const id = FIRST - made.size;
    made.add(String(id));
    return id;
  };
  return {
    text: () => String(next()),
    number: next,
    shown: (text) =>
      (text === null
        ? null
        : asShown(text).replaceAll(/\d{16}/g, (found) => (made.has(found) ? NEW : found))) as typeof text,
  };
}

/** Stands in a plan for an id that only the write itself will bring. */
export const NEW = '(new)';

/** A text of either side as a plan shows it. A backslash before NEW says that the characters stand for themselves. */
export function asShown(text: string): string {
  return text.replaceAll(NEW, `\\${NEW}`);
}

/** The text of a side, from the text that a plan shows. */
export function asMeant(shown: string): string {
  return shown.replaceAll(`\\${NEW}`, NEW);
}

const STANDS_FOR_AN_ID = /(?<!\\)\(new\)/;

/** Does the text wait for an id that only the write itself will bring? */
export function awaitsId(shown: string): boolean {
  return STANDS_FOR_AN_ID.test(shown);
}

/** The longest id of either side. */
const LONGEST_ID = 200;

/** Is `actual` the text that the plan shows, with any id in the place of each NEW? Each part is searched for once. */
export function isShownAs(planned: string | null, actual: string | null): boolean {
  if (planned === null || actual === null) return planned === actual;
  const text = asShown(actual);
  const [first = '', ...parts] = planned.split(STANDS_FOR_AN_ID);
  const last = parts.pop();
  if (last === undefined) return text === planned;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at + 1);
    if (found < 0 || found - at > LONGEST_ID) return false;
    at = found + part.length;
  }
  const idLength = text.length - last.length - at;
  return text.endsWith(last) && idLength > 0 && idLength <= LONGEST_ID;
}
