import type { ListedMapping as Listed } from '../../store/links.ts';
import type { Store } from '../../store/store.ts';
import { eachRow } from '../each-row.ts';
import { KINDS, type MappingKind } from './ids.ts';

export type ListedMapping = Listed;

const PAGE = 500;

/** By account and kind, oldest first. */
export async function* mappingsOf(
  store: Store,
  accounts: readonly string[],
  kinds: readonly MappingKind[] = KINDS,
): AsyncGenerator<ListedMapping> {
  for (const account of accounts) {
    for (const kind of kinds) {
      yield* eachRow<ListedMapping>((last) => store.mappings.list(account, kind, last?.id ?? 0, PAGE));
    }
  }
}

export function shownMapping({ account, kind, marketplaceId, erpId, sku, state, how, createdAtMs }: ListedMapping) {
  const created_at = new Date(createdAtMs).toISOString();
  return { account, kind, marketplace_id: marketplaceId, erp_id: erpId, sku, state, how, created_at };
}
