import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect garbage before it asks the system for more memory. Without it, the heap grows to several times of what
 * is alive, for the machine has memory to spare: a pass over a large catalogue makes much garbage, of which nothing is
 * kept, and a container is paid for by its peak. It costs no time that can be measured, since the calls take longer.
 * V8 asks for this flag at every collection, so that it may be set while it runs.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}
