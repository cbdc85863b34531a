import type { Cause } from '../../domain/causes/cause.ts';
import type { StrategyName } from '../../domain/strategy.ts';
import { type StrategyStanding, strategyStanding } from '../../domain/strategy-change.ts';
import { FLOW_NAMES, FLOWS } from '../flows.ts';
import type { AccountContext } from './context.ts';

/** The actions that depend on the strategy: stock writes and order entry. */
const BY_STRATEGY: ReadonlySet<string> = new Set(FLOW_NAMES.flatMap((flow) => FLOWS[flow].byStrategy ?? []));

type Known = Pick<AccountContext, 'account' | 'store'>;

export async function strategyOf(
  { account, store }: Known,
  configured: StrategyName,
): Promise<{ inForce: StrategyName | null; standing: StrategyStanding }> {
  const inForce = await store.strategies.inForce(account);
  if (inForce === configured) return { inForce, standing: { kind: 'in-force' } };
  const approved = await store.strategies.approved(account);
  const openOrders = await store.strategies.openOrders(account);
  return { inForce, standing: strategyStanding({ configured, inForce, approved, openOrders }) };
}

export async function standingOf(known: Known, configured: StrategyName): Promise<StrategyStanding> {
  return (await strategyOf(known, configured)).standing;
}

type Configured = Known & Pick<AccountContext, 'config'>;
type Write = { readonly action: string; readonly after: string | null };

/**
 * Called right before a write. Returns why it waits for approval of another strategy, or null. Activates the configured
 * strategy if that is allowed.
 */
export async function enforceStrategy(
  context: Configured & Pick<AccountContext, 'onJournal'>,
  write: Write,
): Promise<Cause | null> {
  return isByStrategy(write) ? settleStrategy(context) : null;
}

/** As `enforceStrategy`, without changing anything. */
export async function strategyWait({ account, config, store }: Configured, write: Write): Promise<Cause | null> {
  if (!isByStrategy(write)) return null;
  const standing = await standingOf({ account, store }, config.inventory.strategy);
  return standing.kind === 'waits' ? standing.cause : null;
}

/** Activates the configured strategy and journals it. Returns why that is not allowed, or null. */
export async function settleStrategy(context: Configured & Pick<AccountContext, 'onJournal'>): Promise<Cause | null> {
  const { account, config, store, onJournal } = context;
  const { strategy } = config.inventory;
  const { inForce: before, standing } = await strategyOf(context, strategy);
  if (standing.kind === 'waits') return standing.cause;
  if (standing.kind === 'in-force') return null;
  if (!(await store.strategies.comeIntoForce(account, strategy, `the daemon: ${standing.why}`))) return null;
  const change = { action: 'strategy', target: 'inventory.strategy', before, after: strategy, why: standing.why };
  onJournal({ account, flow: 'strategy', key: '*', ...change, outcome: 'noted', answer: '' });
  return null;
}

/** Canceling a dead order in the ERP frees its stock under any strategy. */
function isByStrategy({ action, after }: Write): boolean {
  return BY_STRATEGY.has(action) && !(action === 'order-in.update' && after === 'cancelled');
}
