import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest slice of work between two turns. Probes of the program wait for a few slices at most. */
const SLICE_MS = 20;

/** Gives other work its turn once enough time has passed. Call it between small pieces of work. */
export function createTurns(): () => Promise<void> {
  let lastMs = performance.now();
  return async () => {
    if (performance.now() - lastMs < SLICE_MS) return;
    await nextTurn();
    lastMs = performance.now();
  };
}
