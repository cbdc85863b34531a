import { type Cause, cause } from '../domain/causes/cause.ts';
import { recordFullRead } from './alerts.ts';
import type { ErpReading, Look } from './context.ts';
import { recordErpStock } from './erp-shadow.ts';
import { isShort, readChanged, readThrough } from './read-erp.ts';

export async function readErpStock(context: ErpReading, look: Look): Promise<void> {
  const { account, erp, store } = context;
  if ((await store.cursors.get(account, 'erp-stock')) === null) return listErpStock(context, look);
  await readChanged(context, look, 'erp-stock', erp.listStock.bind(erp), (page) =>
    recordErpStock(context, page, look.lane),
  );
}

/**
 * Lists all ERP stock. A missing row stays unchanged. A list that lacks too much raises an alert until a complete one,
 * and the cursor stays. A product that never had stock is not missed.
 */
export async function listErpStock(context: ErpReading, look: Look): Promise<void> {
  const { account, erp, store } = context;
  const { sold, stocked } = await store.erp.soldWithStock(account);
  const missing = new Set(stocked);
  let invalidRows = 0;
  const { asOf, complete, rows } = await readThrough(
    context,
    'erp-stock',
    erp.listStock(null, look.signal),
    async (page) => {
      await recordErpStock(context, page, look.lane);
      for (const { productId } of page.items) missing.delete(productId);
      // An invalid row counts as present.
      invalidRows += page.invalidRows.length;
      for (const { id } of page.invalidRows) if (id !== null) missing.delete(id);
    },
  );
  const doubt = complete
    ? shortfall({ sold, stocked: stocked.length, missing: missing.size, rows: rows + invalidRows })
    : cause('erp-stock-incomplete');
  const cursor = doubt === null ? asOf : null;
  await recordFullRead(context, { collection: 'erp-stock', to: cursor, rows, cursor }, doubt, 'erp:stock');
}

function shortfall(size: { sold: number; stocked: number; missing: number; rows: number }): Cause | null {
  const { sold, stocked, missing, rows } = size;
  if (stocked === 0 && rows === 0 && sold > 0) return cause('erp-stock-empty', { sold });
  return isShort(stocked, missing) ? cause('erp-stock-short', { missing, stocked }) : null;
}
