import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { visible } from '../domain/visible.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Begins a mark that this process put into a line. Each process draws its own at random, so no text of either side can hold it. */
const OURS = `\u0000${randomBytes(16).toString('hex')}`;
/** Holds two words together where a line is wrapped, and becomes a space. */
export const NO_BREAK = `${OURS} `;
const COLOUR = new RegExp(String.raw`${OURS}\[(\d+)m`, 'g');

/** A text that a terminal shows in colour, once it is printed as a line. */
export function painted(style: Style, text: string): string {
  const [on, off] = inspect.colors[style];
  return `${OURS}[${on}m${text}${OURS}[${off}m`;
}

/**
 * A line as it is printed. Names and messages of both sides in it give no orders to the terminal, and do not look like lines of
 * this program.
 */
export function shownLine(line: string, coloured: boolean): string {
  return line
    .split(COLOUR)
    .map((part, at) => (at % 2 === 0 ? visible(part) : coloured ? `\u001b[${part}m` : ''))
    .join('');
}

/** A text made ready to be wrapped: no character of it ends a line, and all its spaces are common ones. */
export function wrappable(text: string, noBreak: string): string {
  return text
    .split(NO_BREAK)
    .map((part) => shownLine(part, false).replaceAll(/\p{Zs}/gu, ' '))
    .join(noBreak);
}
