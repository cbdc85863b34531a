import { AsyncLocalStorage } from 'node:async_hooks';
import { Superseded } from '../domain/superseded.ts';

interface Write {
  readonly revalidate: () => Promise<boolean>;
  /** Its first call has left. The calls after it belong to what was begun. */
  hasLeft: boolean;
}

const writes = new AsyncLocalStorage<Write>();

/**
 * Makes a write whose calls may wait for a place with the ERP.
 * @param revalidate asked once, when the first call that changes something has its place
 */
export function withSendGuard<T>(revalidate: () => Promise<boolean>, write: () => Promise<T>): Promise<T> {
  return writes.run({ revalidate, hasLeft: false }, write);
}

/**
 * Asks whether the write that this call belongs to may leave. For connectors: the call has its place by then.
 * @throws Superseded when it may not
 */
export async function assertStillValid(operation: string): Promise<void> {
  const write = writes.getStore();
  if (write === undefined || write.hasLeft) return;
  if (!(await write.revalidate())) throw new Superseded(`${operation} was not sent`);
  write.hasLeft = true;
}
