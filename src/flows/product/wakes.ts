import type { AccountRecords, Look } from '../../shadow/context.ts';
import type { Result } from '../engine/flow.ts';
import { FLOWS } from '../flows.ts';

/**
 * Marks images and assignments once a product's listing is in step, and the stock of a listing to restore, which is
 * listed with its stock.
 */
export async function wakeDependents(
  { account, config, store }: AccountRecords,
  look: Look,
  result: Result,
): Promise<void> {
  const { key, lane } = look;
  if (result.state === 'in-sync') {
    const after = (['images', 'assignments'] as const).filter((flow) => FLOWS[flow].isOn(config));
    const targets = after.map((flow) => ({ account, flow, key }));
    if (targets.length > 0) await store.work.mark(targets, lane, 'its product was seen');
  }
  const comesBack = result.state === 'held' && result.causes.some(({ code }) => code === 'comes-back-with-stock');
  // Work that is pending, held or failed in its stock flow stays there.
  const flow = config.facilities === null ? 'stock' : 'facility-stock';
  if (comesBack && (await store.work.get({ account, flow, key })) === null)
    await store.work.mark([{ account, flow: 'stock', key }], lane, 'its listing comes back');
}
