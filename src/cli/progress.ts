import { visible } from '../domain/visible.ts';
import type { Cli } from './output.ts';

/** One line that is written over and over while something takes long. */
export interface Progress {
  show(text: string): void;
  /** Shows the step that an account is at, and how much is left where that is known. */
  step(now: { readonly account: string; readonly step: string; readonly pending?: number }): void;
  /** Takes the line away; the next `show` brings it back. */
  end(): void;
}

const DRAW_EVERY_MS = 100;
const TAKE_AWAY = '\r\u001b[2K';

/** On a terminal's stderr, with the seconds since the start; anywhere else nothing is written. */
export function createProgress({ stderr }: Cli): Progress {
  const terminal = stderr as Partial<NodeJS.WriteStream>;
  if (terminal.isTTY !== true) return { show: () => {}, step: () => {}, end: () => {} };
  const startedMs = performance.now();
  let shown = '';
  const draw = (): void => {
    const seconds = Math.floor((performance.now() - startedMs) / 1000);
    const line = `${shown} ${seconds === 0 ? '' : `(${seconds} s)`}`;
    stderr.write(TAKE_AWAY + line.slice(0, (terminal.columns ?? 80) - 1));
  };
  let drawing: NodeJS.Timeout | null = null;
  const show = (text: string): void => {
    shown = visible(text);
    drawing ??= setInterval(draw, DRAW_EVERY_MS).unref();
  };
  return {
    show,
    step: ({ account, step, pending = 0 }) => show(`${account}: ${step}${pending === 0 ? '' : `, ${pending} to go`}`),
    end() {
      if (drawing === null) return;
      clearInterval(drawing);
      drawing = null;
      stderr.write(TAKE_AWAY);
    },
  };
}
