import type { Due } from './row.ts';

/** The buyers of a listing (spec 2, Assignment), as the marketplace showed them at this tick of our counter of reads. */
export interface AssignmentsRow {
  readonly listingId: number;
  /** As JSON: whether the listing is exclusive, its buyers and its groups. Buyers and groups are in the order of their ids. */
  readonly content: string;
  readonly tick: number;
}

/**
 * The row after a read; null when the stored row was asked for later, so that it stays.
 * @param erpId the ERP's product that the listing is linked to
 */
export function withAssignments(
  before: AssignmentsRow | undefined,
  row: AssignmentsRow,
  { mended, erpId }: { readonly mended: boolean; readonly erpId: string | null },
): { readonly row: AssignmentsRow; readonly due: readonly Due[] } | null {
  if (before !== undefined && before.tick > row.tick) return null;
  const isSame = before?.content === row.content && !mended;
  const due = { flow: 'assignments', why: 'its assignments changed on the marketplace' };
  return { row, due: isSame || erpId === null ? [] : [{ ...due, key: erpId }] };
}
