import { vi } from 'vitest';

/** On a busy machine, work of a second may take a minute. */
export const WAIT_LIMIT_MS = 300_000;

/** Waits until the check no longer throws. */
export function inTime<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, WAIT_LIMIT_MS);
}
