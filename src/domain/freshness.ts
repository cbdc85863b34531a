/** Each list is read within its interval and this time, whatever else there is to do (I18). */
const BOUND_MS = 10_000;

/** An answer that takes longer is slow. */
export const SLOW_MS = 5_000;

/**
 * Is the list late? A call may take up to its time-out, and until then nobody knows whether its side is slow. So a list is late
 * once it should have been read and such a call would have ended.
 * @param ageMs the time since the last read; null: never
 */
export function isLate(ageMs: number | null, everyMs: number, timeoutMs: number): boolean {
  return ageMs === null || ageMs > everyMs + BOUND_MS + timeoutMs;
}
