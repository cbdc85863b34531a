import type { ErpReading, Look } from './context.ts';
import { recordErpStock } from './erp-shadow.ts';
import { createSharedCalls } from './shared-calls.ts';

const SHARED = 50;

interface Asked {
  readonly productId: string;
  readonly sku: string;
}

/**
 * Reads ERP products' current stock. Concurrent looks share a call (`shared-calls.ts`). Each look observes its product
 * afterwards, so the new figures cause no further look.
 */
export function createStockReads() {
  const share = createSharedCalls<Asked, void>(SHARED);

  return async (context: ErpReading, look: Look, sku: string): Promise<void> => {
    const read = async (asked: readonly Asked[]) => {
      const page = await context.erp.readStock([...new Set(asked.map((one) => one.sku))], look.signal);
      const lookedAt = asked.map(({ productId }) => productId);
      await recordErpStock(context, page, look.lane, lookedAt);
    };
    const own = { productId: look.key, sku };
    const { answer } = await share(look.lane, own, read);
    if (answer === null) await read([own]);
  };
}
