import { emailKey, licenseKey } from '../../domain/customer.ts';
import { isBefore } from '../../domain/instant.ts';
import type { AlikeCustomer, CustomerStore, ObservedCustomer, StoredCustomer } from '../marketplace.ts';
import type { Lane } from '../work.ts';
import { markAlike } from './alike-customers.ts';
import { recordWindow } from './cursors.ts';
import type { Queryable } from './database.ts';
import { findByMarketplaceId } from './mappings.ts';
import { dropMisfit, saveMisfit } from './misfits.ts';
import { eq } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { countOf, keysAfter, nthNewestModified, putInto, rowBy } from './queries.ts';
import { customers } from './tables/marketplace.ts';
import { markWork } from './work.ts';

export const customerReads = {
  get({ db }, account, id) {
    return findCustomer(db, { account, id }) ?? null;
  },

  ids(at, account, after, limit) {
    return idsAfter(at, account, Number(after), limit).map(String);
  },

  count({ db }, account) {
    return countOf(db, customers, eq(customers.account, account));
  },

  nthNewestModified: nthNewestModified(customers),
} satisfies Reads<CustomerStore>;

export const customerWrites = {
  record({ tx, nowMs }, { account, rows, misfits, window, lane }) {
    for (const row of rows) recordCustomer(tx, account, row, lane, nowMs);
    for (const misfit of misfits) {
      saveMisfit(tx, account, 'customers', misfit, nowMs);
      markBoth(tx, account, misfit.what, lane, 'customer does not fit', nowMs);
    }
    if (window !== null) recordWindow(tx, window, nowMs);
  },
} satisfies Writes<CustomerStore>;

const findCustomer = rowBy(customers, 'account', 'id');
const idsAfter = keysAfter(customers, 'id');
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
