import { styleText } from 'node:util';
import type { ExitCode } from './exit.ts';

/** What a verb gets from the outside. Data goes to stdout, everything else to stderr. */
export interface Cli {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Texts that must not be printed with an error. Verbs add those of the configuration they load. */
  readonly secrets: string[];
  /** Asks the person at the terminal, who says yes or no; absent where nobody sits there. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** What the program ends with; a verb sets it when that is not 0. */
  exitCode: ExitCode;
}

/** A line of data. */
export function print(cli: Cli, line: string): void {
  cli.stdout.write(`${line}\n`);
}

export function printJson(cli: Cli, value: unknown): void {
  print(cli, JSON.stringify(value, null, 2));
}

/** A line for the person at the terminal. */
export function note(cli: Cli, line: string): void {
  cli.stderr.write(`${line}\n`);
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colours a text that is printed to `to`: on a terminal, and not when NO_COLOR is set. */
export function paint(cli: Cli, to: NodeJS.WritableStream, style: Style, text: string): string {
  const isTerminal = 'isTTY' in to && to.isTTY === true;
  return isTerminal && !cli.env['NO_COLOR'] ? styleText(style, text, { validateStream: false }) : text;
}

/** Writes a line of data without running ahead of whoever reads it. False when nobody reads any more, or `signal` says stop. */
export async function stream({ stdout }: Pick<Cli, 'stdout'>, line: string, signal?: AbortSignal): Promise<boolean> {
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
