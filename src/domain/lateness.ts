import { rankOf } from './status.ts';

const ACCEPTED = 2;

/**
 * Was this line added after Accepted (spec 1, Rule: then it neither reserves nor consumes)? Certain only when the order
 * was known past Accepted without the line. `ambiguous` when the line appeared together with the step past Accepted, or
 * with the order itself.
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
