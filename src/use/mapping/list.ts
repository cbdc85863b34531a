import type { ListedMapping as Listed } from '../../store/links.ts';
import type { Store } from '../../store/store.ts';
import { KINDS, type MappingKind } from './ids.ts';

/** A link, or one that is being made. */
export type ListedMapping = Listed;

const PAGE = 500;

/** Every mapping of these accounts and kinds, by account, by kind, and then oldest first. */
export async function* mappingsOf(
  store: Store,
  accounts: readonly string[],
  kinds: readonly MappingKind[] = KINDS,
): AsyncGenerator<ListedMapping> {
  for (const account of accounts) {
    for (const kind of kinds) {
      for (let afterId = 0; ; ) {
        const page = await store.mappings.list(account, kind, afterId, PAGE);
        yield* page;
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) break;
        afterId = last.id;
      }
    }
  }
}

/** A link as JSON shows it. */
export function shownMapping({ account, kind, marketplaceId, erpId, sku, state, how, createdAtMs }: ListedMapping) {
  const created_at = new Date(createdAtMs).toISOString();
  return { account, kind, marketplace_id: marketplaceId, erp_id: erpId, sku, state, how, created_at };
}
