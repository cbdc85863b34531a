import type { Answer } from '../request.ts';

/** A buyer or a group to which a listing is assigned, with the displayed terms: end, message and quantity. */
export interface Assigned {
  readonly id: number;
  readonly terms: Readonly<Record<string, unknown>>;
}

/** Spec 2, Assignment. */
export interface Assignments {
  readonly exclusive: boolean;
  readonly buyers: readonly Assigned[];
  readonly groups: readonly Assigned[];
}

export const UNASSIGNED: Assignments = { exclusive: false, buyers: [], groups: [] };

const TERMS = ['expiration_date', 'call_to_action', 'quantity'] as const;

/** null: a field is missing, so the assignment is unknown. */
export function readAssignments(row: Answer<'product-assignments.list'>): Assignments | null {
  const { is_exclusive: exclusive, assigned_buyers: buyers, assigned_groups: groups } = row;
  if (typeof exclusive !== 'boolean' || buyers == null || groups == null) return null;
  const read = { exclusive, buyers: assigned(buyers, 'buyer_id'), groups: assigned(groups, 'customer_group_id') };
  const isWhole = read.buyers.length === buyers.length && read.groups.length === groups.length;
  return isWhole ? read : null;
}

function assigned(rows: readonly Readonly<Record<string, unknown>>[], id: string): Assigned[] {
  const found = rows.flatMap((row): Assigned[] => {
    const of = row[id];
    const terms = TERMS.filter((term) => row[term] !== undefined && row[term] !== null);
    if (typeof of !== 'number') return [];
    return [{ id: of, terms: Object.fromEntries(terms.map((term) => [term, row[term]])) }];
  });
  return found.toSorted((a, b) => a.id - b.id);
}
