import type { Gone } from '../../domain/gone.ts';
import { isDeleted } from '../../domain/shadow/customers.ts';
import type { IntentKind } from '../intent-kinds.ts';
import type { StoredCustomer, StoredProduct } from '../marketplace.ts';
import type { Facts, LikeCustomers, ShownListing } from '../observe.ts';
import { findFacts } from './cursors.ts';
import { findErpCustomer } from './customers.ts';
import { goneOf } from './gone.ts';
import { intentReads } from './intents.ts';
import { invalidRowReads } from './invalid-rows.ts';
import { mappingReads } from './mappings.ts';
import type { ReadAt } from './part.ts';
import { productReads } from './products.ts';

export const NOBODY: LikeCustomers = { onMarketplace: [], inErp: [] };

export function factsOf(at: ReadAt, account: string, names: readonly string[]): Facts {
  const rows = findFacts(at.db).all({ account, names: JSON.stringify(names) });
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export function isUnsettled(at: ReadAt, account: string, kind: IntentKind, key: string): boolean {
  return intentReads.unsettled(at, { account, kind, key }) !== null;
}

export function shownListing(at: ReadAt, account: string, stored: StoredProduct): ShownListing {
  const raw = productReads.raw(at, account, stored.id);
  return { stored, raw, invalidRow: invalidRowReads.get(at, account, 'products', String(stored.id)) };
}

export function listingOf(at: ReadAt, account: string, erpId: string): StoredProduct | null {
  const linked = mappingReads.linkedTo(at, account, 'product', erpId);
  return linked === null ? null : productReads.get(at, account, Number(linked));
}

/** The external id of a deleted ERP customer means nothing any more. */
export function withoutGoneId(at: ReadAt, account: string, customer: StoredCustomer | null): StoredCustomer | null {
  const { externalId = null } = customer ?? {};
  if (customer === null || externalId === null) return customer;
  return erpCustomerGone(at, account, externalId) === null ? customer : { ...customer, externalId: null };
}

/** An inactive customer exists. One that the ERP marks as deleted does not. */
export function erpCustomerGone(at: ReadAt, account: string, id: string): Gone | null {
  const row = findErpCustomer(at.db, { account, id });
  if (row === undefined) return goneOf(at, account, 'erp-customers', id);
  return isDeleted(row) ? { sinceMs: row.seenAtMs, witness: 'told' } : null;
}
