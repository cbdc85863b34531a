/** Each list is read within its interval plus this time, whatever else there is to do (I18). */
const BOUND_MS = 10_000;

export const SLOW_MS = 5_000;

/**
 * Returns whether a list is overdue. A call that is due may run until its time-out, so that time is added.
 * @param ageMs time since the last read; null: never read
 */
export function isLate(ageMs: number | null, everyMs: number, timeoutMs: number): boolean {
  return ageMs === null || ageMs > everyMs + BOUND_MS + timeoutMs;
}
