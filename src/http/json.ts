/**
 * A number that JavaScript cannot represent exactly as written (12.5000, 1e400, 9007199254740993), with its source
 * text. `JSON.stringify` writes it back byte for byte. Safe integers stay numbers.
 */
export interface RawNumber {
  readonly rawJSON: string;
}

interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}
const json = JSON as unknown as JsonWithSource;

/** A number that a float may not represent. Matches inside texts only cost time. */
const DELICATE_NUMBER = /(?:^|"\s*:|[,[])\s*(?:-0|-?\d+(?:[.eE]|(?<=\d{16})))/;

/** @throws SyntaxError when the text is not JSON. */
export function parseJson(text: string): unknown {
  if (!DELICATE_NUMBER.test(text)) return JSON.parse(text);
  return json.parse(text, (_key, value, context) =>
    typeof value === 'number' && !(Number.isSafeInteger(value) && String(value) === context.source)
      ? json.rawJSON(context.source ?? String(value))
      : value,
  );
}

export function rawNumber(text: string): RawNumber {
  return json.rawJSON(text);
}

export function isRawNumber(value: unknown): value is RawNumber {
  return json.isRawJSON(value);
}

/** The digits of a decimal number or string; null: neither. */
export function decimalText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'string') return value;
  return isRawNumber(value) ? value.rawJSON : null;
}

/** Replaces each number that JavaScript cannot represent exactly by its source text. */
export function withTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(withTexts);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withTexts(part)]));
}
