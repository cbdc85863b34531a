import { dueOfCustomer, withCustomer } from '../../domain/shadow/customers.ts';
import { isOutdated } from '../../domain/shadow/row.ts';
import type { CustomerStore, ObservedCustomer } from '../marketplace.ts';
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
import { markDue } from './work.ts';

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
      markCustomer(tx, account, misfit.what, 'customer does not fit', lane, nowMs);
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
  const { id } = customer;
  const before = findCustomer(tx, { account, id });
  if (isOutdated(before, customer)) return;
  const mended = dropMisfit(tx, account, 'customers', String(id));
  const { row, news } = withCustomer(before, customer, { content, mended, nowMs });
  if (row !== null) putCustomer(tx, { account, ...row });
  if (news === null) return;
  markCustomer(tx, account, String(id), news.why, lane, nowMs);
  for (const signs of news.signs) markAlike(tx, account, signs, `${news.why}: ${id}`, lane, nowMs);
}

function markCustomer(tx: Queryable, account: string, id: string, why: string, lane: Lane, nowMs: number): void {
  const link = findByMarketplaceId(tx, { account, kind: 'customer', marketplaceId: id });
  markDue(tx, account, dueOfCustomer(id, link, why), lane, nowMs);
}
