import type { Applied } from './flow.ts';

/** A write was answered, and the read that had to follow it failed. The write is valid all the same. */
export class AfterWrite extends Error {
  override readonly name = 'AfterWrite';
  /** The result of the write. */
  readonly answer: string;
  /** Why the rest failed. */
  readonly reason: unknown;

  constructor(answer: string, reason: unknown) {
    super(`${answer}; and then: ${reason instanceof Error ? reason.message : String(reason)}`);
    this.answer = answer;
    this.reason = reason;
  }
}

/**
 * Does the rest after a write that was answered, and returns that the write was made.
 * @throws AfterWrite when `rest` fails
 */
export async function afterWrite(answer: string, rest: () => Promise<void>): Promise<Applied> {
  try {
    await rest();
  } catch (error) {
    throw new AfterWrite(answer, error);
  }
  return { outcome: 'written', answer };
}
