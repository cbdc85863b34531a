import type { AlikeCustomer, AlikeStore, ErpCustomerRow, StoredCustomer } from '../marketplace.ts';
import type { Lane } from '../work.ts';
import type { Queryable, Readable } from './database.ts';
import { findByErpId, findByMarketplaceId } from './mappings.ts';
import { and, eq, or } from './orm.ts';
import type { Reads } from './part.ts';
import { erpCustomers } from './tables/erp.ts';
import { customers } from './tables/marketplace.ts';
import { markAll } from './work.ts';

/** So many customers that look like one are looked at: two are a conflict already. */
const MAX_ALIKE = 20;

export const alikeReads = {
  customersLike({ db }, account, like) {
    return customersLike(db, account, like).map((row) => {
      const mapping = findByMarketplaceId(db, { account, kind: 'customer', marketplaceId: String(row.id) });
      return { ...row, linkedTo: mapping?.state === 'linked' ? mapping.erpId : null };
    });
  },

  erpCustomersLike({ db }, account, like) {
    return erpCustomersLike(db, account, like).map((row) => {
      const mapping = findByErpId(db, { account, kind: 'customer', erpId: row.id });
      return { ...row, linkedTo: mapping?.state === 'linked' ? mapping.marketplaceId : null };
    });
  },
} satisfies Reads<AlikeStore>;

/** Has those without a link looked at that share a sign with this one: who matches may have changed with it. */
export function markAlike(
  tx: Queryable,
  account: string,
  like: AlikeCustomer,
  { lane, why, nowMs }: { readonly lane: Lane; readonly why: string; readonly nowMs: number },
): void {
  const onMarketplace = customersLike(tx, account, like)
    .map(({ id }) => String(id))
    .filter((id) => findByMarketplaceId(tx, { account, kind: 'customer', marketplaceId: id })?.state !== 'linked')
    .map((key) => ({ account, flow: 'customer-in', key }));
  const inErp = erpCustomersLike(tx, account, like)
    .filter(({ id }) => findByErpId(tx, { account, kind: 'customer', erpId: id })?.state !== 'linked')
    .map(({ id }) => ({ account, flow: 'customer-out', key: id }));
  const targets = [...onMarketplace, ...inErp];
  if (targets.length > 0) markAll(tx, targets, lane, why, nowMs);
}

function customersLike(db: Readable, account: string, like: AlikeCustomer): StoredCustomer[] {
  const signs = [
    like.marketplaceId === null ? null : eq(customers.id, like.marketplaceId),
    like.erpId === null ? null : eq(customers.externalId, like.erpId),
    like.licenseKey === null ? null : eq(customers.licenseKey, like.licenseKey),
    like.emailKey === null ? null : eq(customers.emailKey, like.emailKey),
  ].filter((sign) => sign !== null);
  if (signs.length === 0) return [];
  const where = and(eq(customers.account, account), or(...signs));
  return db.select().from(customers).where(where).limit(MAX_ALIKE).all();
}

function erpCustomersLike(db: Readable, account: string, like: AlikeCustomer): ErpCustomerRow[] {
  const signs = [
    like.erpId === null ? null : eq(erpCustomers.id, like.erpId),
    like.marketplaceId === null ? null : eq(erpCustomers.marketplaceId, like.marketplaceId),
    like.licenseKey === null ? null : eq(erpCustomers.licenseKey, like.licenseKey),
    like.emailKey === null ? null : eq(erpCustomers.emailKey, like.emailKey),
  ].filter((sign) => sign !== null);
  if (signs.length === 0) return [];
  const where = and(eq(erpCustomers.account, account), or(...signs));
  return db.select().from(erpCustomers).where(where).limit(MAX_ALIKE).all();
}
