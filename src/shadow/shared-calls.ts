import { needsMending } from '../domain/failure.ts';

interface SharedCall<Asked, Answer> {
  readonly asked: Asked[];
  /** The call has begun, so nothing can join it. */
  hasBegun: boolean;
  /** null: the other side refused the full call. */
  readonly answer: Promise<Answer | null>;
}

/**
 * Combines calls: while one is running or waits for the quota, further requests are collected for the next. A burst of
 * changes costs few calls.
 * @param most the most items of one call
 */
export function createSharedCalls<Asked, Answer>(most: number) {
  const latest = new Map<string, SharedCall<Asked, Answer>>();

  /**
   * @param kind only calls of the same kind are combined
   * @returns the items of the call and its answer; null: a call for several items was refused
   */
  return async (
    kind: string,
    asked: Asked,
    call: (asked: readonly Asked[]) => Promise<Answer>,
  ): Promise<{ readonly asked: readonly Asked[]; readonly answer: Answer | null }> => {
    const before = latest.get(kind);
    if (before !== undefined && !before.hasBegun && before.asked.length < most) {
      before.asked.push(asked);
      return { asked: before.asked, answer: await before.answer };
    }
    const together = [asked];
    const begin = async () => {
      await before?.answer.catch(() => undefined);
      shared.hasBegun = true;
      try {
        return await call(together);
      } catch (error) {
        // One item may be the reason, so each look asks alone.
        if (together.length > 1 && needsMending(error)) return null;
        throw error;
      }
    };
    const shared: SharedCall<Asked, Answer> = { asked: together, hasBegun: false, answer: begin() };
    latest.set(kind, shared);
    return { asked: together, answer: await shared.answer };
  };
}
