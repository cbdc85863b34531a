import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type CustomerSigns, dueOfAlike } from '../../domain/shadow/customers.ts';
import type { LikeCustomers } from '../observe.ts';
import type { Lane } from '../work.ts';
import type { Queryable, Readable } from './database.ts';
import { findByErpId, findByMarketplaceId } from './mappings.ts';
import { and, eq, getTableColumns, or, sql } from './orm.ts';
import { matching, selecting } from './queries.ts';
import { erpCustomers } from './tables/erp.ts';
import { customers } from './tables/marketplace.ts';
import { markDue } from './work.ts';

/** The most similar customers examined. Two of them are already a conflict. */
const MAX_ALIKE = 20;

export function alikeCustomers(db: Readable, account: string, like: CustomerSigns): LikeCustomers {
  const { marketplaceId, erpId, licenseKey, emailKey } = like;
  const signs = { account, marketplaceId, erpId, licenseKey, emailKey };
  const onMarketplace = findLikeCustomers(db).all(signs);
  const inErp = findLikeErpCustomers(db).all(signs);
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

/** Customers without a sign do not share it. */
const shared = (column: SQLiteColumn, sign: keyof CustomerSigns) => eq(column, sql.placeholder(sign));

export const findLikeCustomers = selecting(getTableColumns(customers), (db, fields) => {
  const { id, externalId, licenseKey, emailKey } = customers;
  const ids = [shared(id, 'marketplaceId'), shared(externalId, 'erpId')];
  const isLike = or(...ids, shared(licenseKey, 'licenseKey'), shared(emailKey, 'emailKey'));
  return db
    .select(fields)
    .from(customers)
    .where(and(matching(customers, 'account'), isLike))
    .limit(MAX_ALIKE);
});

export const findLikeErpCustomers = selecting(getTableColumns(erpCustomers), (db, fields) => {
  const { id, marketplaceId, licenseKey, emailKey } = erpCustomers;
  const ids = [shared(id, 'erpId'), shared(marketplaceId, 'marketplaceId')];
  const isLike = or(...ids, shared(licenseKey, 'licenseKey'), shared(emailKey, 'emailKey'));
  return db
    .select(fields)
    .from(erpCustomers)
    .where(and(matching(erpCustomers, 'account'), isLike))
    .limit(MAX_ALIKE);
});

export function markAlike(
  tx: Queryable,
  account: string,
  signs: CustomerSigns,
  why: string,
  lane: Lane,
  nowMs: number,
): void {
  markDue(tx, account, dueOfAlike(alikeCustomers(tx, account, signs), why), lane, nowMs);
}
