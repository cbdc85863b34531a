import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { visible } from '../domain/visible.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Begins what this process put into a line itself. It is drawn anew by each process, so no text of either side can hold it. */
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
 * A line as it is printed. Names and messages of both sides are in it, and none of them gives orders to the terminal or
 * passes for a line of ours.
 */
export function shownLine(line: string, coloured: boolean): string {
  return line
    .split(COLOUR)
    .map((part, at) => (at % 2 === 0 ? visible(part) : coloured ? `\u001b[${part}m` : ''))
    .join('');
}

/** A text as it is wrapped: what others wrote has nothing in it that ends a line, and no spaces but common ones. */
export function wrappable(text: string, noBreak: string): string {
  return text
    .split(NO_BREAK)
    .map((part) => shownLine(part, false).replaceAll(/\p{Zs}/gu, ' '))
    .join(noBreak);
}
