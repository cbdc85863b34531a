import { withErpCustomer } from '../../domain/shadow/customers.ts';
import { isOutdatedInErp } from '../../domain/shadow/row.ts';
import type { ErpCustomer } from '../../erp/connector.ts';
import type { ErpCustomerStore } from '../erp.ts';
import type { Lane } from '../work.ts';
import { markAlike } from './alike-customers.ts';
import type { Queryable } from './database.ts';
import { dropMisfit } from './misfits.ts';
import type { Reads, Writes } from './part.ts';
import { keysAfter, putInto, rowBy } from './queries.ts';
import { erpCustomers } from './tables/erp.ts';
import { markDue } from './work.ts';

export const erpCustomerReads = {
  customer({ db }, account, id) {
    const row = findCustomer(db, { account, id });
    return row === undefined ? null : (JSON.parse(row.content) as ErpCustomer);
  },

  customerIds: keysAfter(erpCustomers, 'id'),
} satisfies Reads<ErpCustomerStore>;

export const erpCustomerWrites = {
  recordCustomers({ tx, nowMs }, account, items, lane) {
    for (const item of items) recordCustomer(tx, account, item, lane, nowMs);
  },
} satisfies Writes<ErpCustomerStore>;

const findCustomer = rowBy(erpCustomers, 'account', 'id');
const putCustomer = putInto(erpCustomers, 'account', 'id');

function recordCustomer(tx: Queryable, account: string, item: ErpCustomer, lane: Lane, nowMs: number): void {
  const { id } = item;
  const before = findCustomer(tx, { account, id });
  if (isOutdatedInErp(before, item)) return;
  const mended = dropMisfit(tx, account, 'erp-customers', id);
  const { row, news } = withErpCustomer(before, item, { mended, nowMs });
  if (row !== null) putCustomer(tx, { account, ...row });
  if (news === null) return;
  markDue(tx, account, [{ flow: 'customer-out', key: id, why: news.why }], lane, nowMs);
  for (const signs of news.signs) markAlike(tx, account, signs, `${news.why}: ${id}`, lane, nowMs);
}
