import { Decimal } from '../domain/decimal.ts';
import { isOvertaken } from '../domain/instant.ts';
import type { StockRow } from '../erp/connector.ts';
import type { Database, Queryable } from './database.ts';
import { dropMisfit } from './misfits.ts';
import { putInto, rowBy } from './queries.ts';
import { erpStock } from './schema.ts';
import { type Lane, markWork } from './work.ts';

export interface StoredStock extends StockRow {
  readonly problem: string | null;
}

export function erpStockStore(db: Database, now: () => number) {
  return {
    async recordStock(account: string, rows: readonly StoredStock[], lane: Lane): Promise<number> {
      return db.transaction((tx) => {
        let changed = 0;
        for (const row of rows) if (recordStockRow(tx, account, row, lane, now())) changed += 1;
        return changed;
      });
    },

    async stock(account: string, productId: string): Promise<StoredStock | null> {
      const row = findStock(db, { account, productId });
      if (row === undefined) return null;
      const { onHand, reserved, available } = row;
      const decimals = {
        onHand: new Decimal(onHand),
        reserved: new Decimal(reserved),
        available: new Decimal(available),
      };
      return { sku: row.sku, productId: row.productId, ...decimals, asOf: row.asOf, problem: row.problem };
    },
  };
}

const findStock = rowBy(erpStock, 'account', 'productId');

const putStock = putInto(erpStock, 'account', 'productId');

function recordStockRow(tx: Queryable, account: string, item: StoredStock, lane: Lane, nowMs: number): boolean {
  const before = findStock(tx, { account, productId: item.productId });
  const content = {
    sku: item.sku,
    onHand: item.onHand.toFixed(),
    reserved: item.reserved.toFixed(),
    available: item.available.toFixed(),
    problem: item.problem,
  };
  // A list that is read now may show a figure of a while ago: the row knows, and what it does not count is not given away.
  const { asOf } = item;
  // A reading that was overtaken by a later one says nothing new.
  if (before !== undefined && isOvertaken(asOf, before.asOf)) return false;
  const row = { account, productId: item.productId, ...content, asOf };
  const same =
    before !== undefined &&
    Object.entries(content).every(([name, value]) => before[name as keyof typeof before] === value);
  const mended = dropMisfit(tx, account, 'erp-stock', item.productId);
  if (same && before.asOf === asOf && !mended) return false;
  putStock(tx, row);
  const target = { account, flow: 'stock', key: item.productId };
  if (!same || mended) markWork(tx, target, lane, 'stock changed in the ERP', nowMs);
  return !same;
}
