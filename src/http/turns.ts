import { setImmediate as nextTurn } from 'node:timers/promises';

/** Probes wait for no longer than some of these, one after the other. */
const SLICE_MS = 20;

/** Gives other work its turn, once enough time has gone by since it had it last. To be called between small pieces of work. */
export function createTurns(): () => Promise<void> {
  let lastMs = performance.now();
  return async () => {
    if (performance.now() - lastMs < SLICE_MS) return;
    await nextTurn();
    lastMs = performance.now();
  };
}
