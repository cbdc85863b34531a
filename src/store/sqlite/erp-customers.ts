import { emailKey, licenseKey } from '../../domain/customer.ts';
import { isOvertaken } from '../../domain/instant.ts';
import type { ErpCustomer } from '../../erp/connector.ts';
import type { ErpCustomerStore } from '../erp.ts';
import type { ErpCustomerRow } from '../marketplace.ts';
import type { Lane } from '../work.ts';
import { markAlike } from './alike-customers.ts';
import type { Queryable } from './database.ts';
import { dropMisfit } from './misfits.ts';
import type { Reads, Writes } from './part.ts';
import { keysAfter, putInto, rowBy } from './queries.ts';
import { erpCustomers } from './tables/erp.ts';
import { markWork } from './work.ts';

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
  const { id, changedAt, ...told } = item;
  const before = findCustomer(tx, { account, id });
  if (before?.changedAt != null && changedAt !== null && isOvertaken(changedAt, before.changedAt)) return;
  const row: ErpCustomerRow = {
    account,
    id,
    name: told.name,
    marketplaceId: told.marketplaceId,
    licenseKey: licenseKey(told.licenseNumber),
    emailKey: emailKey(told.email),
    gone: told.active === false,
    content: JSON.stringify(item),
    changedAt,
    seenAtMs: nowMs,
  };
  const mended = dropMisfit(tx, account, 'erp-customers', id);
  if (before?.content === row.content && !mended) return;
  putCustomer(tx, row);
  if (before !== undefined && !mended && toldBy(before) === JSON.stringify(told)) return;
  const why = before === undefined ? 'customer seen for the first time in the ERP' : 'customer changed in the ERP';
  markWork(tx, { account, flow: 'customer-out', key: id }, lane, why, nowMs);
  for (const state of before === undefined ? [row] : [before, row]) {
    const like = { ...state, erpId: id };
    markAlike(tx, account, like, { lane, why: `${why}: ${id}`, nowMs });
  }
}

/** All but when it changed. */
function toldBy({ content }: ErpCustomerRow): string {
  const { id: _id, changedAt: _at, ...told } = JSON.parse(content) as ErpCustomer;
  return JSON.stringify(told);
}
