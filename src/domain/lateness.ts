import { rankOf } from './status.ts';

const ACCEPTED = 2;

/**
 * Returns whether a line was added after Accepted. Such a line neither reserves nor consumes (spec 1, Rule). `late` is
 * certain only if the order was seen past Accepted without the line. `ambiguous`: the line appeared together with the
 * status past Accepted, or with the order.
 * @param before the order when its lines were last read; null: never
 */
export function lateness(
  before: { readonly status: string; readonly lineIds: ReadonlySet<number> } | null,
  status: string,
  lineId: number,
): 'late' | 'in-time' | 'ambiguous' {
  if (before?.lineIds.has(lineId)) return 'in-time';
  if (before !== null && isPastAccepted(before.status)) return 'late';
  return isPastAccepted(status) ? 'ambiguous' : 'in-time';
}

function isPastAccepted(status: string): boolean {
  const rank = rankOf(status);
  return rank !== null && rank > ACCEPTED;
}
