import { instantNs } from '../../../domain/instant.ts';
import { isDead } from '../../../domain/status.ts';
import type { AccountRecords } from '../../../shadow/context.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';

const NS_PER_MS = 1_000_000n;

/**
 * How long another order may still take the place of a cancelled one of the ERP, by the ERP's own clock; null: no longer. The clock stands
 * where the last list of its orders says, and has gone on since. A cancellation that this clock has not reached is not waited for.
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
