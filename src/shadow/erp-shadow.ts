import type { ErpPage, StockRow } from '../erp/connector.ts';
import type { Lane } from '../marketplace/quota.ts';
import type { StoredStock } from '../store/erp.ts';
import type { Known } from './context.ts';
import { recordErpMisfits } from './erp-misfits.ts';

/** The ERP's answers about stock go into its shadow here. A figure that cannot be real is kept with its problem. */
export async function recordErpStock(
  { account, store }: Pick<Known, 'account' | 'store'>,
  page: ErpPage<StockRow>,
  lane: Lane,
): Promise<number> {
  await recordErpMisfits({ account, store }, 'erp-stock', page.misfits, lane);
  return store.erp.recordStock(account, page.items.map(withProblem), lane);
}

function withProblem(row: StockRow): StoredStock {
  if (row.reserved.isNegative()) return { ...row, problem: `reserved is negative (${row.reserved.toFixed()})` };
  const expected = row.onHand.minus(row.reserved);
  if (!row.available.equals(expected)) {
    return {
      ...row,
      problem: `available ${row.available.toFixed()} is not on hand − reserved (${expected.toFixed()})`,
    };
  }
  return { ...row, problem: null };
}
