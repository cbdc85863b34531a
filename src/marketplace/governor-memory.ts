import { ARRIVAL_MS, PAD_MS } from './governor-script.ts';

/** A call of this process, in the form that the script takes to restore its log. */
type Remembered = readonly [name: string, ageMs: number, open: 0 | 1];

const KEPT_MS = 60_000 + ARRIVAL_MS + PAD_MS;

/**
 * The calls that one process was granted in the last minute, dated as in the script's log. The dates are by the clock of this
 * process, since the clock of another Redis may differ. Redis can lose its log, but the calls were sent.
 * @param limit the most calls that a minute can hold
 */
export function createCallMemory(limit: number, elapsedMs: () => number) {
  let calls: { readonly name: string; dateMs: number; open: boolean }[] = [];
  return {
    granted(name: string): void {
      const nowMs = elapsedMs();
      const kept = calls.filter(({ dateMs }) => nowMs - dateMs < KEPT_MS);
      calls = [...kept, { name, dateMs: nowMs + ARRIVAL_MS, open: true }].slice(-limit);
    },
    /** The call was not sent. */
    forget(name: string): void {
      calls = calls.filter((call) => call.name !== name);
    },
    /** Some call was answered. The answer counts for the oldest open call, as in the script. */
    answered(): void {
      const oldest = calls.find(({ open }) => open);
      if (oldest === undefined) return;
      oldest.open = false;
      oldest.dateMs = Math.min(oldest.dateMs, elapsedMs());
    },
    /** The latest call that Redis knows of, unless Redis has lost its log; '' when there is no such call. */
    latest(): string {
      const latest = calls.at(-1);
      // The log drops every call a minute after its date: such a call is not lost.
      return latest !== undefined && elapsedMs() - latest.dateMs < 60_000 - ARRIVAL_MS ? latest.name : '';
    },
    /** Newest first. */
    all(): Remembered[] {
      const nowMs = elapsedMs();
      return calls
        .map(({ name, dateMs, open }): Remembered => [name, Math.floor(nowMs - dateMs), open ? 1 : 0])
        .toReversed();
    },
  };
}

export type CallMemory = ReturnType<typeof createCallMemory>;
