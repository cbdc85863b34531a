import type { Applied } from './flow.ts';

/** A write was answered, and the read that had to follow it failed. The write stands all the same. */
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
 * Does what follows a write that was answered, and answers that it was written.
 * @throws AfterWrite for whatever `rest` throws
 */
export async function afterWrite(answer: string, rest: () => Promise<void>): Promise<Applied> {
  try {
    await rest();
  } catch (error) {
    throw new AfterWrite(answer, error);
  }
  return { outcome: 'written', answer };
}
