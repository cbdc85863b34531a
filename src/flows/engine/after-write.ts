import type { Applied } from './flow.ts';

/** Thrown if the read after an applied write fails. The write is still valid. */
export class AfterWriteError extends Error {
  override readonly name = 'AfterWriteError';
  readonly answer: string;
  readonly reason: unknown;

  constructor(answer: string, reason: unknown) {
    super(`${answer}; and then: ${reason instanceof Error ? reason.message : String(reason)}`);
    this.answer = answer;
    this.reason = reason;
  }
}

/**
 * Runs the steps after an applied write, and returns that it was made.
 * @throws AfterWriteError if `rest` fails
 */
export async function runAfterWrite(answer: string, rest: () => Promise<void>): Promise<Applied> {
  try {
    await rest();
  } catch (error) {
    throw new AfterWriteError(answer, error);
  }
  return { outcome: 'written', answer };
}
