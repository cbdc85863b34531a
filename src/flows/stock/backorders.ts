import type { AccountRecords, Look } from '../../shadow/context.ts';
import type { Result } from '../engine/flow.ts';

export async function releaseBackorders(
  { account, store }: AccountRecords,
  _look: Look,
  { written }: Result,
): Promise<void> {
  if (written > 0) await store.work.release({ account, flow: 'order-in', codes: ['backorder'] });
}
