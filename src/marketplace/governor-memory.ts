import { ARRIVAL_MS, PAD_MS } from './governor-script.ts';

/** A call of this process, in the form that the script takes to restore its log. */
type Remembered = readonly [name: string, ageMs: number, open: 0 | 1];

/**
 * The calls that one process was granted in the last minute, dated as in the script's log. The dates are by the clock of this
 * process, since the clock of another Redis may differ. Redis can lose its log, but the calls were sent.
 */
export interface CallMemory {
  granted(name: string): void;
  /** The call was not sent. */
  forget(name: string): void;
  /** Some call was answered. The answer counts for the oldest open call, as in the script. */
  answered(): void;
  /** The latest call that Redis knows of, unless Redis has lost its log; '' when there is no such call. */
  latest(): string;
  /** Newest first. */
  all(): Remembered[];
}

const KEPT_MS = 60_000 + ARRIVAL_MS + PAD_MS;

/** Keeps `limit` calls, the most that a minute can hold. */
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
      // The log drops every call a minute after its date: such a call is not lost.
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
