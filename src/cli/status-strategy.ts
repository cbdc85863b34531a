import type { AccountConfig } from '../config/resolve.ts';
import type { StrategyName } from '../domain/strategy.ts';
import type { StrategyStanding } from '../domain/strategy-change.ts';
import { standingOf } from '../flows/engine/strategy-change.ts';
import type { Store } from '../store/sqlite/store.ts';
import type { Group } from './group.ts';

/** By which strategy an account is kept, and whether that is the one of the configuration. */
export interface StrategyStatus {
  /** null: nothing has been written yet. */
  readonly inForce: StrategyName | null;
  readonly configured: StrategyName;
  readonly standing: StrategyStanding;
}

export async function strategyStatus({ name, inventory }: AccountConfig, store: Store): Promise<StrategyStatus> {
  const { strategy: configured } = inventory;
  const inForce = await store.strategies.inForce(name);
  return { inForce, configured, standing: await standingOf({ account: name, store }, configured) };
}

/** A change that waits for its approval. */
export function strategyNeeds({ inForce, configured, standing }: StrategyStatus): Group[] {
  if (standing.kind !== 'waits') return [];
  const about = `${inForce} to ${configured}`;
  return [{ about, count: 1, example: { key: 'inventory.strategy', text: standing.reason } }];
}

/** What becomes of the configured strategy while another one is in force; null while none is. */
export function comingText({ inForce, configured, standing }: StrategyStatus): string | null {
  if (inForce === null || standing.kind === 'in-force') return null;
  const named = `${inForce} is in force, the configuration names ${configured}`;
  if (standing.kind === 'waits') return `${named}: the change waits for an approval`;
  return `${named}: the next start changes to it, since ${standing.why}`;
}
