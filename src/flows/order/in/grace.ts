import { instantNs } from '../../../domain/instant.ts';
import { isDead } from '../../../domain/status.ts';
import type { AccountRecords } from '../../../shadow/context.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';

const NS_PER_MS = 1_000_000n;

/**
 * How long a copy may still replace a canceled ERP order, by the ERP's clock. null: no longer. The clock is taken from
 * the ERP's last list of orders, plus the time since. A cancellation in the future by that clock is not waited for.
 */
export async function graceLeftMs(
  { account, config, now, store }: AccountRecords,
  status: string,
  erpOrder: StoredErpOrder | undefined,
): Promise<number | null> {
  const { cancelGraceMs } = config.orders;
  if (erpOrder?.status !== 'cancelled' || isDead(status) || cancelGraceMs === 0) return null;
  const read = await store.cursors.get(account, 'erp-orders');
  const [asOf, at] = [instantNs(read?.value ?? ''), instantNs(erpOrder.changedAt)];
  if (read === null || asOf === null || at === null) return null;
  const goneMs = Number((asOf - at) / NS_PER_MS) + Math.max(now() - read.updatedAtMs, 0);
  return goneMs < -cancelGraceMs || goneMs >= cancelGraceMs ? null : cancelGraceMs - goneMs;
}
