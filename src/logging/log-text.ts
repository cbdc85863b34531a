import { inspect } from 'node:util';
import { visible } from '../domain/visible.ts';

/** The form of log lines: JSON for programs, or text for people. */
export type Shown = 'json' | 'plain' | 'coloured';

type LogFacts = Readonly<Record<string, unknown>>;

type Style = 'red' | 'yellow' | 'green' | 'dim';
const STYLES: Readonly<Record<string, Style>> = {
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'dim',
};
const WIDEST_LEVEL = 5;
/** Stack frames of a program error: enough to see its origin. */
const FRAMES_SHOWN = 8;

/** Only a program error takes more than one line, for its stack. A value can never look like another fact or line. */
export function logText(json: string, coloured: boolean): string {
  const { level, time, pid: _, msg, err, ...facts } = JSON.parse(json) as LogFacts;
  const paint = (style: Style, text: string) => {
    const [on, off] = inspect.colors[style];
    return coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
  const grave = typeof level === 'string' ? level : '';
  const at = typeof time === 'string' ? time.slice('2026-01-31T'.length) : '';
  const head = [paint('dim', visible(at)), paint(STYLES[grave] ?? 'dim', visible(grave.padEnd(WIDEST_LEVEL)))];
  const told = factsText(facts);
  const error = isFacts(err) ? errorText(err) : '';
  const line = [
    ...head,
    visible(typeof msg === 'string' ? msg : ''),
    ...(told ? [paint('dim', told)] : []),
    ...(error ? [error] : []),
  ];
  return [line.join(' '), ...framesText(err).map((frame) => paint('dim', frame))].join('\n');
}

function factsText(facts: LogFacts): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${visible(name)}=${valueText(value)}`)
    .join(' ');
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(',');
  if (typeof value === 'string' && /^[\w./:@+-]+$/.test(value)) return value;
  return visible(JSON.stringify(value));
}

function errorText({ type, causes, ...codes }: LogFacts): string {
  const own = factsText({ ...codes, stack: undefined });
  const whole = `${valueText(type ?? '')}${own === '' ? '' : ` (${own})`}`;
  return [whole, ...causesOf(causes).map(errorText)].join(' <- ');
}

/** One frame per line, indented deeper than any log line. */
function framesText(err: unknown): string[] {
  if (!isFacts(err)) return [];
  const { stack, causes } = err;
  const own = typeof stack === 'string' ? stack.split('\n').slice(0, FRAMES_SHOWN) : [];
  return [...own.map((frame) => `    ${visible(frame.trim())}`), ...causesOf(causes).flatMap(framesText)];
}

function causesOf(causes: unknown): LogFacts[] {
  return Array.isArray(causes) ? causes.filter(isFacts) : [];
}

function isFacts(value: unknown): value is LogFacts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
