import { contentText } from '../../domain/shadow/orders.ts';
import type { Readable } from './database.ts';
import { type ProductRow, toStored as toProduct } from './listings.ts';
import { hashOf, linesOf, type OrderRow, toStored as toOrder } from './order-rows.ts';
import { asc, sql } from './orm.ts';
import { rowsWhere } from './queries.ts';
import { orders, products } from './tables/marketplace.ts';

const BATCH = 500;
const MOST = 1_000;

/**
 * SQLite has no checksums, so this finds orders and listings that cannot be read, or whose columns differ from the
 * stored body. A finding names the fault, never the content.
 */
export function damagedRows(db: Readable): string[] {
  const found: string[] = [];
  for (const row of ordersOf(db)) {
    const why = damageIn(row.raw, () => isAsStored(db, row));
    if (why !== null) found.push(`order ${row.number} (${why})`);
    if (found.length === MOST) return found;
  }
  for (const row of productsOf(db)) {
    const why = damageIn(row.raw, () => toProduct(row).id === row.id);
    if (why !== null) found.push(`listing ${row.id} (${why})`);
    if (found.length === MOST) return found;
  }
  return found;
}

function ordersOf(db: Readable): Generator<OrderRow> {
  return inBatches((last: Pick<OrderRow, 'account' | 'number'> = { account: '', number: '' }) =>
    rowsWhere(db, orders, sql`(${orders.account}, ${orders.number}) > (${last.account}, ${last.number})`, {
      order: [asc(orders.account), asc(orders.number)],
      limit: BATCH,
    }),
  );
}

function productsOf(db: Readable): Generator<ProductRow> {
  return inBatches((last: Pick<ProductRow, 'account' | 'id'> = { account: '', id: 0 }) =>
    rowsWhere(db, products, sql`(${products.account}, ${products.id}) > (${last.account}, ${last.id})`, {
      order: [asc(products.account), asc(products.id)],
      limit: BATCH,
    }),
  );
}

/** @param rowsAfter returns at most `BATCH` rows after a row, or the first ones */
function* inBatches<Row>(rowsAfter: (last: Row | undefined) => Row[]): Generator<Row> {
  let rows: Row[] = [];
  do {
    rows = rowsAfter(rows.at(-1));
    yield* rows;
  } while (rows.length === BATCH);
}

function isAsStored(db: Readable, row: OrderRow): boolean {
  const lines = linesOf(db, row.account, row.number);
  return hashOf(contentText(toOrder(row, lines).order, lines)) === row.hash;
}

/** @param read parses the fields of a row and returns whether they equal the stored ones */
function damageIn(raw: string, read: () => boolean): string | null {
  try {
    JSON.parse(raw);
  } catch {
    return 'what was received is no JSON any more';
  }
  try {
    return read() ? null : 'its fields do not fit their checksum';
  } catch {
    return 'its fields cannot be read';
  }
}
