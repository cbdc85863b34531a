import { estimateOf, estimateText, type Remaining, withRemaining } from '../domain/estimate.ts';
import { visible } from '../domain/visible.ts';
import type { Cli } from './output.ts';

interface Step {
  readonly account: string;
  readonly step: string;
  readonly pending?: number;
  /** The calls in the quota. A pending entity takes at least one. */
  readonly perMinute?: number;
}

/** A progress line that is overwritten. */
export interface Progress {
  show(text: string): void;
  /** Shows the account's step, with the known rest and its duration. */
  step(now: Step): void;
  /** Removes the line until the next `show`. */
  end(): void;
}

const DRAW_EVERY_MS = 100;
const TAKE_AWAY = '\r\u001b[2K';

/** Logs and files get a new line each time. */
const TELL_EVERY_MS = 60_000;

/** On stderr with the seconds since the start: an overwritten line on a terminal, elsewhere a line each minute. */
export function createProgress({ stderr }: Cli, tellEveryMs = TELL_EVERY_MS): Progress {
  const terminal = stderr as Partial<NodeJS.WriteStream>;
  const isTerminal = terminal.isTTY === true;
  const startedMs = performance.now();
  let shown = '';
  const line = (): string => {
    const seconds = Math.floor((performance.now() - startedMs) / 1000);
    return `${shown} ${seconds === 0 ? '' : `(${seconds} s)`}`.trimEnd();
  };
  const draw = (): void => {
    stderr.write(isTerminal ? TAKE_AWAY + line().slice(0, (terminal.columns ?? 80) - 1) : `${line()}\n`);
  };
  let at = '';
  let seen: readonly Remaining[] = [];
  let drawing: NodeJS.Timeout | null = null;
  const show = (text: string): void => {
    shown = visible(text);
    drawing ??= setInterval(draw, isTerminal ? DRAW_EVERY_MS : tellEveryMs).unref();
  };
  return {
    show,
    step({ account, step, pending = 0, perMinute }) {
      const now = `${account}: ${step}`;
      if (now !== at) seen = [];
      at = now;
      seen = withRemaining(seen, { atMs: performance.now(), count: pending });
      const left = estimateOf(seen, perMinute ?? null);
      const rest = left === null ? '' : `, ${estimateText(left)} left`;
      show(`${now}${pending === 0 ? '' : `, ${pending} to go${rest}`}`);
    },
    end() {
      if (drawing === null) return;
      clearInterval(drawing);
      drawing = null;
      if (isTerminal) stderr.write(TAKE_AWAY);
    },
  };
}
