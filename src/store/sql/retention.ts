import { isBefore } from '../../domain/instant.ts';
import { isOver, isOverInErp } from '../../domain/status.ts';
import type { OldKind, PersonalStore } from '../personal.ts';
import { findCustomer, findErpCustomer } from './customers.ts';
import type { Readable } from './database.ts';
import { findErpOrder } from './erp-orders.ts';
import { isForgotten } from './forgotten.ts';
import { findByErpId, findByMarketplaceId } from './mappings.ts';
import { findOrder } from './order-rows.ts';
import { and, eq, inArray, or } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { forgetSubject } from './personal.ts';
import { customerSubject, orderSubject, placesOf, type Subject } from './personal-rows.ts';
import { countsBy, keysAfter, rowsWhere } from './queries.ts';
import { erpOrders } from './tables/erp.ts';
import { customers, orders } from './tables/marketplace.ts';
import { forgotten } from './tables/reading.ts';
import { intents, work } from './tables/work.ts';

/* Erasure by age. */

interface Walk {
  readonly keys: (at: ReadAt, account: string, after: string, limit: number) => string[];
  /** The person to erase if the entity ended before `before` and has no pending work; otherwise null. */
  readonly old: (db: Readable, account: string, key: string, before: string) => Subject | null;
}

const customerIdsAfter = keysAfter(customers, 'id');

const WALKS: Readonly<Record<OldKind, Walk>> = {
  orders: { keys: keysAfter(orders, 'number'), old: oldOrder },
  'erp-orders': { keys: keysAfter(erpOrders, 'id'), old: oldErpOrder },
  customers: {
    keys: (at, account, after, limit) => customerIdsAfter(at, account, Number(after), limit).map(String),
    old: oldCustomer,
  },
};

export const retentionReads = {
  forgottenCount({ db }, account) {
    const { kind: kinds } = forgotten;
    const found = countsBy(db, forgotten, { kind: kinds }, eq(forgotten.account, account));
    const of = (kind: string) => found.find((row) => row.kind === kind)?.count ?? 0;
    return { orders: of('order'), erpOrders: of('erp-order'), customers: of('customer') };
  },
} satisfies Reads<PersonalStore>;

export const retentionWrites = {
  forgetOld(at, account, kind, { beforeMs, after, limit }) {
    const { keys, old } = WALKS[kind];
    const before = new Date(beforeMs).toISOString();
    const looked = keys(at, account, after, limit);
    const done: string[] = [];
    for (const key of looked) {
      const subject = old(at.tx, account, key, before);
      if (subject === null) continue;
      forgetSubject(at, account, subject);
      done.push(key);
    }
    return { forgotten: done, next: looked.length < limit ? null : (looked.at(-1) ?? null) };
  },
} satisfies Writes<PersonalStore>;

function oldOrder(db: Readable, account: string, number: string, before: string): Subject | null {
  const row = findOrder(db, { account, number });
  if (row === undefined || !isOver(row.status) || !isBefore(row.modified, before)) return null;
  if (isForgotten(db, account, 'order', number)) return null;
  const link = findByMarketplaceId(db, { account, kind: 'order', marketplaceId: number });
  const beside = or(eq(erpOrders.reference, number), eq(erpOrders.id, link?.erpId ?? ''));
  const inErp = rowsWhere(db, erpOrders, and(eq(erpOrders.account, account), beside));
  if (!inErp.every(({ status, changedAt }) => isOverInErp(status) && isBefore(changedAt, before))) return null;
  const erpIds = inErp.map(({ id }) => id);
  return unlessBusy(db, account, orderSubject([number], erpIds));
}

/** An ERP order that belongs to a marketplace order is erased with it. */
function oldErpOrder(db: Readable, account: string, id: string, before: string): Subject | null {
  const row = findErpOrder(db, { account, id });
  if (row === undefined || !isOverInErp(row.status) || !isBefore(row.changedAt, before)) return null;
  if (isForgotten(db, account, 'erp-order', id)) return null;
  const link = findByErpId(db, { account, kind: 'order', erpId: id });
  const beside = [link?.marketplaceId, row.reference].some(
    (number) => number != null && findOrder(db, { account, number }),
  );
  return beside ? null : unlessBusy(db, account, orderSubject([], [id]));
}

/**
 * A customer that only one side has is kept, because it would be created again once the other side shows it. All its
 * orders must have ended before `before`.
 */
function oldCustomer(db: Readable, account: string, key: string, before: string): Subject | null {
  const link = findByMarketplaceId(db, { account, kind: 'customer', marketplaceId: key });
  const row = findCustomer(db, { account, id: Number(key) });
  if (row === undefined || link?.erpId == null || link.state !== 'linked') return null;
  const inErp = findErpCustomer(db, { account, id: link.erpId });
  const isOld = (at: string | null | undefined) => at == null || isBefore(at, before);
  if (!isOld(row.modified) || !isOld(inErp?.changedAt)) return null;
  const subject = customerSubject(db, account, { marketplaceId: Number(key), erpId: link.erpId });
  const { numbers, inErp: erpIds } = subject;
  const isOrderOld = (number: string) => {
    const order = findOrder(db, { account, number });
    return order === undefined || (isOver(order.status) && isBefore(order.modified, before));
  };
  const isErpOrderOld = (id: string) => {
    const order = findErpOrder(db, { account, id });
    return order === undefined || (isOverInErp(order.status) && isBefore(order.changedAt, before));
  };
  if (!numbers.every(isOrderOld) || !erpIds.every(isErpOrderOld)) return null;
  return unlessBusy(db, account, subject);
}

/** null: the person's data is still needed by pending work or an open question. */
function unlessBusy(db: Readable, account: string, subject: Subject): Subject | null {
  const places = placesOf(account, subject);
  const isOpen = and(places.intents, inArray(intents.state, ['open', 'in-doubt']));
  const waits = rowsWhere(db, work, places.work, { limit: 1 });
  const begun = rowsWhere(db, intents, isOpen, { limit: 1 });
  return waits.length + begun.length > 0 ? null : subject;
}
