import { emailKey, licenseKey, type MarketplaceCustomer } from '../../domain/customer.ts';
import { isBefore } from '../../domain/instant.ts';
import { type AlikeCustomer, markAlike } from './alike-customers.ts';
import { recordWindow, type Window } from './cursors.ts';
import type { Database, Queryable } from './database.ts';
import { findByMarketplaceId } from './mappings.ts';
import { dropMisfit, type FoundMisfit, saveMisfit } from './misfits.ts';
import { eq, sql } from './orm.ts';
import { keysAfter, nthNewestModified, putInto, rowBy } from './queries.ts';
import { customers } from './tables/marketplace.ts';
import { type Lane, markWork } from './work.ts';

export type StoredCustomer = typeof customers.$inferSelect;

export interface ObservedCustomer {
  readonly customer: MarketplaceCustomer;
  /** The fields that are kept in step, by their names on the wire, as JSON. */
  readonly content: string;
}

export interface RecordCustomers {
  readonly account: string;
  readonly rows: readonly ObservedCustomer[];
  readonly misfits: readonly FoundMisfit[];
  readonly window: Window | null;
  readonly lane: Lane;
}

/** The marketplace's customers. */
export function customerStore(db: Database, now: () => number) {
  return {
    /** Stores what was read in one transaction. */
    async record({ account, rows, misfits, window, lane }: RecordCustomers): Promise<void> {
      await db.transaction((tx) => {
        for (const row of rows) recordCustomer(tx, account, row, lane, now());
        for (const misfit of misfits) {
          saveMisfit(tx, account, 'customers', misfit, now());
          markBoth(tx, account, misfit.what, lane, 'customer does not fit', now());
        }
        if (window !== null) recordWindow(tx, window, now());
      });
    },

    async get(account: string, id: number): Promise<StoredCustomer | null> {
      return findCustomer(db, { account, id }) ?? null;
    },

    async ids(account: string, after: string, limit: number): Promise<string[]> {
      return idsAfter(db, account, Number(after), limit).map(String);
    },

    async count(account: string): Promise<number> {
      const where = eq(customers.account, account);
      return db.select({ count: sql<number>`count(*)` }).from(customers).where(where).get()?.count ?? 0;
    },

    async nthNewestModified(account: string, n: number): Promise<string | null> {
      return nthNewest(db, account, n);
    },
  };
}

const findCustomer = rowBy(customers, 'account', 'id');
const idsAfter = keysAfter(customers, 'id');
const nthNewest = nthNewestModified(customers);
const putCustomer = putInto(customers, 'account', 'id');

function recordCustomer(
  tx: Queryable,
  account: string,
  { customer, content }: ObservedCustomer,
  lane: Lane,
  nowMs: number,
): void {
  const { id, modified, externalId } = customer;
  const before = findCustomer(tx, { account, id });
  // An answer that was overtaken by a later one says nothing new.
  if (before?.modified != null && modified !== null && isBefore(modified, before.modified)) return;
  const row: StoredCustomer = {
    account,
    id,
    name: customer.name ?? '',
    externalId,
    licenseKey: licenseKey(customer.licenseNumber),
    emailKey: emailKey(customer.email),
    archived: customer.archived ?? before?.archived ?? false,
    content,
    modified: modified ?? before?.modified ?? null,
    seenAtMs: nowMs,
  };
  const mended = dropMisfit(tx, account, 'customers', String(id));
  const isSame = before !== undefined && before.content === content && before.archived === row.archived;
  if (isSame && !mended && before.modified === row.modified) return;
  putCustomer(tx, row);
  if (isSame && !mended) return;
  const why = before === undefined ? 'customer seen on the marketplace' : 'customer changed on the marketplace';
  markBoth(tx, account, String(id), lane, why, nowMs);
  for (const state of before === undefined ? [row] : [before, row]) {
    markAlike(tx, account, signsOf(state), { lane, why: `${why}: ${id}`, nowMs });
  }
}

function markBoth(tx: Queryable, account: string, id: string, lane: Lane, why: string, nowMs: number): void {
  const mapping = findByMarketplaceId(tx, { account, kind: 'customer', marketplaceId: id });
  if (mapping?.erpId != null) markWork(tx, { account, flow: 'customer-out', key: mapping.erpId }, lane, why, nowMs);
  if (mapping?.state !== 'linked') markWork(tx, { account, flow: 'customer-in', key: id }, lane, why, nowMs);
}

function signsOf({ id, externalId, licenseKey: license, emailKey: email }: StoredCustomer): AlikeCustomer {
  return { marketplaceId: id, erpId: externalId, licenseKey: license, emailKey: email };
}
