import { figureOf } from '../../domain/decimal.ts';
import { stockRowName } from '../../domain/erp-place.ts';
import { isOutdatedBy } from '../../domain/instant.ts';
import { type ErpStock, wholeOf, withErpStock } from '../../domain/shadow/erp-stock.ts';
import type { ErpStockStore, KnownStock } from '../erp.ts';
import type { Lane } from '../work.ts';
import { markLotsOf } from './batches.ts';
import { nextTick } from './cursors.ts';
import type { Queryable } from './database.ts';
import { invalidRowsToDrop, nameOfRow, saveUnstored } from './invalid-rows.ts';
import { and, asc, eq } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { countOf, putInto, rowBy, rowsBy } from './queries.ts';
import { storeRows, UNSTORED } from './row-by-row.ts';
import { saveHistory } from './stock-history.ts';
import { erpProducts, erpStock } from './tables/erp.ts';
import { markDue, releaseWork } from './work.ts';

export const erpStockReads = {
  stock(at, account, productId) {
    return wholeOf(stockRows(at, account, productId));
  },

  stockRows,

  soldWithStock({ db }, account) {
    const { absences, active, deleted, id } = erpProducts;
    const isSold = and(eq(erpProducts.account, account), eq(absences, 0), eq(active, true), eq(deleted, false));
    const isOfIt = and(eq(erpStock.account, account), eq(erpStock.productId, id));
    const stocked = db.selectDistinct({ id }).from(erpProducts).innerJoin(erpStock, isOfIt).where(isSold).all();
    return { sold: countOf(db, erpProducts, isSold), stocked: stocked.map((row) => row.id) };
  },
} satisfies Reads<ErpStockStore>;

export const erpStockWrites = {
  recordStock(at, account, rows, lane, lookedAt = []) {
    const { tx, nowMs } = at;
    const changed = storeRows(at, rows, {
      store(some) {
        const mends = invalidRowsToDrop(tx, account, 'erp-stock');
        const recording = { lane, tick: once(() => nextTick(tx, account)), mends, nowMs, lookedAt };
        return some.filter((row) => recordStockRow(tx, account, row, recording));
      },
      setAside(row, problem) {
        saveUnstored(at, account, 'erp-stock', stockRowName(row), problem);
        const key = nameOfRow(row.productId);
        markDue(tx, account, [{ flow: 'stock', key, why: UNSTORED }], lane, nowMs);
      },
    });
    // An order that the ERP refuses for lack of stock may be possible now.
    if (changed.length > 0)
      releaseWork(tx, { account, codes: ['erp-refuses-for-now'], skus: changed.map(({ sku }) => sku) });
    return changed.length;
  },
} satisfies Writes<ErpStockStore>;

type Row = typeof erpStock.$inferSelect;

const findRow = rowBy(erpStock, 'account', 'productId', 'location', 'batch');
const putRow = putInto(erpStock, 'account', 'productId', 'location', 'batch');

export const findStockRows = rowsBy(erpStock, ['account', 'productId'], {
  order: [asc(erpStock.location), asc(erpStock.batch)],
});

export function stockRows({ db }: ReadAt, account: string, productId: string): KnownStock[] {
  return findStockRows(db, { account, productId }).map(toStock);
}

function toStock(row: Row): KnownStock {
  return {
    sku: row.sku,
    productId: row.productId,
    ...(row.location === '' ? {} : { location: row.location }),
    ...(row.batch === '' ? {} : { batch: row.batch }),
    onHand: figureOf(row.onHand),
    reserved: figureOf(row.reserved),
    available: figureOf(row.available),
    asOf: row.asOf,
    problem: row.problem,
    changedTick: row.changedTick,
  };
}

interface Recording {
  readonly lane: Lane;
  /** One tick for all rows of a read, taken when the first row needs it. */
  readonly tick: () => number;
  readonly mends: (what: string) => boolean;
  readonly lookedAt: readonly string[];
  readonly nowMs: number;
}

function once<Value>(work: () => Value): () => Value {
  let known: { readonly value: Value } | null = null;
  return () => (known ??= { value: work() }).value;
}

function recordStockRow(
  tx: Queryable,
  account: string,
  item: ErpStock,
  { lane, tick, mends, nowMs, lookedAt }: Recording,
): boolean {
  const { productId, location = '', batch = '' } = item;
  const before = findRow(tx, { account, productId, location, batch });
  // The row has its own time, so a present list may show an older figure. Units that it does not count are not offered.
  if (before !== undefined && isOutdatedBy(item.asOf, before.asOf)) return false;
  const mended = mends(stockRowName(item));
  const { row, isOther, history, due } = withErpStock(before, item, mended);
  const changedTick = before === undefined || isOther ? tick() : before.changedTick;
  if (row !== null) putRow(tx, { account, ...row, changedTick });
  saveHistory(tx, account, history, nowMs);
  if (!lookedAt.includes(productId)) markDue(tx, account, due, lane, nowMs);
  const isFilled = isOther && !item.onHand.isZero() && (before === undefined || before.onHand === '0');
  if (isFilled && batch !== '') markLotsOf(tx, account, { productId, batch }, lane, nowMs);
  return isOther;
}
