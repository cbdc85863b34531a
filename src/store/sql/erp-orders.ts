import { decimalOf, figureOf } from '../../domain/decimal.ts';
import {
  type ErpOrderRow as DomainRow,
  dueOfErpOrder,
  historyOfGone,
  skusOf,
  withErpOrder,
} from '../../domain/shadow/erp-orders.ts';
import { isOutdatedInErp } from '../../domain/shadow/row.ts';
import { OVER_IN_ERP } from '../../domain/status.ts';
import type { ErpApproval, ErpOrder, ErpTransport } from '../../erp/connector.ts';
import type { ErpOrderStore, StoredErpOrder } from '../erp.ts';
import type { Lane } from '../work.ts';
import { findCursor, nextTick } from './cursors.ts';
import type { Queryable, Readable } from './database.ts';
import { findHeirs, findHoldings, holdingsFrom } from './erp-holdings.ts';
import { asRememberedInErp, isAnyForgotten } from './forgotten.ts';
import { erpProductsBySku, formerOwner } from './former-skus.ts';
import { invalidRowsToDrop, saveUnstored } from './invalid-rows.ts';
import { findByErpId } from './mappings.ts';
import { and, eq, getTableColumns, gte, isNull, notInArray, sql } from './orm.ts';
import type { Reads, WriteAt, Writes } from './part.ts';
import { built, deleteBy, keysAfter, matching, putInto, rowBy, rowsAmong, rowsBy, unindexed } from './queries.ts';
import { reusedNumbers } from './reused-numbers.ts';
import { storeRows, UNSTORED, withoutRepeats } from './row-by-row.ts';
import { saveHistory } from './stock-history.ts';
import { erpOrders } from './tables/erp.ts';
import { orders } from './tables/marketplace.ts';
import { mappings } from './tables/work.ts';
import { markDue } from './work.ts';

type ErpOrderRow = typeof erpOrders.$inferSelect;

export const erpOrderReads = {
  order({ db }, account, id) {
    const row = findErpOrder(db, { account, id });
    return row === undefined ? null : toOrder(row);
  },

  otherOrders({ db }, account, link) {
    return otherErpOrders(db, account, link).map(toOrder);
  },

  ordersByReference({ db }, account, reference) {
    return findByReference(db, { account, reference }).map(toOrder);
  },

  unknownOrders({ db }, account, sinceMs) {
    return findUnknown(db).all({ account, sinceMs }).map(toOrder);
  },

  holdings({ db }, account, productId) {
    const asked = { account, productId };
    return holdingsFrom(findHoldings(db).all(asked), findHeirs(db).all(asked));
  },

  openOrderIds({ db }, account) {
    return findOpen(db)
      .all({ account })
      .map(({ id }) => id);
  },

  orderIds: keysAfter(erpOrders, 'id'),
} satisfies Reads<ErpOrderStore>;

export const erpOrderWrites = {
  recordOrders(at, account, items, lane, lookedAt, askedAtMs) {
    return recordErpOrders(at, account, items, { lane, lookedAt, askedAtMs }).length;
  },

  recordOrderList(at, account, items, { lane, sinceMs }) {
    return recordErpOrders(at, account, items, { lane, lookedAt: undefined, askedAtMs: sinceMs, isWhole: true });
  },

  dropOrders({ tx, nowMs }, account, ids, { asOf, lane }) {
    for (const id of ids) {
      const row = findErpOrder(tx, { account, id });
      if (row === undefined) continue;
      dropOrder(tx, { account, id });
      saveHistory(tx, account, historyOfGone(row, asOf), nowMs);
      markConcerned(tx, account, row, { ...row, status: 'gone' }, { lane, lookedAt: undefined }, nowMs);
    }
  },
} satisfies Writes<ErpOrderStore>;

export const findErpOrder = rowBy(erpOrders, 'account', 'id');
const findErpOrders = rowsAmong(erpOrders, ['account'], 'id');
const dropOrder = deleteBy(erpOrders, 'account', 'id');

const findOpen = built((db) =>
  db
    .select({ id: erpOrders.id })
    .from(erpOrders)
    .where(and(matching(erpOrders, 'account'), notInArray(erpOrders.status, [...OVER_IN_ERP])))
    .prepare(),
);

const MOST_UNKNOWN = 100;

const findUnknown = built((db) => {
  const { account, id, origin, reference, seenAtMs } = erpOrders;
  const link = and(eq(mappings.account, account), eq(mappings.kind, 'order'), eq(mappings.erpId, id));
  const numbered = and(eq(orders.account, account), eq(orders.number, reference));
  return db
    .select(getTableColumns(erpOrders))
    .from(erpOrders)
    .leftJoin(mappings, link)
    .leftJoin(orders, numbered)
    .where(
      and(
        matching(erpOrders, 'account'),
        eq(origin, 'marketplace'),
        gte(seenAtMs, sql.placeholder('sinceMs')),
        isNull(mappings.erpId),
        isNull(orders.number),
      ),
    )
    .limit(MOST_UNKNOWN)
    .prepare();
});

const putOrder = putInto(erpOrders, 'account', 'id');

export const findByReference = rowsBy(erpOrders, ['account', 'reference'], {
  order: [unindexed(erpOrders.id)],
  limit: 10,
});

export function otherErpOrders(
  db: Readable,
  account: string,
  { marketplaceId, erpId }: { readonly marketplaceId: string; readonly erpId: string },
): ErpOrderRow[] {
  const found = findByReference(db, { account, reference: marketplaceId });
  return found.filter(({ id, origin, status }) => id !== erpId && origin === 'marketplace' && status !== 'cancelled');
}

interface LineContent {
  readonly sku: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly description?: string;
  readonly shipped?: string;
  readonly givenUp?: string;
}

function toErpLine({ quantity, unitPrice, shipped, givenUp, ...line }: LineContent): ErpOrder['lines'][number] {
  return {
    ...line,
    quantity: figureOf(quantity),
    unitPrice: figureOf(unitPrice),
    ...(shipped === undefined ? {} : { shipped: figureOf(shipped) }),
    ...(givenUp === undefined ? {} : { givenUp: figureOf(givenUp) }),
  };
}

export function contentOf(order: ErpOrder): string {
  return JSON.stringify({
    customer: order.customer,
    currency: order.currency,
    lines: order.lines.map((line) => ({
      sku: line.sku,
      quantity: line.quantity.toFixed(),
      unitPrice: line.unitPrice.toFixed(),
      description: line.description,
      shipped: line.shipped?.toFixed(),
      givenUp: line.givenUp?.toFixed(),
    })),
    discount: order.discount.toFixed(),
    shipping: order.shipping.toFixed(),
    tax: order.tax.toFixed(),
    total: order.total.toFixed(),
    note: order.note,
    createdAt: order.createdAt,
    approval: order.approval,
    transports: order.transports,
    attributesText: order.attributesText,
    finished: order.finished,
  });
}

interface Marking {
  readonly lane: Lane;
  readonly lookedAt: string | undefined;
}

interface OrderReading extends Marking {
  readonly askedAtMs?: number | undefined;
  /** A row of the full list: only what was stored since the list began can be newer. */
  readonly isWhole?: boolean;
}

interface Page {
  readonly rows: ReadonlyMap<string, ErpOrderRow>;
  readonly mends: (what: string) => boolean;
  readonly isAnyForgotten: boolean;
  readonly readTo: string | null;
}

function pageOf(tx: Queryable, account: string, items: readonly ErpOrder[]): Page {
  const storedOrders = findErpOrders(
    tx,
    { account },
    items.map(({ id }) => id),
  );
  return {
    rows: new Map(storedOrders.map((row) => [row.id, row])),
    mends: invalidRowsToDrop(tx, account, 'erp-orders'),
    isAnyForgotten: isAnyForgotten(tx, account),
    readTo: findCursor(tx, { account, collection: 'erp-orders' })?.value ?? null,
  };
}

/** Stores an order and marks the affected entities, in the caller's transaction; false: nothing really changed. */
function recordErpOrder(
  tx: Queryable,
  account: string,
  shown: ErpOrder,
  { askedAtMs, isWhole, page, ...marking }: OrderReading & { readonly page: Page },
  nowMs: number,
): boolean {
  const item = page.isAnyForgotten ? asRememberedInErp(tx, account, shown) : shown;
  const { id, reference, origin, status, changedAt, countedAsOf } = item;
  const before = page.rows.get(id);
  const isBelieved = isWhole === true && (before?.seenAtMs ?? 0) < (askedAtMs ?? 0);
  if (!isBelieved && isOutdatedInErp(before, item, askedAtMs)) return false;
  const mended = page.mends(id);
  const seen = { id, reference, origin, status, content: contentOf(item), changedAt, countedAsOf };
  const { row, history } = withErpOrder(before, seen, { mended, nowMs, readTo: page.readTo });
  if (row === null) return false;
  putOrder(tx, { account, ...row, changedTick: nextTick(tx, account) });
  saveHistory(tx, account, history, nowMs);
  markConcerned(tx, account, before, row, marking, nowMs);
  return true;
}

export function recordErpOrders(
  at: WriteAt,
  account: string,
  items: readonly ErpOrder[],
  reading: OrderReading,
): readonly string[] {
  const { tx, nowMs } = at;
  const changed = storeRows(at, items, {
    store: (some) =>
      withoutRepeats(some, ({ id }) => id).flatMap((part) => {
        const page = pageOf(tx, account, part);
        return part.filter((item) => recordErpOrder(tx, account, item, { ...reading, page }, nowMs));
      }),
    setAside({ id }, problem) {
      const key = saveUnstored(at, account, 'erp-orders', id, problem);
      const linked = findByErpId(tx, { account, kind: 'order', erpId: key })?.marketplaceId ?? null;
      const before = findErpOrder(tx, { account, id: key });
      const number = linked ?? (before?.origin === 'marketplace' ? before.reference : null);
      const ofOrder = number === null ? [] : [{ flow: 'order-in', key: number, why: UNSTORED }];
      markDue(tx, account, [{ flow: 'order-out', key, why: UNSTORED }, ...ofOrder], reading.lane, nowMs);
    },
  });
  return changed.map(({ id }) => id);
}

function markConcerned(
  tx: Queryable,
  account: string,
  before: ErpOrderRow | undefined,
  row: DomainRow,
  { lane, lookedAt }: Marking,
  nowMs: number,
): void {
  const linkedTo = findByErpId(tx, { account, kind: 'order', erpId: row.id })?.marketplaceId ?? null;
  const productIds = skusOf(row, before).flatMap((sku) => productsOf(tx, account, sku));
  const reused = reusedNumbers(tx, account, [row, before ?? row]);
  markDue(tx, account, dueOfErpOrder(before, row, { linkedTo, reused, productIds, lookedAt }), lane, nowMs);
}

/** The products with a SKU, or else the product that gave it up last. */
function productsOf(tx: Queryable, account: string, sku: string): string[] {
  const owners = erpProductsBySku(tx).all({ account, sku });
  if (owners.length > 0) return owners.map(({ id }) => id);
  const former = formerOwner(tx, account, sku);
  return former === null ? [] : [former];
}

export function toOrder(row: ErpOrderRow): StoredErpOrder {
  const content = JSON.parse(row.content) as {
    customer: ErpOrder['customer'];
    currency: string;
    lines: LineContent[];
    discount: string;
    shipping: string;
    tax: string;
    total: string;
    note: string;
    createdAt?: string;
    approval?: ErpApproval;
    transports?: readonly ErpTransport[];
    attributesText?: string;
    finished?: false;
  };
  const { createdAt, approval, transports, attributesText, finished } = content;
  return {
    id: row.id,
    reference: row.reference,
    origin: row.origin,
    status: row.status,
    customer: content.customer,
    currency: content.currency,
    lines: content.lines.map(toErpLine),
    discount: decimalOf(content.discount),
    shipping: decimalOf(content.shipping),
    tax: decimalOf(content.tax),
    total: decimalOf(content.total),
    note: content.note,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(approval === undefined ? {} : { approval }),
    ...(transports === undefined ? {} : { transports }),
    ...(attributesText === undefined ? {} : { attributesText }),
    ...(finished === undefined ? {} : { finished }),
    changedAt: row.changedAt,
    countedSince: row.countedSince,
    changedTick: row.changedTick,
  };
}
