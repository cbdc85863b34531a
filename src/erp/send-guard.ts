import { AsyncLocalStorage } from 'node:async_hooks';
import { Superseded } from '../domain/superseded.ts';

interface Write {
  readonly revalidate: () => Promise<boolean>;
  /** Its first call was sent. Later calls belong to the same write. */
  hasLeft: boolean;
}

const writes = new AsyncLocalStorage<Write>();

/**
 * Runs a write whose calls may wait for a place.
 * @param revalidate called once, when the first changing call has its place
 */
export function withSendGuard<T>(revalidate: () => Promise<boolean>, write: () => Promise<T>): Promise<T> {
  return writes.run({ revalidate, hasLeft: false }, write);
}

/**
 * For connectors, once the call has its place: whether its write is still wanted.
 * @throws Superseded when it is not
 */
export async function assertStillValid(operation: string): Promise<void> {
  const write = writes.getStore();
  if (write === undefined || write.hasLeft) return;
  if (!(await write.revalidate())) throw new Superseded(`${operation} was not sent`);
  write.hasLeft = true;
}
