import { isRawNumber, parseJson } from '../../http/json.ts';

/** The text that replaces a text about a person. */
export const FORGOTTEN = '[forgotten]';

/** Fields about a person, with everything inside of them, by the names that either side uses. */
const PERSONAL = /name|dba|mail|phone|mobile|fax|licen|address|street|city|zip|postal|contact|note|instruction/i;
/** Fields about things, and about the seller. */
const NO_PERSON = /^(line_items|lines|seller|brand|facility|product)/;
/** Shorter texts may be ordinary words, unless they are names. */
const SHORTEST_TEXT = 4;
const SHORTEST_NAME = 2;
const NAME = /name|dba/i;
/** The field with the words of a side. A side may quote sent values in any spelling, and only in part. */
const SAID_BY_A_SIDE = 'answer';

/** The texts in received bodies by which a person can be recognized, longest first. */
export function textsOf(received: readonly string[]): string[] {
  const found = new Set<string>();
  const walk = (field: string, value: unknown, personal: boolean): void => {
    const shortest = NAME.test(field) ? SHORTEST_NAME : SHORTEST_TEXT;
    if (typeof value === 'string' && personal && value.trim().length >= shortest) found.add(value.trim());
    for (const [name, part] of partsOf(value)) {
      if (!NO_PERSON.test(name)) walk(Array.isArray(value) ? field : name, part, personal || PERSONAL.test(name));
    }
  };
  for (const text of received) walk('', readJson(text), false);
  return [...found].toSorted((a, b) => b.length - a.length);
}

/**
 * Patterns that find these texts in any case and with any spaces, also in JSON that stands within a text. A short text is found
 * only as a whole word.
 */
export function patternsOf(texts: readonly string[]): RegExp[] {
  return texts.flatMap(spellingsOf).map((text) => {
    const words = text.split(/\s+/).map((word) => word.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`));
    const all = words.join(String.raw`\s+`);
    if (text.length >= SHORTEST_TEXT) return new RegExp(all, 'giu');
    return new RegExp(String.raw`(?<![\p{L}\p{N}])${all}(?![\p{L}\p{N}])`, 'gu');
  });
}

/**
 * The text, and its spelling in JSON if it has quotes, ends of lines or the like. The JSON spelling comes first, because the
 * text may be a part of it.
 */
function spellingsOf(text: string): string[] {
  return [...new Set([JSON.stringify(text).slice(1, -1), text])];
}

/** The text without the parts that these patterns find. In JSON only texts are changed, and no codes. */
export function withoutTexts(text: string, patterns: readonly RegExp[]): string {
  const hide = (one: string) => patterns.reduce((left, pattern) => left.replaceAll(pattern, FORGOTTEN), one);
  const changedPart = (name: string, part: string) => (name === SAID_BY_A_SIDE ? FORGOTTEN : hide(part));
  return changed(text, (name, part) => (name === 'code' ? part : changedPart(name, part))) ?? hide(text);
}

/** JSON without the fields about a person. A text that is no JSON is forgotten as a whole. */
export function withoutPerson(text: string): string {
  if (text === '') return text;
  return changed(text, (name, part, personal) => (personal && name !== 'code' ? '' : part)) ?? FORGOTTEN;
}

type Change = (name: string, part: string, personal: boolean) => string;

/** JSON with changed texts and unchanged numbers; null: the text is no JSON. */
function changed(text: string, change: Change): string | null {
  const walk = (name: string, value: unknown, personal: boolean): unknown => {
    if (NO_PERSON.test(name)) return value;
    if (typeof value === 'string') return change(name, value, personal);
    if (Array.isArray(value)) return value.map((item) => walk(name, item, personal));
    const parts = partsOf(value);
    if (parts.length === 0) return value;
    return Object.fromEntries(
      parts.map(([part, of]) => [part, walk(part, of, personal || PERSONAL.test(part))] as const),
    );
  };
  const read = readJson(text);
  return read === null ? null : JSON.stringify(walk('', read, false));
}

function partsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return [];
  return Object.entries(value as Record<string, unknown>);
}

/** null for a text that is neither an object nor a list in JSON. */
function readJson(text: string): unknown {
  if (!/^[[{]/.test(text)) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
