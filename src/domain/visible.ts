/**
 * Makes text from outside safe for a terminal, the log, CSV and web pages. Characters that move the cursor, end a line,
 * reverse the text, are invisible or stack on their neighbours are escaped as in JSON (`\u202e`). Letters, accents,
 * emoji and tabs stay. Idempotent.
 */
export function visible(text: string): string {
  return text.replace(TELLING, (found: string, hidden: string | undefined) =>
    hidden === undefined ? found : escapedUnits(found),
  );
}

/** A letter or digit with a few combining marks, as people write them. */
const ACCENTED = String.raw`[\p{L}\p{N}](?:(?!\p{DI})\p{M}){1,4}`;
/** A pictograph with its skin tone, and pictographs joined to it. */
const EMOJI = String.raw`\p{ExtPict}\ufe0f?\p{EMod}?(?:\u200d\p{ExtPict}\ufe0f?\p{EMod}?)*`;
const KEYCAP = String.raw`[0-9#*]\ufe0f?\u20e3`;
/**
 * Controls, formats and tags, lone surrogates, line separators, invisible letters, and combining marks without a letter
 * or upon another mark.
 */
const HIDDEN = String.raw`(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{M}]`;
const TELLING = new RegExp(`${KEYCAP}|${ACCENTED}|${EMOJI}|(${HIDDEN})`, 'gu');

function escapedUnits(text: string): string {
  if (text === '\n') return String.raw`\n`;
  return [...Array(text.length).keys()]
    .map((at) => String.raw`\u` + text.charCodeAt(at).toString(16).padStart(4, '0'))
    .join('');
}
