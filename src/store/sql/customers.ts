import { dueOfCustomer, withCustomer, withErpCustomer } from '../../domain/shadow/customers.ts';
import { isOutdated, isOutdatedInErp, wasRequestedEarlier } from '../../domain/shadow/row.ts';
import type { ErpCustomer } from '../../erp/connector.ts';
import type { ErpCustomerStore } from '../erp.ts';
import type { CustomerStore, ObservedCustomer } from '../marketplace.ts';
import type { Lane } from '../work.ts';
import { markAlike } from './alike-customers.ts';
import { recordWindow } from './cursors.ts';
import type { Queryable } from './database.ts';
import { isForgotten } from './forgotten.ts';
import { dropInvalidRow, saveInvalidRow, saveUnstored } from './invalid-rows.ts';
import { findByMarketplaceId } from './mappings.ts';
import { eq } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { countOf, keysAfter, nthNewestModified, putInto, rowBy } from './queries.ts';
import { eachOf, storeRows, UNSTORED } from './row-by-row.ts';
import { erpCustomers } from './tables/erp.ts';
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
  record(at, { account, rows, invalidRows, window, lane, askedAtMs }) {
    const { tx, nowMs } = at;
    const hold = (id: string) => markCustomer(tx, account, id, 'customer does not fit', lane, nowMs);
    storeRows(at, rows, {
      store: eachOf((row) => recordCustomer(tx, account, row, { lane, askedAtMs }, nowMs)),
      setAside: ({ customer }, problem) => hold(saveUnstored(at, account, 'customers', String(customer.id), problem)),
    });
    for (const invalidRow of invalidRows) hold(saveInvalidRow(tx, account, 'customers', invalidRow, nowMs));
    if (window !== null) recordWindow(tx, window, nowMs);
  },
} satisfies Writes<CustomerStore>;

export const findCustomer = rowBy(customers, 'account', 'id');
const idsAfter = keysAfter(customers, 'id');
const putCustomer = putInto(customers, 'account', 'id');

interface Asked {
  readonly lane: Lane;
  readonly askedAtMs: number | undefined;
}

function recordCustomer(
  tx: Queryable,
  account: string,
  { customer, content }: ObservedCustomer,
  { lane, askedAtMs }: Asked,
  nowMs: number,
): void {
  const { id } = customer;
  if (isForgotten(tx, account, 'customer', String(id))) return;
  const before = findCustomer(tx, { account, id });
  if (isOutdated(before, customer, askedAtMs)) return;
  // The answer to an address write has no date, so it is stored under the earlier one.
  if (before?.modified === customer.modified && wasRequestedEarlier(before, askedAtMs)) return;
  const mended = dropInvalidRow(tx, account, 'customers', String(id));
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

export const erpCustomerReads = {
  customer({ db }, account, id) {
    const row = findErpCustomer(db, { account, id });
    return row === undefined ? null : (JSON.parse(row.content) as ErpCustomer);
  },

  customerIds: keysAfter(erpCustomers, 'id'),
} satisfies Reads<ErpCustomerStore>;

export const erpCustomerWrites = {
  recordCustomers(at, account, items, lane, askedAtMs) {
    const { tx, nowMs } = at;
    storeRows(at, items, {
      store: eachOf((item) => recordErpCustomer(tx, account, item, { lane, askedAtMs }, nowMs)),
      setAside({ id }, problem) {
        const key = saveUnstored(at, account, 'erp-customers', id, problem);
        markDue(tx, account, [{ flow: 'customer-out', key, why: UNSTORED }], lane, nowMs);
      },
    });
  },
} satisfies Writes<ErpCustomerStore>;

export const findErpCustomer = rowBy(erpCustomers, 'account', 'id');
const putErpCustomer = putInto(erpCustomers, 'account', 'id');

function recordErpCustomer(
  tx: Queryable,
  account: string,
  item: ErpCustomer,
  { lane, askedAtMs }: Asked,
  nowMs: number,
): void {
  const { id } = item;
  if (isForgotten(tx, account, 'erp-customer', id)) return;
  const before = findErpCustomer(tx, { account, id });
  if (isOutdatedInErp(before, item, askedAtMs)) return;
  const mended = dropInvalidRow(tx, account, 'erp-customers', id);
  const { row, news } = withErpCustomer(before, item, { mended, nowMs });
  if (row !== null) putErpCustomer(tx, { account, ...row });
  if (news === null) return;
  markDue(tx, account, [{ flow: 'customer-out', key: id, why: news.why }], lane, nowMs);
  for (const signs of news.signs) markAlike(tx, account, signs, `${news.why}: ${id}`, lane, nowMs);
}
