/** An id for something that is not there yet, which no id of either side resembles. */
export type NewId = () => string;

export interface NewIds {
  /** For an entity that is named by a text. */
  readonly text: NewId;
  /** For an entity that is named by a number. */
  readonly number: () => number;
  /** The text with every such id as a person reads it. */
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

/** The same characters in a text of either side stand for themselves: a backslash before them says so. */
export function asShown(text: string): string {
  return text.replaceAll(NEW, `\\${NEW}`);
}

/** The text of a side that a plan shows like this. */
export function asMeant(shown: string): string {
  return shown.replaceAll(`\\${NEW}`, NEW);
}

const STANDS_FOR_AN_ID = /(?<!\\)\(new\)/;

/** Does an id stand there that only the write itself will bring? */
export function awaitsId(shown: string): boolean {
  return STANDS_FOR_AN_ID.test(shown);
}

/** No id of either side is longer. */
const LONGEST_ID = 200;

/** Is the text what a plan shows, with any id in the place of a new one? Each part is looked for once. */
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
