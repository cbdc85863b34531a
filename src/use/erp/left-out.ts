/** A field of an answer that is in no mapped row, with a value that it has. */
export interface LeftOut {
  /** `items[].warehouse.name` */
  readonly path: string;
  readonly example: string;
}

/** The most fields that are listed, because a person reads the list. */
const MOST_FIELDS = 200;
const MOST_CHARACTERS = 80;

/**
 * The fields of JSON answers that appear in none of the rows that were made of them, neither by name nor by value. A mapping that
 * computes with a value leaves no trace of it. Such a field is therefore named as well.
 */
export function leftOut(answers: readonly string[], rows: readonly unknown[]): LeftOut[] {
  const taken = { names: new Set<string>(), values: new Set<string>() };
  for (const [path, value] of leaves(rows)) {
    taken.names.add(plainName(path));
    taken.values.add(value);
  }
  const fields = new Map<string, { example: string; isTaken: boolean }>();
  for (const answer of answers) {
    for (const [path, value] of leaves(jsonIn(answer))) {
      const field = fields.get(path) ?? { example: value, isTaken: false };
      field.isTaken ||= taken.names.has(plainName(path)) || (value.length > 1 && taken.values.has(value));
      fields.set(path, field);
    }
  }
  return [...fields]
    .filter(([, { isTaken }]) => !isTaken)
    .slice(0, MOST_FIELDS)
    .map(([path, { example }]) => ({ path, example: example.slice(0, MOST_CHARACTERS) }));
}

/** An answer is a head, an empty line and the body; or the body alone. */
function jsonIn(answer: string): unknown {
  const body = answer.slice(answer.indexOf('\n\n') + 1);
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Nobody maps a field that is nested deeper, and a reader that follows it runs out of stack. */
const MOST_LEVELS = 64;

/** Every text, number and flag, with its path. The elements of an array stand under `[]`. */
function* leaves(value: unknown, path = '', level = 0): Generator<[path: string, value: string]> {
  if (value === null || value === undefined || value === '' || level > MOST_LEVELS) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* leaves(item, `${path}[]`, level + 1);
  } else if (typeof value === 'object') {
    for (const [name, item] of Object.entries(value))
      yield* leaves(item, path === '' ? name : `${path}.${name}`, level + 1);
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    yield [path, String(value)];
}

/** `on_hand` and `onHand` are one name. */
function plainName(path: string): string {
  return (path.split('.').at(-1) ?? '').replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
}
