import { type ShownCause, TURNS } from '../domain/causes/cause.ts';
import { shownLine, wrappable } from './paint.ts';

const GAP = '  ';
/** Stands for NO_BREAK while a text is wrapped. */
const JOINED = '\u00a0';

/** Rows as lines with aligned columns; `right` names the columns whose text ends in line. Colours take no room. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const room = ' '.repeat((widths[column] ?? 0) - widthOf(cell));
        return right.includes(column) ? room + cell : cell + room;
      })
      .join(GAP)
      .trimEnd(),
  );
}

function widthOf(cell: string): number {
  return shownLine(cell, false).length;
}

/** One of several entries below each other. Its further lines are indented more, so that no line looks like another entry. */
export function entry(text: string, width: number, indent: string): string[] {
  return wrap(text, width, `${indent}  `, indent);
}

/** An entry whose first line has an indent of its own, no longer than the indent of the other lines. */
export function hang(text: string, width: number, first: string, indent: string): string[] {
  const [line = '', ...more] = wrap(text, width, indent);
  return [first + line.slice(indent.length), ...more];
}

/**
 * A text as lines of at most `width` characters, each after `indent`. A longer word has a line of its own. NO_BREAK keeps two words
 * on one line. A line feed in the text is shown, and ends no line.
 * @param first the indent of the first line
 */
export function wrap(text: string, width: number, indent: string, first = indent): string[] {
  const lines: string[] = [];
  const room = () => (lines.length === 0 ? first : indent);
  let line = '';
  for (const word of wrappable(text, JOINED).split(/ +/)) {
    if (line !== '' && room().length + line.length + 1 + word.length > width) {
      lines.push(room() + line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  if (line !== '') lines.push(room() + line);
  return lines.map((full) => full.replaceAll(JOINED, ' '));
}

/** A sentence, a remark in brackets, and the next step. A full stop that the sentence already has is not doubled. */
export function paragraph({ text, next }: Pick<ShownCause, 'text' | 'next'>, about = ''): string {
  return `${text.replace(/\.$/, '')}${about && ` (${about})`}. ${next}`;
}

/** A cause with its code, the side whose turn it is, and the next step. */
export function causeText({ code, turn, ...cause }: Pick<ShownCause, 'code' | 'turn' | 'text' | 'next'>): string {
  return paragraph(cause, `${code}; ${TURNS[turn]}`);
}

/** An instant for a person, to the second, in UTC: `2026-01-31 09:30:00Z`. */
export function shownInstant(epochMs: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}
