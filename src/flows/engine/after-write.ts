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

/** @throws AfterWrite for whatever `rest` throws */
export async function afterWrite(answer: string, rest: () => Promise<void>): Promise<void> {
  try {
    await rest();
  } catch (error) {
    throw new AfterWrite(answer, error);
  }
}
