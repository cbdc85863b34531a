import { Decimal } from '../../domain/decimal.ts';
import { erpPlaceText, isPlaced, stockRowName } from '../../domain/erp-place.ts';
import { isBefore, isOvertaken } from '../../domain/instant.ts';
import type { ErpStockStore, KnownStock, StoredStock } from '../erp.ts';
import type { Lane } from '../work.ts';
import { nextTick } from './cursors.ts';
import type { Queryable } from './database.ts';
import { dropMisfit } from './misfits.ts';
import { and, asc, eq } from './orm.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { countOf, putInto, rowBy, rowsBy } from './queries.ts';
import { recordReading } from './record-stock-history.ts';
import { erpProducts, erpStock } from './tables/erp.ts';
import { markWork } from './work.ts';

export const erpStockReads = {
  stock(at, account, productId) {
    const rows = stockRows(at, account, productId);
    const [first] = rows;
    if (first === undefined || rows.length === 1) return first ?? null;
    const whole = rows.find((row) => !isPlaced(row));
    const placed = rows.filter(isPlaced);
    if (whole !== undefined && placed.every((row) => !isBefore(whole.asOf, row.asOf))) return whole;
    const [only] = placed;
    if (only !== undefined && placed.length === 1) return only;
    const where = placed.map(erpPlaceText).join(', ');
    return { ...first, problem: `it lies at ${where}: map them in facilities, or let the ERP show one row` };
  },

  soldWithStock({ db }, account) {
    const { absences, active, deleted, id } = erpProducts;
    const isSold = and(eq(erpProducts.account, account), eq(absences, 0), eq(active, true), eq(deleted, false));
    const isOfIt = and(eq(erpStock.account, account), eq(erpStock.productId, id));
    const stocked = db.selectDistinct({ id }).from(erpProducts).innerJoin(erpStock, isOfIt).where(isSold).all();
    return { sold: countOf(db, erpProducts, isSold), stocked: stocked.map((row) => row.id) };
  },
} satisfies Reads<ErpStockStore>;

export const erpStockWrites = {
  recordStock({ tx, nowMs }, account, rows, lane) {
    let changed = 0;
    const tick = once(() => nextTick(tx, account));
    for (const row of rows) if (recordStockRow(tx, account, row, { lane, tick, nowMs })) changed += 1;
    return changed;
  },
} satisfies Writes<ErpStockStore>;

type Row = typeof erpStock.$inferSelect;

const findRow = rowBy(erpStock, 'account', 'productId', 'location', 'batch');
const putRow = putInto(erpStock, 'account', 'productId', 'location', 'batch');

const listRows = rowsBy(erpStock, ['account', 'productId'], { order: [asc(erpStock.location), asc(erpStock.batch)] });

/** Every row of the product: by location and batch, and as a whole. */
export function stockRows({ db }: ReadAt, account: string, productId: string): KnownStock[] {
  return listRows(db, { account, productId }).map(toStock);
}

function toStock(row: Row): KnownStock {
  return {
    sku: row.sku,
    productId: row.productId,
    ...(row.location === '' ? {} : { location: row.location }),
    ...(row.batch === '' ? {} : { batch: row.batch }),
    onHand: new Decimal(row.onHand),
    reserved: new Decimal(row.reserved),
    available: new Decimal(row.available),
    asOf: row.asOf,
    problem: row.problem,
    changedTick: row.changedTick,
  };
}

interface Recording {
  readonly lane: Lane;
  /** One for all rows that come together, counted when the first of them needs it. */
  readonly tick: () => number;
  readonly nowMs: number;
}

function once<Value>(work: () => Value): () => Value {
  let known: { readonly value: Value } | null = null;
  return () => (known ??= { value: work() }).value;
}

function recordStockRow(tx: Queryable, account: string, item: StoredStock, { lane, tick, nowMs }: Recording): boolean {
  const { productId, location = '', batch = '' } = item;
  const before = findRow(tx, { account, productId, location, batch });
  const content = {
    sku: item.sku,
    onHand: item.onHand.toFixed(),
    reserved: item.reserved.toFixed(),
    available: item.available.toFixed(),
    problem: item.problem,
  };
  // A list that is read now may show an older figure: the row tells its time, and units that it does not count are not given
  // away.
  const { asOf } = item;
  // A reading that was overtaken by a later one says nothing new.
  if (before !== undefined && isOvertaken(asOf, before.asOf)) return false;
  const same =
    before !== undefined &&
    Object.entries(content).every(([name, value]) => before[name as keyof typeof before] === value);
  const mended = dropMisfit(tx, account, 'erp-stock', stockRowName(item));
  if (same && before.asOf === asOf && !mended) return false;
  const changedTick = same ? before.changedTick : tick();
  putRow(tx, { account, productId, location, batch, ...content, asOf, changedTick });
  const usable = (row: { available: string; problem: string | null }) => (row.problem === null ? row.available : null);
  const figures = { before: before === undefined ? null : usable(before), available: usable(content), asOf };
  recordReading(tx, { account, productId, place: isPlaced(item) ? erpPlaceText(item) : '', ...figures }, nowMs);
  const target = { account, flow: 'stock', key: productId };
  if (!same || mended) markWork(tx, target, lane, 'stock changed in the ERP', nowMs);
  return !same;
}
