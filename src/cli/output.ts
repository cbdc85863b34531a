import type { ExitCode } from './exit.ts';
import { painted, type Style, shownLine } from './paint.ts';

/** The world outside a verb. Data goes to stdout, everything else to stderr. */
export interface Cli {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Texts that must not be printed with an error. A verb adds the secrets of the configuration that it loads. */
  readonly secrets: string[];
  /** Asks the person at the terminal, who says yes or no; absent where nobody sits there. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Asks the person at the terminal for a line; absent where nobody sits there. */
  readonly ask?: (question: string) => Promise<string>;
  /** The exit code of the program; a verb sets it when it is not 0. */
  exitCode: ExitCode;
}

/** How many characters a line may take: those of the terminal, or COLUMNS, and `widest` at most. */
export function lineWidth({ env, stdout }: Pick<Cli, 'env' | 'stdout'>, widest: number): number {
  const columns = Number(env['COLUMNS'] ?? ('columns' in stdout ? stdout.columns : widest));
  return columns >= NARROWEST ? Math.min(columns, widest) : widest;
}

/** A terminal that claims fewer columns is not believed: it has no size yet, or shows nothing anyway. */
const NARROWEST = 20;

/** A line of data. */
export function print(cli: Cli, line: string): void {
  cli.stdout.write(`${shown(cli, cli.stdout, line)}\n`);
}

/** Lines of data, or a text that has lines of its own: made by this program, and not by either side. */
export function printLines(cli: Cli, lines: string | readonly string[]): void {
  for (const line of typeof lines === 'string' ? lines.split('\n') : lines) print(cli, line);
}

export function printJson(cli: Cli, value: unknown): void {
  printLines(cli, JSON.stringify(value, null, 2));
}

/** A line for the person at the terminal. */
export function note(cli: Cli, line: string): void {
  cli.stderr.write(`${shown(cli, cli.stderr, line)}\n`);
}

/** Colours a text that is printed to `to`: on a terminal that has colours, and not when NO_COLOR is set. */
export function paint(cli: Cli, to: NodeJS.WritableStream, style: Style, text: string): string {
  return isColoured(cli, to) ? painted(style, text) : text;
}

/** Is text shown in colours there? */
export function isColoured({ env }: Pick<Cli, 'env'>, to: NodeJS.WritableStream): boolean {
  return 'isTTY' in to && to.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

function shown(cli: Pick<Cli, 'env'>, to: NodeJS.WritableStream, line: string): string {
  return shownLine(line, isColoured(cli, to));
}

type Reader = Pick<Cli, 'stdout' | 'env'>;

/** Prints a line of data, no faster than it is read. False when nobody reads any more, or `signal` is aborted. */
export async function stream(cli: Reader, line: string, signal?: AbortSignal): Promise<boolean> {
  return streamExactly(cli, shown(cli, cli.stdout, line), signal);
}

/** Prints lines of data, no faster than they are read. False when nobody reads any more. */
export async function streamLines(cli: Reader, lines: readonly string[], write = stream): Promise<boolean> {
  for (const line of lines) if (!(await write(cli, line))) return false;
  return true;
}

/** Prints a line for another program, exactly as it is and no faster than it is read. */
export async function streamExactly({ stdout }: Reader, line: string, signal?: AbortSignal): Promise<boolean> {
  if (!stdout.writable || signal?.aborted) return false;
  if (stdout.write(`${line}\n`)) return true;
  return new Promise((resolve) => {
    const settle = (isRead: boolean): void => {
      stdout.off('drain', go).off('close', stop).off('error', stop);
      signal?.removeEventListener('abort', stop);
      resolve(isRead);
    };
    const [go, stop] = [() => settle(true), () => settle(false)];
    stdout.on('drain', go).on('close', stop).on('error', stop);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
