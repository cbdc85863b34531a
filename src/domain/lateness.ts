import { rankOf } from './status.ts';

const ACCEPTED = 2;

/**
 * Was this line added after Accepted? Such a line neither reserves nor consumes (spec 1, Rule). The answer is certain only when
 * the order was known past Accepted without the line. The answer is `ambiguous` when the line appeared together with the step
 * past Accepted, or together with the order itself.
 * @param before the order when its lines were read last; null when they have not been read yet
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
