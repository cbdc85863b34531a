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
      (text === null ? null : text.replaceAll(/\d{16}/g, (found) => (made.has(found) ? NEW : found))) as typeof text,
  };
}

/** Stands in a plan for an id that only the write itself will bring. */
export const NEW = '(new)';

/** Is the text what a plan shows, with any id in the place of a new one? */
export function isShownAs(planned: string | null, actual: string | null): boolean {
  if (planned === null || actual === null) return planned === actual;
  const parts = planned.split(NEW).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.+')}$`, 's').test(actual);
}
