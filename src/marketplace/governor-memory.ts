import { ARRIVAL_MS, PAD_MS } from './governor-script.ts';

/** A call of this process, in the form in which the script is told of it again. */
type Remembered = readonly [name: string, ageMs: number, open: 0 | 1];

/**
 * The calls that one process was granted in the last minute, dated as in the script's log, by this process's own clock: that
 * of another Redis may differ. Redis can lose its log, but the calls were sent.
 */
export interface CallMemory {
  granted(name: string): void;
  /** It was not sent. */
  forget(name: string): void;
  /** Some call was answered. It counts as the oldest open one, as in the script. */
  answered(): void;
  /** The latest call that Redis must know of, unless it has lost its log; '' when there is none. */
  latest(): string;
  /** Newest first. */
  all(): Remembered[];
}

const KEPT_MS = 60_000 + ARRIVAL_MS + PAD_MS;

/** Keeps `limit` calls, more than which no minute holds. */
export function createCallMemory(limit: number, elapsedMs: () => number): CallMemory {
  let calls: { readonly name: string; dateMs: number; open: boolean }[] = [];
  return {
    granted(name) {
      const nowMs = elapsedMs();
      const kept = calls.filter(({ dateMs }) => nowMs - dateMs < KEPT_MS);
      calls = [...kept, { name, dateMs: nowMs + ARRIVAL_MS, open: true }].slice(-limit);
    },
    forget(name) {
      calls = calls.filter((call) => call.name !== name);
    },
    answered() {
      const oldest = calls.find(({ open }) => open);
      if (oldest === undefined) return;
      oldest.open = false;
      oldest.dateMs = Math.min(oldest.dateMs, elapsedMs());
    },
    latest() {
      const latest = calls.at(-1);
      // The log drops a call a minute after its date, and that is no loss.
      return latest !== undefined && elapsedMs() - latest.dateMs < 60_000 - ARRIVAL_MS ? latest.name : '';
    },
    all() {
      const nowMs = elapsedMs();
      return calls
        .map(({ name, dateMs, open }): Remembered => [name, Math.floor(nowMs - dateMs), open ? 1 : 0])
        .toReversed();
    },
  };
}
