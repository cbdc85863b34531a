import { isRawNumber, parseJson } from '../../http/json.ts';

export const FORGOTTEN = '[forgotten]';

/** Personal fields, with everything inside, by the names that either side uses. */
const PERSONAL = /name|dba|mail|phone|mobile|fax|licen|address|street|city|zip|postal|contact|note|instruction/i;
/** Fields about things, and about the seller. */
const NO_PERSON = /^(line_items|lines|seller|brand|facility|product)/;
/** Shorter texts may be ordinary words, so they count only as names. */
const SHORTEST_TEXT = 4;
const SHORTEST_NAME = 2;
const NAME = /name|dba/i;
/** A side's own message. It may quote sent values partly and in any spelling. */
const SAID_BY_A_SIDE = 'answer';

/** The texts in received bodies that identify a person, longest first. */
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
 * Patterns that find these texts in any case and spacing, also in JSON within a text. A short text matches only as a
 * whole word.
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
 * The text, and its JSON-escaped spelling if different. The escaped one comes first, because it may contain the other.
 */
function spellingsOf(text: string): string[] {
  return [...new Set([JSON.stringify(text).slice(1, -1), text])];
}

/** The text without matches. In JSON only texts change, not codes. */
export function withoutTexts(text: string, patterns: readonly RegExp[]): string {
  const hide = (one: string) => patterns.reduce((left, pattern) => left.replaceAll(pattern, FORGOTTEN), one);
  const changedPart = (name: string, part: string) => (name === SAID_BY_A_SIDE ? FORGOTTEN : hide(part));
  return changed(text, (name, part) => (name === 'code' ? part : changedPart(name, part))) ?? hide(text);
}

/** JSON without personal fields. A text that is no JSON is replaced completely. */
export function withoutPerson(text: string): string {
  if (text === '') return text;
  return changed(text, (name, part, personal) => (personal && name !== 'code' ? '' : part)) ?? FORGOTTEN;
}

type Change = (name: string, part: string, personal: boolean) => string;

/** JSON with changed texts and unchanged numbers; null: no JSON. */
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

/** null: neither an object nor a list in JSON. */
function readJson(text: string): unknown {
  if (!/^[[{]/.test(text)) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
