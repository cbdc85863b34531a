import { needsMending } from '../domain/failure.ts';

interface SharedCall<Asked, Answer> {
  readonly asked: Asked[];
  /** The call has begun, so nothing more joins it. */
  hasBegun: boolean;
  /** null: the other side refuses the whole call. */
  readonly answer: Promise<Answer | null>;
}

/**
 * Calls that ask for many things together. While one call is under way, or waits for the quota, what further looks ask for is
 * gathered, and the next call asks for all of it. So a burst of changes costs a few calls.
 * @param most the most things that one call asks for
 */
export function createSharedCalls<Asked, Answer>(most: number) {
  const latest = new Map<string, SharedCall<Asked, Answer>>();

  /**
   * @param kind only calls of one kind are shared
   * @returns the things that were asked for together, and the answer; null when a call for several things is refused
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
        // One of the things may be the reason, so each look asks for its own.
        if (together.length > 1 && needsMending(error)) return null;
        throw error;
      }
    };
    const shared: SharedCall<Asked, Answer> = { asked: together, hasBegun: false, answer: begin() };
    latest.set(kind, shared);
    return { asked: together, answer: await shared.answer };
  };
}
