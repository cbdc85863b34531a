import type { LatestWrite } from '../../store/record.ts';
import type { AccountContext } from '../engine/context.ts';
import type { LostWrite } from './decide.ts';

/**
 * The latest write of this product's stock whose answer was lost, unless a write that began after its time has replaced it.
 * For twice the client's time-out it may still be applied, and overwrite later writes.
 */
export function lostWriteIn(
  { config, now }: Pick<AccountContext, 'config' | 'now'>,
  writes: readonly LatestWrite[],
): LostWrite | null {
  const settleMs = 2 * config.marketplace.timeoutMs;
  const lostAt = writes.findIndex(({ outcome }) => outcome !== 'written');
  const lost = writes[lostAt];
  if (lost === undefined) return null;
  const overMs = lost.atMs + settleMs;
  if (writes.slice(0, lostAt).some(({ atMs }) => atMs >= overMs)) return null;
  // A date later than now counts as now, until it is set right (`store/sqlite/set-back.ts`).
  return { mayComeIn: Math.min(Math.max(overMs - now(), 0), settleMs) };
}

export async function lostWriteOf(
  context: Pick<AccountContext, 'account' | 'config' | 'store' | 'now'>,
  key: string,
): Promise<LostWrite | null> {
  return lostWriteIn(context, await context.store.journal.latestWrites(context.account, 'stock', key));
}
