import type { Figure } from '../decimal.ts';
import { erpPlaceText, isPlaced, type Placed } from '../erp-place.ts';
import { isBefore } from '../instant.ts';
import { hasFields, type Recorded } from './row.ts';
import { type HistoryChange, readingChange } from './stock-history.ts';

/** The stock of one SKU. An ERP that keeps stock by location or batch has one row for each. */
export interface StockRow extends Placed {
  readonly sku: string;
  readonly productId: string;
  readonly onHand: Figure<'erp stock'>;
  readonly reserved: Figure<'erp stock'>;
  /** On hand − reserved. */
  readonly available: Figure<'erp stock'>;
  /** The ERP time of this figure. Earlier reservations are included. */
  readonly asOf: string;
}

/** `problem`: why the row is unusable. */
export interface ErpStock extends StockRow {
  readonly problem: string | null;
}

/** Decimals are exact text. An unnamed location or batch is empty. */
export type ErpStockRow = ReturnType<typeof figuresOf> & {
  readonly productId: string;
  readonly location: string;
  readonly batch: string;
  readonly asOf: string;
};

function figuresOf({ sku, onHand, reserved, available, problem }: ErpStock) {
  return {
    sku,
    problem,
    onHand: onHand.toFixed(),
    reserved: reserved.toFixed(),
    available: available.toFixed(),
  };
}

export interface RecordedStock extends Recorded<ErpStockRow> {
  readonly isOther: boolean;
  readonly history: readonly HistoryChange[];
}

export function withErpStock(before: ErpStockRow | undefined, stock: ErpStock, mended: boolean): RecordedStock {
  const { productId, location = '', batch = '', asOf } = stock;
  const figures = figuresOf(stock);
  const isOther = before === undefined || !hasFields(before, figures);
  if (!isOther && before.asOf === asOf && !mended) return { row: null, isOther, history: [], due: [] };
  const row = { productId, location, batch, ...figures, asOf };
  const usable = (one: ErpStockRow) => (one.problem === null ? one.available : null);
  const place = isPlaced(stock) ? erpPlaceText(stock) : '';
  return {
    row,
    isOther,
    history: readingChange(productId, place, before === undefined ? null : usable(before), usable(row), asOf),
    due: isOther || mended ? [{ flow: 'stock', key: productId, why: 'stock changed in the ERP' }] : [],
  };
}

/**
 * Returns a product's total stock. A row without a place is the total, unless a row by location is newer. Otherwise the
 * product must have a single place. null: there are no rows.
 */
export function wholeOf<Row extends Pick<ErpStock, keyof Placed | 'asOf' | 'problem'>>(
  rows: readonly Row[],
): Row | null {
  const [first] = rows;
  const total = rows.find((row) => !isPlaced(row));
  const placed = rows.filter(isPlaced);
  if (total !== undefined && placed.every((row) => !isBefore(total.asOf, row.asOf))) return total;
  const [only] = placed;
  if (first === undefined || only === undefined) return first ?? null;
  if (placed.length === 1) return only;
  const where = placed.map(erpPlaceText).join(', ');
  return { ...first, problem: `it lies at ${where}: map them in facilities, or let the ERP show one row` };
}
