/** Creates a temporary id that neither side could have. */
export type NewId = () => string;

export interface NewIds {
  readonly text: NewId;
  readonly number: () => number;
  /** Replaces temporary ids by NEW. */
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

/** In a plan, an id that the write itself creates. */
export const NEW = '(new)';

/** A side's text in a plan. A backslash marks a literal NEW. */
export function asShown(text: string): string {
  return text.replaceAll(NEW, `\\${NEW}`);
}

export function fromShown(shown: string): string {
  return shown.replaceAll(`\\${NEW}`, NEW);
}

const STANDS_FOR_AN_ID = /(?<!\\)\(new\)/;

/** Whether the text contains an id that the write creates. */
export function awaitsId(shown: string): boolean {
  return STANDS_FOR_AN_ID.test(shown);
}

const LONGEST_ID = 200;

/** Whether `actual` matches the plan's text, with any id for each NEW. Each part is searched once. */
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
