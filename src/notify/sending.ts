import type { Said } from './said.ts';

/** A channel that is open. */
export interface OpenChannel {
  /** @throws SendError */
  send(said: Said, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * The other end did not take a message. The text is this program's own, because the words of the other end may hold an
 * address.
 */
export class SendError extends Error {
  override readonly name = 'SendError';
}

/** The time limit of one message. */
export const SEND_MS = 15_000;
