import type { AccountRecords } from '../../shadow/context.ts';
import type { Echoes } from '../../store/links.ts';
import type { ArchiveAnswer, ArchivedWhy, ProductSnapshot } from './snapshot.ts';

/** A name that no field of a listing has. */
const STATE = 'state of both sides';
type State = 'archived' | 'listed' | ArchiveAnswer;

/** Entries of the journal that are looked through for an archive of ours. */
const MOST_ENTRIES = 200;
const MAY_BE_APPLIED = ['sent', 'written', 'unknown'];

/**
 * The last state on which both sides agreed: archived and not sold, or listed and sold. It tells which side moved since. null: no
 * agreement is on record.
 */
function agreedState(echoes: Echoes): State | null {
  return (echoes[STATE]?.sent as State | undefined) ?? null;
}

/** Puts on record that both sides agree. A listed product is taken for granted, and so needs no record. */
export async function rememberState(
  { account, store }: AccountRecords,
  erpId: string,
  { erp, linked, echoes }: ProductSnapshot,
): Promise<void> {
  const listing = linked?.listing;
  if (erp === null || listing == null || erp.sold === listing.archived) return;
  const state: State = listing.archived ? 'archived' : 'listed';
  const before = agreedState(echoes);
  if (state === before || (state === 'listed' && before === null)) return;
  const mapping = await store.mappings.byErpId(account, 'product', erpId);
  if (mapping !== null) {
    await store.mappings.saveEchoes(mapping.id, { ...mapping.echoes, [STATE]: { sent: state, echo: state } });
  }
}

/** The same echoes with what a person said of a listing that was archived by hand; null: nothing any more. */
export function withTold(echoes: Echoes, told: ArchiveAnswer | null): Echoes {
  const { [STATE]: _, ...others } = echoes;
  return told === null ? others : { ...others, [STATE]: { sent: told, echo: told } };
}

export async function archivedWhy(
  { account, store }: AccountRecords,
  erpId: string,
  echoes: Echoes,
): Promise<ArchivedWhy> {
  const agreed = agreedState(echoes);
  if (agreed === 'asked-back' || agreed === 'left') return agreed;
  if (agreed !== null) return agreed === 'archived' ? 'with-erp' : 'by-hand';
  // Archives from before agreements were put on record.
  const entries = await store.journal.of(account, 'product', erpId, MOST_ENTRIES);
  const last = entries.find(
    ({ action, outcome }) =>
      MAY_BE_APPLIED.includes(outcome) && (action.startsWith('product.archive') || action === 'product.restore'),
  );
  return last !== undefined && last.action !== 'product.restore' ? 'with-erp' : 'by-hand';
}
