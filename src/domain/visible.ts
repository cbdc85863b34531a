/**
 * Makes a text of a side, a file or a caller safe to show on a terminal, in the log, in CSV and on pages. Some characters move
 * the cursor, end the line, turn the order of characters round, are invisible, or pile up on their neighbours. They are written
 * as in JSON, `\u202e`, and have no effect. Letters, accents, emoji and tabs stay. A second call changes nothing more.
 */
export function visible(text: string): string {
  return text.replace(TELLING, (found: string, hidden: string | undefined) =>
    hidden === undefined ? found : escapedUnits(found),
  );
}

/** A few marks on a letter or digit, as people write them. */
const ACCENTED = String.raw`[\p{L}\p{N}](?:(?!\p{DI})\p{M}){1,4}`;
/** A pictograph with its tone, and the pictographs that are joined to it. */
const EMOJI = String.raw`\p{ExtPict}\ufe0f?\p{EMod}?(?:\u200d\p{ExtPict}\ufe0f?\p{EMod}?)*`;
const KEYCAP = String.raw`[0-9#*]\ufe0f?\u20e3`;
/**
 * Controls, formats and tags, lone surrogates, ends of lines, invisible letters, and combining marks without a letter or upon another mark.
 */
const HIDDEN = String.raw`(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{M}]`;
const TELLING = new RegExp(`${KEYCAP}|${ACCENTED}|${EMOJI}|(${HIDDEN})`, 'gu');

function escapedUnits(text: string): string {
  if (text === '\n') return String.raw`\n`;
  return [...Array(text.length).keys()]
    .map((at) => String.raw`\u` + text.charCodeAt(at).toString(16).padStart(4, '0'))
    .join('');
}
