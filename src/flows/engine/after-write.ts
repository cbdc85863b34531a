import type { Applied } from './flow.ts';

/** Thrown if the read after an applied write fails. The write is still valid. */
export class AfterWrite extends Error {
  override readonly name = 'AfterWrite';
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
 * @throws AfterWrite if `rest` fails
 */
export async function afterWrite(answer: string, rest: () => Promise<void>): Promise<Applied> {
  try {
    await rest();
  } catch (error) {
    throw new AfterWrite(answer, error);
  }
  return { outcome: 'written', answer };
}
