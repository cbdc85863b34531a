import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { visible } from '../domain/visible.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Begins our own marks in a line. It is random for each process, so no side's text can contain it. */
const OURS = `\u0000${randomBytes(16).toString('hex')}`;
/** Prevents a line break between two words; printed as a space. */
export const NO_BREAK = `${OURS} `;
const COLOUR = new RegExp(String.raw`${OURS}\[(\d+)m`, 'g');

/** Coloured once it is printed as a line. */
export function painted(style: Style, text: string): string {
  const [on, off] = inspect.colors[style];
  return `${OURS}[${on}m${text}${OURS}[${off}m`;
}

/** A side's text in the line cannot control the terminal or pass for our own lines. */
export function shownLine(line: string, coloured: boolean): string {
  return line
    .split(COLOUR)
    .map((part, at) => (at % 2 === 0 ? visible(part) : coloured ? `\u001b[${part}m` : ''))
    .join('');
}

/** Removes line ends and unusual spaces before wrapping. */
export function wrappable(text: string, noBreak: string): string {
  return text
    .split(NO_BREAK)
    .map((part) => shownLine(part, false).replaceAll(/\p{Zs}/gu, ' '))
    .join(noBreak);
}
