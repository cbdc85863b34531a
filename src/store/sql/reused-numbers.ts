import type { ErpOrderRow } from '../../domain/shadow/erp-orders.ts';
import type { Queryable } from './database.ts';
import { findByMarketplaceId } from './mappings.ts';

/** Linked marketplace orders whose number an ERP-created order uses as its reference. */
export function reusedNumbers(tx: Queryable, account: string, states: readonly ErpOrderRow[]): string[] {
  const named = states.filter(({ id, origin, reference }) => origin === 'erp' && reference !== id);
  const numbers = new Set(named.map(({ reference }) => reference));
  return [...numbers].filter((marketplaceId) => {
    const link = findByMarketplaceId(tx, { account, kind: 'order', marketplaceId });
    return link?.state === 'linked';
  });
}
