import { orderStanding } from '../../domain/history.ts';
import { isAsKnownOrder, toLine } from '../../domain/shadow/orders.ts';
import {
  DEAD_STATUSES,
  effectOf,
  isDead,
  lineEffect,
  OPEN_STATUSES,
  OVER_IN_ERP,
  RESERVED_STATUSES,
} from '../../domain/status.ts';
import type { OrderStore } from '../marketplace.ts';
import { findLinesOfProduct, findOrder, hashOf, isOrderOfLine, linesOf, sightOf, toStored } from './order-rows.ts';
import { and, desc, eq, inArray, isNull, notInArray, or, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, countsBy, keysAfter, matching, nthNewestModified, rowsWhere, selecting } from './queries.ts';
import { recordOrders } from './record-orders.ts';
import { erpOrders } from './tables/erp.ts';
import { orderLines, orders } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';

/** Each of these orders costs one of the few calls that webhooks may cause. */
const MAX_WITHOUT_LINES = 1_000;

export const orderReads = {
  get({ db }, account, number) {
    const row = findOrder(db, { account, number });
    return row === undefined ? null : toStored(row, linesOf(db, account, number));
  },

  raw({ db }, account, number) {
    return findOrder(db, { account, number })?.raw ?? null;
  },

  isAsKnown({ db }, account, order) {
    const { number } = order;
    const row = findOrder(db, { account, number });
    return row !== undefined && isAsKnownOrder(account, order, { row, lines: linesOf(db, account, number) }, hashOf);
  },

  nthNewestModified: nthNewestModified(orders),

  unfinished({ db }, account) {
    return findUnfinished(db).all({ account });
  },

  byExternalId({ db }, account, externalId) {
    const where = and(eq(orders.account, account), eq(orders.externalId, externalId));
    const found = db.select({ number: orders.number }).from(orders).where(where).limit(10).all();
    return found.map(({ number }) => number);
  },

  unmarked({ db }, account, customerId) {
    const isIt = and(eq(orders.account, account), eq(orders.customerId, customerId), isNull(orders.externalId));
    const rows = rowsWhere(db, orders, isIt, { order: [desc(orders.modified)], limit: 50 });
    return rows.map((row) => toStored(row, linesOf(db, account, row.number)));
  },

  withoutLines({ db }, account) {
    return findWithoutLines(db)
      .all({ account })
      .map(({ number }) => number);
  },

  liveLines({ db }, account, productId) {
    return findLinesOfProduct(db)
      .all({ account, productId })
      .map((row) => ({
        number: row.number,
        seen: sightOf(row),
        line: toLine(row),
        effect: lineEffect(row.status, row.late),
      }))
      .filter((row) => row.effect !== 'none');
  },

  lateLines({ db }, account, productId) {
    return findLinesOfProduct(db)
      .all({ account, productId })
      .filter(({ status, late }) => late && effectOf(status) !== 'none')
      .map(toLine);
  },

  movedAtMs({ db }, account, productId) {
    return findMoved(db).get({ account, productId })?.atMs ?? 0;
  },

  byStatus({ db }, account) {
    return countsBy(db, orders, { status: orders.status }, eq(orders.account, account));
  },

  unlinkedByStanding({ db }, account, from) {
    const counts = { work: 0, history: 0, waits: 0 };
    for (const { status, ...seen } of findUnlinked(db).all({ account })) {
      const standing = orderStanding(seen, from);
      // A dead order needs no decision.
      counts[standing === 'waits' && isDead(status) ? 'history' : standing] += 1;
    }
    return counts;
  },

  numbers: keysAfter(orders, 'number'),
} satisfies Reads<OrderStore>;

export const orderWrites = {
  record(at, batch) {
    return recordOrders(at, batch);
  },
} satisfies Writes<OrderStore>;

const findUnfinished = built((db) => {
  const isIts = and(eq(mappings.account, orders.account), eq(mappings.marketplaceId, orders.number));
  const inErp = and(eq(erpOrders.account, orders.account), eq(erpOrders.id, mappings.erpId));
  const isOpenInErp = notInArray(erpOrders.status, [...OVER_IN_ERP]);
  return db
    .select({ number: orders.number, modified: orders.modified })
    .from(orders)
    .leftJoin(mappings, and(isIts, eq(mappings.kind, 'order')))
    .leftJoin(erpOrders, inErp)
    .where(
      and(
        matching(orders, 'account'),
        notInArray(orders.status, [...DEAD_STATUSES]),
        or(inArray(orders.status, [...OPEN_STATUSES]), isOpenInErp),
      ),
    )
    .prepare();
});

const SIGHT = {
  status: orders.status,
  firstModified: orders.firstModified,
  firstStatus: orders.firstStatus,
  history: orders.history,
};

const findUnlinked = selecting(SIGHT, (db, fields) => {
  const isIts = and(eq(mappings.account, orders.account), eq(mappings.marketplaceId, orders.number));
  return db
    .select(fields)
    .from(orders)
    .leftJoin(mappings, and(isIts, eq(mappings.kind, 'order'), eq(mappings.state, 'linked')))
    .where(and(matching(orders, 'account'), isNull(mappings.erpId)));
});

const findWithoutLines = built((db) =>
  db
    .select({ number: orders.number })
    .from(orders)
    .where(and(matching(orders, 'account'), eq(orders.hasLines, false), inArray(orders.status, [...RESERVED_STATUSES])))
    .orderBy(orders.number)
    .limit(MAX_WITHOUT_LINES)
    .prepare(),
);

const findMoved = built((db) =>
  db
    .select({ atMs: sql<number>`max(${orders.seenAtMs})` })
    .from(orderLines)
    .innerJoin(orders, isOrderOfLine)
    .where(matching(orderLines, 'account', 'productId'))
    .prepare(),
);
