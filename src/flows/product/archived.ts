import type { AccountRecords } from '../../shadow/context.ts';
import type { Echoes } from '../../store/links.ts';
import type { ArchiveDecision, ArchiveReason, ProductSnapshot } from './snapshot.ts';

/** Not a name of any listing field. */
const STATE = 'state of both sides';
type State = 'archived' | 'listed' | ArchiveDecision;

/** The most journal entries that are searched for our own archive. */
const MOST_ENTRIES = 200;
const MAY_BE_APPLIED = ['sent', 'written', 'unknown'];

/**
 * The last agreed state: archived and not sold, or listed and sold. It shows which side changed since. null: not
 * recorded.
 */
function agreedState(echoes: Echoes): State | null {
  return (echoes[STATE]?.sent as State | undefined) ?? null;
}

/** Stores that both sides agree. Without a record, a product counts as listed. */
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

/** Sets or clears a person's decision about a listing archived by hand. null: clears it. */
export function withDecision(echoes: Echoes, told: ArchiveDecision | null): Echoes {
  const { [STATE]: _, ...others } = echoes;
  return told === null ? others : { ...others, [STATE]: { sent: told, echo: told } };
}

export async function archiveReason(
  { account, store }: AccountRecords,
  erpId: string,
  echoes: Echoes,
): Promise<ArchiveReason> {
  const agreed = agreedState(echoes);
  if (agreed === 'asked-back' || agreed === 'left') return agreed;
  if (agreed !== null) return agreed === 'archived' ? 'with-erp' : 'by-hand';
  // Archives from before agreements were stored.
  const entries = await store.journal.of(account, 'product', erpId, MOST_ENTRIES);
  const last = entries.find(
    ({ action, outcome }) =>
      MAY_BE_APPLIED.includes(outcome) && (action.startsWith('product.archive') || action === 'product.restore'),
  );
  return last !== undefined && last.action !== 'product.restore' ? 'with-erp' : 'by-hand';
}
