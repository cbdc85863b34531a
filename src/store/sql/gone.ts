import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Gone } from '../../domain/gone.ts';
import { type Due, dueOfBoth } from '../../domain/shadow/row.ts';
import type { GoneFrom, GoneStore } from '../gone.ts';
import type { Lane } from '../work.ts';
import { markAlike } from './alike-customers.ts';
import { findFact, putFact } from './cursors.ts';
import { findErpCustomer } from './customers.ts';
import type { Queryable } from './database.ts';
import { erpProductsBySku } from './former-skus.ts';
import { findByErpId, findByMarketplaceId } from './mappings.ts';
import { and, asc, eq, gt } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { findErpPayment, findErpPaymentsByReference } from './payments.ts';
import { forgetCount } from './products.ts';
import { deleteWhere } from './queries.ts';
import { erpCustomers, erpLots, erpPayments } from './tables/erp.ts';
import {
  assignments,
  batches,
  customers,
  listingImages,
  listingSigns,
  measurements,
  payments,
  products,
  transportOrders,
} from './tables/marketplace.ts';
import { markDue, releaseWork } from './work.ts';

/** Prefix of the facts of confirmed absences. Such a fact counts only while the shadow lacks the entity. */
export const GONE = 'gone:';

const factOf = (collection: GoneFrom, id: string) => `${GONE}${collection}:${id}`;

interface Table {
  readonly table: SQLiteTable & { readonly account: SQLiteColumn };
  readonly id: SQLiteColumn;
  readonly archived?: SQLiteColumn;
}

const TABLES: Readonly<Record<GoneFrom, Table>> = {
  products: { table: products, id: products.id, archived: products.archived },
  customers: { table: customers, id: customers.id, archived: customers.archived },
  payments: { table: payments, id: payments.id },
  batches: { table: batches, id: batches.id },
  'transport-orders': { table: transportOrders, id: transportOrders.id },
  'erp-customers': { table: erpCustomers, id: erpCustomers.id },
  'erp-payments': { table: erpPayments, id: erpPayments.id },
  'erp-lots': { table: erpLots, id: erpLots.id },
};

const keyOf = ({ id }: Table, text: string) => (id.dataType === 'number' ? Number(text) : text);

export const goneReads = {
  expected({ db }, account, collection, after, limit) {
    const of = TABLES[collection];
    const isLive = of.archived === undefined ? undefined : eq(of.archived, false);
    const isAfter = and(eq(of.table.account, account), gt(of.id, keyOf(of, after)), isLive);
    const found = db.select({ id: of.id }).from(of.table).where(isAfter).orderBy(asc(of.id)).limit(limit);
    return found.all().map(({ id }) => String(id));
  },

  get(at, account, collection, id) {
    return goneOf(at, account, collection, id);
  },
} satisfies Reads<GoneStore>;

export function goneOf({ db }: Pick<ReadAt, 'db'>, account: string, collection: GoneFrom, id: string): Gone | null {
  const fact = findFact(db, { account, name: factOf(collection, id) });
  return fact === undefined ? null : (JSON.parse(fact.value) as Gone);
}

export const goneWrites = {
  drop({ tx, nowMs }, account, collection, ids, { witness, lane }) {
    const of = TABLES[collection];
    const dropped: string[] = [];
    for (const id of ids) {
      const marking = { tx, account, id, lane, nowMs };
      const due = CONCERNED[collection](marking);
      const isIt = and(eq(of.table.account, account), eq(of.id, keyOf(of, id)));
      if (deleteWhere(tx, of.table, isIt) === 0) continue;
      noteGone(tx, { account, collection, id }, { sinceMs: nowMs, witness });
      markDue(tx, account, due, lane, nowMs);
      dropped.push(id);
    }
    return dropped;
  },

  note({ tx, nowMs }, account, collection, id, witness) {
    noteGone(tx, { account, collection, id }, { sinceMs: nowMs, witness });
  },
} satisfies Writes<GoneStore>;

function noteGone(
  tx: Queryable,
  { account, collection, id }: { readonly account: string; readonly collection: GoneFrom; readonly id: string },
  gone: Gone,
): void {
  const value = JSON.stringify(gone);
  putFact(tx, { account, name: factOf(collection, id), value, updatedAtMs: gone.sinceMs });
}

interface Marking {
  readonly tx: Queryable;
  readonly account: string;
  readonly id: string;
  readonly lane: Lane;
  readonly nowMs: number;
}

/** The work that is due when an entity disappears. Called while its row still exists. */
const CONCERNED: Readonly<Record<GoneFrom, (of: Marking) => Due[]>> = {
  products: dueOfListing,
  customers: dueOfCustomer,
  payments: (of) => [lookAt('payment-in', of.id), ...dueOfLink(of, 'payment', 'payment-out')],
  batches: (of) => dueOfLink(of, 'batch', 'batch-out'),
  'transport-orders': ({ tx, account, id }) => {
    const isIt = and(eq(transportOrders.account, account), eq(transportOrders.id, id));
    const rows = tx.select({ key: transportOrders.orderKey }).from(transportOrders).where(isIt).all();
    return rows.flatMap(({ key }) => (key === null ? [] : [lookAt('transport-in', key)]));
  },
  'erp-customers': dueOfErpCustomer,
  'erp-payments': ({ tx, account, id }) => {
    const link = findByErpId(tx, { account, kind: 'payment', erpId: id });
    const there = link?.marketplaceId == null ? [] : [lookAt('payment-in', link.marketplaceId)];
    // Another payment of the same order may have replaced it.
    const { reference = '' } = findErpPayment(tx, { account, id }) ?? {};
    const others = findErpPaymentsByReference(tx, { account, reference }).map((each) => each.id);
    return [...new Set([id, ...others])].map((each) => lookAt('payment-out', each)).concat(there);
  },
  'erp-lots': ({ tx, account, id }) => {
    const isIt = and(eq(erpLots.account, account), eq(erpLots.id, id));
    const rows = tx.select({ product: erpLots.productId }).from(erpLots).where(isIt).all();
    return [lookAt('batch-out', id), ...rows.map(({ product }) => lookAt('stock', product))];
  },
};

function lookAt(flow: string, key: string): Due {
  return { flow, key, why: 'it is gone' };
}

function dueOfLink({ tx, account, id }: Marking, kind: 'payment' | 'batch', flow: string): Due[] {
  const erpId = findByMarketplaceId(tx, { account, kind, marketplaceId: id })?.erpId ?? null;
  return erpId === null ? [] : [lookAt(flow, erpId)];
}

/** Includes products that waited because of the listing. */
function dueOfListing({ tx, account, id }: Marking): Due[] {
  const listingId = Number(id);
  const isIt = and(eq(products.account, account), eq(products.id, listingId));
  const [row] = tx.select({ sku: products.sku }).from(products).where(isIt).all();
  forgetCount(tx, account);
  deleteWhere(tx, listingImages, and(eq(listingImages.account, account), eq(listingImages.listingId, listingId)));
  deleteWhere(tx, listingSigns, and(eq(listingSigns.account, account), eq(listingSigns.listingId, listingId)));
  deleteWhere(tx, assignments, and(eq(assignments.account, account), eq(assignments.listingId, listingId)));
  deleteWhere(tx, measurements, and(eq(measurements.account, account), eq(measurements.listingId, listingId)));
  releaseWork(tx, { account, flow: 'product', alike: [listingId] });
  const linked = findByMarketplaceId(tx, { account, kind: 'product', marketplaceId: id })?.erpId ?? null;
  const sameSku = row?.sku == null ? [] : erpProductsBySku(tx).all({ account, sku: row.sku });
  const ids = new Set([...(linked === null ? [] : [linked]), ...sameSku.map((product) => product.id)]);
  const why = `listing ${id} is gone from the marketplace`;
  return [...ids].flatMap((key) => dueOfBoth(key, why));
}

function dueOfCustomer({ tx, account, id, lane, nowMs }: Marking): Due[] {
  const isIt = and(eq(customers.account, account), eq(customers.id, Number(id)));
  const [row] = tx.select().from(customers).where(isIt).all();
  const link = findByMarketplaceId(tx, { account, kind: 'customer', marketplaceId: id });
  if (row !== undefined) {
    const { externalId: erpId, licenseKey, emailKey } = row;
    const signs = { marketplaceId: row.id, erpId, licenseKey, emailKey };
    markAlike(tx, account, signs, `customer ${id} is gone from the marketplace`, lane, nowMs);
  }
  return [lookAt('customer-in', id), ...(link?.erpId == null ? [] : [lookAt('customer-out', link.erpId)])];
}

/** The customer's orders are due, because new ones must not go to a deleted customer. */
function dueOfErpCustomer({ tx, account, id, lane, nowMs }: Marking): Due[] {
  const row = findErpCustomer(tx, { account, id });
  if (row !== undefined) markAlike(tx, account, { ...row, erpId: id }, `ERP customer ${id} is gone`, lane, nowMs);
  return [lookAt('customer-out', id)];
}
