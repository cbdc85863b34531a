import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountConfig, Config } from '../../config/resolve.ts';
import { type OpenStore, openStore } from '../../core/state.ts';
import { CallFailure } from '../../domain/failure.ts';
import type { ErpConnector, ErpOrder, ErpOrderDraft } from '../../erp/connector.ts';
import { BrokenPromise } from '../../erp/promises/broken.ts';
import { createErpOrder } from '../../flows/order/in/create.ts';
import type { Log } from '../../logging/logging.ts';

/** Creates ERP orders by the order flow's rules. */
interface Sure {
  readonly make: (erp: ErpConnector, draft: ErpOrderDraft, signal: AbortSignal) => Promise<ErpOrder>;
  close(): void;
}

const MOST_LOOKS = 10;

const NOTHING_AGREED = { erpId: null, quantities: [], prices: [], charges: null, statuses: null } as const;

/**
 * Uses its own temporary database. A daemon waits until a lost request is certainly over; the check broke the
 * connection itself, so it need not wait.
 */
export function createOrderMaker(config: Config, account: AccountConfig, log: Log): Sure {
  const dir = mkdtempSync(join(tmpdir(), 'stockbridge-check-'));
  let opened: OpenStore | null = null;
  let aheadMs = 0;
  return {
    async make(erp, draft, signal) {
      opened ??= await openStore({ ...config, state: { ...config.state, dir } }, log);
      const { store } = opened;
      const now = () => Date.now() + aheadMs;
      const context = { account: account.name, config: account, store, now, onJournal: () => {}, erp };
      const look = { key: draft.reference, lane: 'operator', signal } as const;
      for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
        try {
          const done = await createErpOrder(context, look, { draft, agreed: NOTHING_AGREED });
          if (done.outcome === 'wait') aheadMs += done.waitMs;
          else break;
        } catch (error) {
          if (!(error instanceof CallFailure) || error.outcome !== 'unknown') throw error;
        }
      }
      const [order] = await erp.findOrders(draft.reference, signal);
      if (order !== undefined) return order;
      throw new BrokenPromise({
        expected: `an order with reference ${draft.reference}`,
        came: 'none, however often it was tried',
        mend: 'let a create take effect',
      });
    },
    close() {
      opened?.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
