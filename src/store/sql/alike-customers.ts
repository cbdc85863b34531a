import { type CustomerSigns, dueOfAlike } from '../../domain/shadow/customers.ts';
import type { LikeCustomers } from '../observe.ts';
import type { Lane } from '../work.ts';
import type { Queryable, Readable } from './database.ts';
import { findByErpId, findByMarketplaceId } from './mappings.ts';
import { and, eq, or } from './orm.ts';
import { erpCustomers } from './tables/erp.ts';
import { customers } from './tables/marketplace.ts';
import { markDue } from './work.ts';

/** At most so many similar customers are looked at: two are a conflict already. */
const MAX_ALIKE = 20;

/** Customers of either side that share a sign with this one, each with its link. */
export function customersLike(db: Readable, account: string, like: CustomerSigns): LikeCustomers {
  const { marketplaceId, erpId } = like;
  const sharing = (
    table: typeof customers | typeof erpCustomers,
    ...ids: readonly (ReturnType<typeof eq> | null)[]
  ) => {
    const license = like.licenseKey === null ? null : eq(table.licenseKey, like.licenseKey);
    const email = like.emailKey === null ? null : eq(table.emailKey, like.emailKey);
    const signs = [...ids, license, email].filter((sign) => sign !== null);
    return signs.length === 0 ? null : and(eq(table.account, account), or(...signs));
  };
  const there = sharing(
    customers,
    marketplaceId === null ? null : eq(customers.id, marketplaceId),
    erpId === null ? null : eq(customers.externalId, erpId),
  );
  const here = sharing(
    erpCustomers,
    erpId === null ? null : eq(erpCustomers.id, erpId),
    marketplaceId === null ? null : eq(erpCustomers.marketplaceId, marketplaceId),
  );
  const onMarketplace = there === null ? [] : db.select().from(customers).where(there).limit(MAX_ALIKE).all();
  const inErp = here === null ? [] : db.select().from(erpCustomers).where(here).limit(MAX_ALIKE).all();
  return {
    onMarketplace: onMarketplace.map((row) => {
      const mapping = findByMarketplaceId(db, { account, kind: 'customer', marketplaceId: String(row.id) });
      return { ...row, linkedTo: mapping?.state === 'linked' ? mapping.erpId : null };
    }),
    inErp: inErp.map((row) => {
      const mapping = findByErpId(db, { account, kind: 'customer', erpId: row.id });
      return { ...row, linkedTo: mapping?.state === 'linked' ? mapping.marketplaceId : null };
    }),
  };
}

/** Has those without a link looked at that share a sign with this one. */
export function markAlike(
  tx: Queryable,
  account: string,
  signs: CustomerSigns,
  why: string,
  lane: Lane,
  nowMs: number,
): void {
  markDue(tx, account, dueOfAlike(customersLike(tx, account, signs), why), lane, nowMs);
}
