import { CallFailure } from '../domain/failure.ts';
import { alertsOf } from './alerts.ts';
import type { ErpReading, Look } from './context.ts';

/** Fact: how the ERP says that it makes the totals of orders. */
export const ERP_TOTALS = 'erp-totals';
const ALERTS = 'order-in:';

/**
 * Asks the ERP what it can, as far as decisions depend on it. When that has changed, orders with an alert are looked at again. An
 * ERP that does not answer is taken for what it said last.
 */
export async function readCapabilities(context: ErpReading, look: Look): Promise<void> {
  const { account, config, store } = context;
  const told = config.erp.totals ?? (await totalsOf(context, look));
  if (told === null || told === (await store.facts.get(account, ERP_TOTALS))) return;
  await store.facts.set(account, ERP_TOTALS, told);
  const names = (await alertsOf(context)).map(({ name }) => name).filter((name) => name.startsWith(ALERTS));
  const keys = names.map((name) => ({ account, flow: 'order-in', key: name.slice(ALERTS.length) }));
  if (keys.length > 0) await store.work.mark(keys, look.lane, 'the ERP says how it makes totals');
}

async function totalsOf({ erp }: ErpReading, look: Look): Promise<'stored' | 'computed' | null> {
  try {
    return (await erp.ping(look.signal)).totals ?? 'stored';
  } catch (error) {
    if (error instanceof CallFailure) return null;
    throw error;
  }
}
