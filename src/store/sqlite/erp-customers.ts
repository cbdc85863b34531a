import { emailKey, licenseKey } from '../../domain/customer.ts';
import { isOvertaken } from '../../domain/instant.ts';
import type { ErpCustomer } from '../../erp/connector.ts';
import { markAlike } from './alike-customers.ts';
import type { Database, Queryable } from './database.ts';
import { dropMisfit } from './misfits.ts';
import { keysAfter, putInto, rowBy } from './queries.ts';
import { erpCustomers } from './tables/erp.ts';
import { type Lane, markWork } from './work.ts';

type ErpCustomerRow = typeof erpCustomers.$inferSelect;

/** The ERP's customers. What a listing lacks stays as it is: only what the ERP says of a customer counts. */
export function erpCustomerStore(db: Database, now: () => number) {
  return {
    async recordCustomers(account: string, items: readonly ErpCustomer[], lane: Lane): Promise<void> {
      await db.transaction((tx) => {
        for (const item of items) recordCustomer(tx, account, item, lane, now());
      });
    },

    async customer(account: string, id: string): Promise<ErpCustomer | null> {
      const row = findCustomer(db, { account, id });
      return row === undefined ? null : (JSON.parse(row.content) as ErpCustomer);
    },

    async customerIds(account: string, after: string, limit: number): Promise<string[]> {
      return idsAfter(db, account, after, limit);
    },
  };
}

const findCustomer = rowBy(erpCustomers, 'account', 'id');
const idsAfter = keysAfter(erpCustomers, 'id');
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
