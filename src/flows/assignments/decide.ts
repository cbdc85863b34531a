import { type Cause, cause } from '../../domain/causes/cause.ts';
import type { Assigned, Assignments } from '../../marketplace/entities/assignments.ts';
import { act, type Decision, hold, inSync, type Planned } from '../engine/decision.ts';
import type { Braked } from '../engine/policy.ts';

/** `id`: the marketplace's. null: unknown. */
export interface Named {
  readonly name: string;
  readonly id: number | null;
}

/** A product's buyers on both sides. null: it has no listing on sale. */
export type AssignmentsSnapshot = {
  readonly sku: string;
  readonly listingId: number;
  /** Why the ERP's assignments are unknown. */
  readonly problem: string | null;
  /** null: the ERP does not say. */
  readonly wanted: {
    readonly exclusive: boolean | null;
    readonly buyers: readonly Named[] | null;
    readonly groups: readonly Named[] | null;
  } | null;
  readonly invalidRow: string | null;
  /** The last applied write, as text. */
  readonly written: string | null;
  /** null: not read yet. */
  readonly shown: Assignments | null;
} | null;

export interface WriteAssignments extends Planned, Braked {
  readonly action: 'assignments.write';
  readonly listingId: number;
  /** The listing's assignments when this was decided. The write replaces them all. */
  readonly assumed: Assignments;
  readonly wanted: Assignments;
}

const WHY_AGAIN = 'it was changed on the marketplace, and goes back to what the ERP says';

/**
 * Parts that the ERP does not mention are kept as people set them. A customer or group that may match an unknown name
 * is kept.
 */
export function decideAssignments(snapshot: AssignmentsSnapshot): Decision<WriteAssignments> {
  if (snapshot === null) return inSync();
  const { sku, listingId, problem, wanted, invalidRow, shown } = snapshot;
  if (problem !== null) return hold(cause('assignments-problem', { sku, problem }));
  if (wanted === null) return inSync();
  if (shown === null) return hold(cause('assignments-unread'));
  if (invalidRow !== null) return hold(cause('assignments-invalid', { listing: listingId, problem: invalidRow }));
  const after = {
    exclusive: wanted.exclusive ?? shown.exclusive,
    buyers: merged(wanted.buyers, shown.buyers),
    groups: merged(wanted.groups, shown.groups),
  };
  const alerts = unknownTo(sku, wanted.buyers ?? [], wanted.groups ?? []);
  if (inWords(after) === inWords(shown)) return inSync(alerts);
  const why = snapshot.written === inWords(after) ? WHY_AGAIN : 'the ERP offers it otherwise';
  const words = { before: inWords(shown), after: inWords(after), why };
  const braked: Braked = takesAway(shown, after) ? { brake: 'archive' } : {};
  const target = `assignments of listing ${listingId} (${sku})`;
  const action = { action: 'assignments.write', target, ...words, ...braked } as const;
  return act([{ ...action, listingId, assumed: shown, wanted: after }], alerts);
}

function merged(wanted: readonly Named[] | null, shown: readonly Assigned[]): readonly Assigned[] {
  if (wanted === null) return shown;
  const ids = new Set(wanted.flatMap(({ id }) => id ?? []));
  const kept = wanted.some(({ id }) => id === null) ? shown : shown.filter(({ id }) => ids.has(id));
  const known = new Set(kept.map(({ id }) => id));
  const added = [...ids].filter((id) => !known.has(id)).map((id) => ({ id, terms: {} }));
  return [...kept, ...added].toSorted((a, b) => a.id - b.id);
}

function unknownTo(sku: string, buyers: readonly Named[], groups: readonly Named[]): Cause[] {
  const unknown = (all: readonly Named[]) => all.filter(({ id }) => id === null).map(({ name }) => name);
  const [customers, unknownGroups] = [unknown(buyers), unknown(groups)];
  return [
    ...(customers.length === 0 ? [] : [cause('assignment-customers', { sku, customers })]),
    ...(unknownGroups.length === 0 ? [] : [cause('assignment-groups', { sku, groups: unknownGroups })]),
  ];
}

/** Whether the write may remove a current buyer, or change who sees the product. */
function takesAway(before: Assignments, after: Assignments): boolean {
  const lacks = (all: readonly Assigned[], kept: readonly Assigned[]) =>
    all.some(({ id }) => !kept.some((one) => one.id === id));
  return (
    before.exclusive !== after.exclusive || lacks(before.buyers, after.buyers) || lacks(before.groups, after.groups)
  );
}

function inWords({ exclusive, buyers, groups }: Assignments): string {
  const ids = (all: readonly Assigned[]) => all.map(({ id }) => id).join(', ') || 'none';
  return `${exclusive ? 'exclusive' : 'not exclusive'}, buyers ${ids(buyers)}, groups ${ids(groups)}`;
}
