/**
 * Texts of both sides, of files and of callers, made fit to be shown: on a terminal, in the log, in CSV and on pages. What
 * moves a cursor, ends a line, turns the order of characters round, is invisible or piles up on its neighbours is written as
 * in JSON, `\u202e`, and does nothing. Letters, accents, emoji and tabs stay. Doing it twice changes nothing more.
 */
export function visible(text: string): string {
  return text.replace(TELLING, (found: string, hidden: string | undefined) =>
    hidden === undefined ? found : escapedUnits(found),
  );
}

/** A few marks on a letter or digit, as people write them. */
const ACCENTED = String.raw`[\p{L}\p{N}](?:(?!\p{DI})\p{M}){1,4}`;
/** A pictograph, with its tone, and others that are joined to it. */
const EMOJI = String.raw`\p{ExtPict}\ufe0f?\p{EMod}?(?:\u200d\p{ExtPict}\ufe0f?\p{EMod}?)*`;
const KEYCAP = String.raw`[0-9#*]\ufe0f?\u20e3`;
/** Controls, formats and tags, lone surrogates, ends of lines, invisible letters, and marks that stand on nothing or on others. */
const HIDDEN = String.raw`(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{M}]`;
const TELLING = new RegExp(`${KEYCAP}|${ACCENTED}|${EMOJI}|(${HIDDEN})`, 'gu');

function escapedUnits(text: string): string {
  if (text === '\n') return String.raw`\n`;
  return [...Array(text.length).keys()]
    .map((at) => String.raw`\u` + text.charCodeAt(at).toString(16).padStart(4, '0'))
    .join('');
}
