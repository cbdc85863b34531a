import { CallFailure } from '../domain/failure.ts';
import type { ErpCan, ErpPing } from '../erp/connector.ts';
import type { Facts } from '../store/observe.ts';
import { alertsOf } from './alerts.ts';
import type { ErpReading, Look } from './context.ts';

/** Fact: what the ERP says that it can beyond that which every ERP can, as JSON. */
export const ERP_CAN_FACT = 'erp-can';
/** Fact: how the ERP says that it makes the totals of orders. */
export const ERP_TOTALS = 'erp-totals';
const ALERTS = 'order-in:';

/**
 * Asks the ERP what it can, as far as decisions depend on it. When that has changed, orders with an alert are looked at again. An
 * ERP that does not answer is taken for what it said last.
 */
export async function readCapabilities(context: ErpReading, look: Look): Promise<void> {
  const { account, config, store } = context;
  const shown = await pingOf(context, look);
  if (shown !== null) await noteCan(context, shown);
  const told = config.erp.capabilities.totals ?? (shown === null ? null : (shown.totals ?? 'stored'));
  if (told === null || told === (await store.facts.get(account, ERP_TOTALS))) return;
  await store.facts.set(account, ERP_TOTALS, told);
  const names = (await alertsOf(context)).map(({ name }) => name).filter((name) => name.startsWith(ALERTS));
  const keys = names.map((name) => ({ account, flow: 'order-in', key: name.slice(ALERTS.length) }));
  if (keys.length > 0) await store.work.mark(keys, look.lane, 'the ERP says how it makes totals');
}

/** Work that waited for the ERP to be able to do it is looked at again. */
async function noteCan({ account, store }: ErpReading, { can = [] }: ErpPing): Promise<void> {
  const told = JSON.stringify(can);
  if (told === (await store.facts.get(account, ERP_CAN_FACT))) return;
  await store.facts.set(account, ERP_CAN_FACT, told);
  await store.work.release({ account, codes: ['erp-takes-no-transports'] });
}

/** Has the ERP said that it can do this? */
export function canDo(facts: Facts, what: ErpCan): boolean {
  return (JSON.parse(facts.get(ERP_CAN_FACT) ?? '[]') as string[]).includes(what);
}

/** null when it does not answer. */
async function pingOf({ erp }: ErpReading, look: Look): Promise<ErpPing | null> {
  try {
    return await erp.ping(look.signal);
  } catch (error) {
    if (error instanceof CallFailure) return null;
    throw error;
  }
}
