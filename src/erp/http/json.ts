interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}
const json = JSON as unknown as JsonWithSource;

/** A number that may not survive as a float. Matches inside texts too, which costs time and nothing else. */
const DELICATE_NUMBER = /(?:"\s*:|[,[])\s*-?\d+(?:[.eE]|(?<=\d{16}))/;

/**
 * JSON without loss: a number that a float would change (12.5000, 9007199254740993) is kept as its source text in a
 * `JSON.rawJSON` object, which `JSON.stringify` writes back byte for byte. Plain integers stay numbers.
 *
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  if (!DELICATE_NUMBER.test(text)) return JSON.parse(text);
  return json.parse(text, (_key, value, context) =>
    typeof value === 'number' && !(Number.isSafeInteger(value) && String(value) === context.source)
      ? json.rawJSON(context.source ?? String(value))
      : value,
  );
}

/** The digits of a decimal that came as a string (the contract) or as a number (tolerated); null when it is neither. */
export function decimalText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return json.isRawJSON(value) ? value.rawJSON : null;
}
