import { type ShownCause, TURNS } from '../domain/causes/cause.ts';
import { shownLine, wrappable } from './paint.ts';

const GAP = '  ';
/** Replaces NO_BREAK while wrapping. */
const JOINED = '\u00a0';

/** Aligned columns; `right` are right-aligned. Colours take no width. */
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

/** A list entry, whose further lines are indented. */
export function entry(text: string, width: number, indent: string): string[] {
  return wrap(text, width, `${indent}  `, indent);
}

/** As `wrap`, with its own text in front of the first line. */
export function hangingText(text: string, width: number, first: string, indent: string): string[] {
  const [line = '', ...more] = wrap(text, width, indent);
  return [first + line.slice(indent.length), ...more];
}

/**
 * Lines of at most `width` characters; a longer word has its own line. NO_BREAK keeps two words together. A line feed
 * is shown, and ends no line.
 * @param first the first line's indent
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

/** A sentence, a remark in brackets, and the next step, without a doubled full stop. */
export function paragraph({ text, next }: Pick<ShownCause, 'text' | 'next'>, about = ''): string {
  return `${text.replace(/\.$/, '')}${about && ` (${about})`}. ${next}`;
}

/** A cause with its code, whose turn it is, and the next step. */
export function causeText({ code, turn, ...cause }: Pick<ShownCause, 'code' | 'turn' | 'text' | 'next'>): string {
  return paragraph(cause, `${code}; ${TURNS[turn]}`);
}

/** UTC to the second: `2026-01-31 09:30:00Z`. */
export function shownInstant(epochMs: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}
