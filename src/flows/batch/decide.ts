import { type Cause, cause, isCause } from '../../domain/causes/cause.ts';
import { type Gone, reportedGone } from '../../domain/gone.ts';
import type { Echoes } from '../../store/links.ts';
import { act, createWords, type Decision, hold, holdForLink, inSync, type Planned } from '../engine/decision.ts';
import { differingFields, showFields, type WireFields, wereWritten } from '../engine/fields.ts';
import type { Braked } from '../engine/policy.ts';

export interface BatchSnapshot {
  readonly lot: { readonly id: string; readonly batch: string } | null;
  readonly invalidRow: string | null;
  /** The lot has stock at a place whose batches are made of lots. */
  readonly isWanted: boolean;
  /** `shown`: the batch's fields. null: not read yet. */
  readonly linked: { readonly id: number; readonly shown: WireFields | null; readonly gone: Gone | null } | null;
  readonly made: BuiltBatch | Cause;
  /** Marketplace batches with the lot's name, and the lots they belong to. */
  readonly found: readonly { readonly id: number; readonly lotId: string | null }[];
  readonly echoes: Echoes;
  readonly createInDoubt: boolean;
  readonly known: boolean;
}

export interface BuiltBatch {
  readonly fields: WireFields;
  readonly key: string;
}

export type BatchAction = Planned &
  Braked &
  (
    | { readonly action: 'batch-out.link'; readonly batchId: number }
    /** `made` null: only settle an earlier create. */
    | { readonly action: 'batch-out.create'; readonly made: BuiltBatch | null }
    | { readonly action: 'batch-out.patch'; readonly batchId: number; readonly fields: WireFields }
  );

/** @param snapshot null: batches are not made of lots */
export function decideBatch(snapshot: BatchSnapshot | null): Decision<BatchAction> {
  if (snapshot === null) return inSync();
  const { lot, invalidRow, made, linked } = snapshot;
  if (invalidRow !== null) return hold(cause('lot-invalid', { problem: invalidRow }));
  if (lot === null) return inSync();
  if (linked !== null) return isCause(made) ? hold(made) : decideLinked(snapshot, made, linked);
  if (snapshot.createInDoubt) return act([creation(snapshot, lot, isCause(made) ? null : made)]);
  if (!snapshot.isWanted) return inSync();
  if (isCause(made)) return hold(made);
  return snapshot.known ? decideUnlinked(snapshot, lot, made) : hold(cause('batches-unread'));
}

type Lot = NonNullable<BatchSnapshot['lot']>;

function decideLinked(
  { lot, echoes }: BatchSnapshot,
  { fields }: BuiltBatch,
  { id, shown, gone }: NonNullable<BatchSnapshot['linked']>,
): Decision<BatchAction> {
  if (gone !== null) return hold(cause('batch-gone', { lot: lot?.id ?? '', batch: id, ...reportedGone(gone) }));
  if (shown === null) return hold(cause('batches-unread'));
  const names = differingFields(fields, shown, echoes);
  if (names.length === 0) return inSync();
  const isTakenBack = wereWritten(names, fields, echoes);
  return act([
    {
      action: 'batch-out.patch',
      target: `batch ${id} (${lot?.batch})`,
      before: showFields(names, shown),
      after: showFields(names, fields),
      why: isTakenBack
        ? 'it was changed on the marketplace, and goes back to what the ERP shows'
        : 'the ERP shows it otherwise',
      batchId: id,
      fields: Object.fromEntries(names.map((name) => [name, fields[name]])),
    },
  ]);
}

function decideUnlinked({ found, ...snapshot }: BatchSnapshot, lot: Lot, made: BuiltBatch): Decision<BatchAction> {
  const free = found.filter(({ lotId }) => lotId === null);
  const [only] = free;
  const batches = free.map(({ id }) => id);
  if (free.length > 1) return holdForLink(cause('batch-several', { lot: lot.id, batches, key: made.key }));
  if (only !== undefined) {
    const words = { before: 'not linked', after: `linked to ERP lot ${lot.id}`, why: `both are "${made.key}"` };
    const target = `batch ${only.id} (${lot.batch})`;
    return act([{ action: 'batch-out.link', target, ...words, batchId: only.id }]);
  }
  const [taken] = found;
  if (taken !== undefined) {
    const whose = { lot: lot.id, batch: taken.id, other: taken.lotId ?? '', key: made.key };
    return holdForLink(cause('batch-taken', whose));
  }
  return act([creation({ found, ...snapshot }, lot, made)]);
}

function creation({ createInDoubt }: BatchSnapshot, lot: Lot, made: BuiltBatch | null): BatchAction {
  const after = made === null ? '' : showFields(Object.keys(made.fields), made.fields);
  const why = 'stock lies in the lot, and the marketplace has no such batch yet';
  const { adoptOnly: _, ...words } = createWords(after, why, { isWanted: made !== null, createInDoubt });
  return {
    action: 'batch-out.create',
    target: `a batch for lot ${lot.id} (${lot.batch})`,
    ...words,
    made,
    brake: 'create',
  };
}
