const MAX_DEPTH = 20;
const MAX_VALUES = 10_000;
const MAX_TEXT = 100_000;

/**
 * The engine's numbers are floats, so only whole numbers are accepted: a decimal must stay text.
 * @throws Error that names the part that cannot be sent
 */
export function plainValue(result: unknown): unknown {
  let valuesLeft = MAX_VALUES;
  let textLeft = MAX_TEXT;
  const plain = (value: unknown, depth: number): unknown => {
    valuesLeft -= 1;
    if (valuesLeft < 0 || depth > MAX_DEPTH) throw new Error('its result is too large');
    switch (typeof value) {
      case 'undefined':
      case 'boolean':
        return value;
      case 'string':
        textLeft -= value.length;
        if (textLeft < 0) throw new Error(`its result holds more than ${MAX_TEXT} characters`);
        return value;
      case 'number':
        if (Number.isSafeInteger(value)) return value;
        throw new Error(`its result is the number ${value}: only whole numbers are exact, write a decimal as text`);
      case 'object':
        return plainObject(value, depth);
      default:
        throw new Error('its result is a function: it has to be called');
    }
  };
  const plainObject = (value: object | null, depth: number): unknown => {
    if (value === null) return null;
    if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1)).filter((item) => item !== undefined);
    if ('_jsonata_lambda' in value || '_jsonata_function' in value) return plain(() => {}, depth);
    const entries = Object.entries(value).map(([name, part]) => [name, plain(part, depth + 1)] as const);
    return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
  };
  return plain(result, 0);
}
