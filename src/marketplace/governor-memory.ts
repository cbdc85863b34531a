import { ARRIVAL_MS, PAD_MS } from './governor-script.ts';

/** A call of this process, in the form in which the script restores its log. */
type Remembered = readonly [name: string, ageMs: number, open: 0 | 1];

const KEPT_MS = 60_000 + ARRIVAL_MS + PAD_MS;

/**
 * Redis can lose its log, although the calls were sent. Dates are by this process's clock, because another Redis may
 * have another clock.
 * @param limit the most calls of a minute
 */
export function createCallMemory(limit: number, elapsedMs: () => number) {
  let calls: { readonly name: string; dateMs: number; open: boolean }[] = [];
  return {
    granted(name: string): void {
      const nowMs = elapsedMs();
      const recent = calls.filter(({ dateMs }) => nowMs - dateMs < KEPT_MS);
      calls = [...recent, { name, dateMs: nowMs + ARRIVAL_MS, open: true }].slice(-limit);
    },
    forget(name: string): void {
      calls = calls.filter((call) => call.name !== name);
    },
    answered(): void {
      const oldest = calls.find(({ open }) => open);
      if (oldest === undefined) return;
      oldest.open = false;
      oldest.dateMs = Math.min(oldest.dateMs, elapsedMs());
    },
    /** The latest call that Redis must know unless it lost its log; '': none. */
    latest(): string {
      const latest = calls.at(-1);
      // The log drops calls one minute after their date: these are not lost.
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
