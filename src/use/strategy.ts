import type { AccountConfig } from '../config/resolve.ts';
import type { StrategyName } from '../domain/strategy.ts';
import type { StrategyStanding } from '../domain/strategy-change.ts';
import { standingOf } from '../flows/engine/strategy-change.ts';
import type { Store } from '../store/sqlite/store.ts';
import type { Group } from './needs.ts';

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
