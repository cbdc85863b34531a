import type { Due } from './row.ts';

/** The buyers of a listing (spec 2, Assignment), as read at this tick. */
export interface AssignmentsRow {
  readonly listingId: number;
  /** JSON: whether the listing is exclusive, its buyers and its groups, each sorted by id. */
  readonly content: string;
  readonly tick: number;
}

/**
 * Returns the row after a read. null: the stored row was requested later and stays.
 * @param erpId the linked ERP product
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
