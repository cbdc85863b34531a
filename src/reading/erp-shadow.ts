import type { ErpPage, StockRow } from '../erp/connector.ts';
import type { Lane } from '../marketplace/quota.ts';
import type { AccountContext } from '../reconcile/context.ts';
import type { StoredStock } from '../store/erp.ts';

/** What the ERP answered about stock goes into its shadow here; figures that cannot be are kept with their problem. */
export async function recordErpStock(
  { account, store }: Pick<AccountContext, 'account' | 'store'>,
  page: ErpPage<StockRow>,
  lane: Lane,
): Promise<number> {
  await store.misfits.record(account, 'erp-stock', page.misfits);
  return store.erp.recordStock(account, page.items.map(withProblem), { listAsOf: page.asOf, lane });
}

function withProblem(row: StockRow): StoredStock {
  const expected = row.onHand.minus(row.reserved);
  if (row.onHand.isNegative()) return { ...row, problem: `on hand is negative (${row.onHand.toFixed()})` };
  if (!row.available.equals(expected)) {
    return {
      ...row,
      problem: `available ${row.available.toFixed()} is not on hand − reserved (${expected.toFixed()})`,
    };
  }
  return { ...row, problem: null };
}
