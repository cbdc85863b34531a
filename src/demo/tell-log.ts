import type { Tell } from './tell.ts';

const SAME_AGAIN_MS = 10_000;
const MAX_SHOWN = 200;

/** Tells the warnings of the daemon's log, which takes JSON lines, without those that its journal tells anyway. */
export function tellLog(tell: Tell): (line: string) => void {
  const toldAtMs = new Map<string, number>();
  return (line) => {
    if (!/^\{"level":"(warn|error)"/.test(line)) return;
    const { msg = '', err, action, attempt } = JSON.parse(line) as LogLine;
    // A write that failed is in the journal: with its action, or on its way to another attempt.
    if (action !== undefined || attempt !== undefined) return;
    const text = (err?.message === undefined ? msg : `${msg}: ${err.message}`).slice(0, MAX_SHOWN);
    const nowMs = performance.now();
    if (nowMs - (toldAtMs.get(text) ?? Number.NEGATIVE_INFINITY) < SAME_AGAIN_MS) return;
    toldAtMs.set(text, nowMs);
    tell('trouble', `the bridge says: ${text}`);
  };
}

interface LogLine {
  readonly msg?: string;
  readonly err?: { readonly message?: string };
  readonly action?: string;
  readonly attempt?: number;
}
