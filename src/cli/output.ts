import type { ExitCode } from './exit.ts';
import { painted, type Style, shownLine } from './paint.ts';

/** The surroundings of a verb. Data goes to stdout, everything else to stderr. */
export interface Cli {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Texts to mask in errors. A verb adds the secrets of its configuration. */
  readonly secrets: string[];
  /** Asks a yes-no question; undefined without a terminal. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Asks for a line; undefined without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** Set by a verb if it is not 0. */
  exitCode: ExitCode;
}

/** Characters in a line: those of the terminal or COLUMNS, at most `widest`. */
export function lineWidth({ env, stdout }: Pick<Cli, 'env' | 'stdout'>, widest: number): number {
  const columns = Number(env['COLUMNS'] ?? ('columns' in stdout ? stdout.columns : widest));
  return columns >= NARROWEST ? Math.min(columns, widest) : widest;
}

/** Fewer columns mean a terminal without a size yet. */
const NARROWEST = 20;

export function print(cli: Cli, line: string): void {
  cli.stdout.write(`${shown(cli, cli.stdout, line)}\n`);
}

/** Lines of data. The text must be our own, not a side's. */
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

/** Colours a text, if the terminal has colours and NO_COLOR is not set. */
export function paint(cli: Cli, to: NodeJS.WritableStream, style: Style, text: string): string {
  return isColoured(cli, to) ? painted(style, text) : text;
}

export function isColoured({ env }: Pick<Cli, 'env'>, to: NodeJS.WritableStream): boolean {
  return 'isTTY' in to && to.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

function shown(cli: Pick<Cli, 'env'>, to: NodeJS.WritableStream, line: string): string {
  return shownLine(line, isColoured(cli, to));
}

type Reader = Pick<Cli, 'stdout' | 'env'>;

/** Waits for the reader. False: nobody reads any more, or `signal` aborted. */
export async function stream(cli: Reader, line: string, signal?: AbortSignal): Promise<boolean> {
  return streamExactly(cli, shown(cli, cli.stdout, line), signal);
}

/** Waits for the reader. False: nobody reads any more. */
export async function streamLines(cli: Reader, lines: readonly string[], write = stream): Promise<boolean> {
  for (const line of lines) if (!(await write(cli, line))) return false;
  return true;
}

/** Prints a line unchanged, for another program, and waits for the reader. */
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
