import { CallFailure, needsMending } from '../domain/failure.ts';
import { StoreError } from '../store/store-error.ts';

interface SharedCall<Asked, Answer> {
  readonly asked: Asked[];
  /** The call has begun, so nothing can join it. */
  hasBegun: boolean;
  /** null: the call failed, and one of its items may be the reason. */
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
   * @returns the items of the call and its answer; null: a call for several items failed, and one of them may be the reason
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
        if (together.length > 1 && mayBeOfOne(error)) return null;
        throw error;
      }
    };
    const shared: SharedCall<Asked, Answer> = { asked: together, hasBegun: false, answer: begin() };
    latest.set(kind, shared);
    return { asked: together, answer: await shared.answer };
  };
}

/**
 * May one item be the reason? Then each look asks alone. An ERP may answer 5xx because of one record. The marketplace's quota allows
 * no such calls.
 */
function mayBeOfOne(error: unknown): boolean {
  if (!(error instanceof CallFailure)) return !(error instanceof StoreError);
  const isOfErp = error.side === 'erp' && error.kind === 'unavailable' && error.status !== null;
  return isOfErp || needsMending(error);
}
