import type { Store } from '../../store/store.ts';
import type { UnlinkedCounts } from '../../store/unlinked.ts';

/** What stands alone: listings on sale and products that the ERP sells, as they were read last. For `status` and `plan`. */
export function unlinkedCounts(store: Store, account: string): Promise<UnlinkedCounts> {
  return store.unlinked.counts(account);
}
