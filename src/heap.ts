import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect garbage before it asks the system for more memory. Without it, the heap grows to several times the live data
 * while the machine has memory to spare. A pass over a large catalogue makes much garbage and keeps nothing, and a container
 * is paid for by its peak. Left alone, that collects again after every tenth of growth, and a burst of orders spends a quarter
 * of its processor time on garbage: the heap may grow by three fifths in between. V8 reads the flags at every collection, so
 * they may be set while the program runs.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--heap-growing-percent=60');
}
