/** A field of the answer that no mapped row has, with an example value. */
export interface LeftOut {
  /** `items[].warehouse.name` */
  readonly path: string;
  readonly example: string;
}

/** A person reads the list. */
const MOST_FIELDS = 200;
const MOST_CHARACTERS = 80;

/**
 * Fields that occur in no mapped row, by name or by value. A value used only in a computation leaves no trace, so its
 * field is listed too.
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

/** The body after a head and an empty line, or the body alone. */
function jsonIn(answer: string): unknown {
  const body = answer.slice(answer.indexOf('\n\n') + 1);
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Deeper fields are never mapped, and would overflow the stack. */
const MOST_LEVELS = 64;

/** Every text, number and flag with its path. Array elements are under `[]`. */
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

/** `on_hand` equals `onHand`. */
function plainName(path: string): string {
  return (path.split('.').at(-1) ?? '').replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
}
