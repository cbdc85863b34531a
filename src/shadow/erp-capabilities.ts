import type { AccountConfig } from '../config/resolve.ts';
import { CallFailure } from '../domain/failure.ts';
import { type Capabilities, capabilitiesOf, type StatedCapabilities, statedIn } from '../erp/capabilities.ts';
import type { ErpPing } from '../erp/connector.ts';
import type { Facts } from '../store/observe.ts';
import { alertsOf } from './alerts.ts';
import type { AccountRecords, ErpReading, Look } from './context.ts';
import { allowErpCreates } from './references.ts';

/** Fact: the capabilities that the ERP last stated, as JSON. */
export const STATED_CAPABILITIES = 'erp-capabilities';
/** Fact: the capabilities under which dependent work was last checked, as JSON. */
const ERP_USED = 'erp-capabilities-used';
const ALERTS = 'order-in:';
/** Holds that end once the ERP can do more. */
const HELD = [
  'product-unlinked',
  'erp-takes-no-transports',
  'erp-takes-no-edits',
  'line-quantity-finer',
  'reference-differs',
] as const;

/**
 * Asks the ERP for its capabilities. If they changed, dependent work is checked again. If it does not answer, its last
 * statement applies.
 */
export async function readCapabilities(context: ErpReading, look: Look): Promise<void> {
  const { account, store } = context;
  const shown = await pingOf(context, look);
  if (shown !== null) {
    await store.facts.set(account, STATED_CAPABILITIES, JSON.stringify(statedIn(shown)));
    context.heard?.(statedIn(shown));
  }
  const used = JSON.stringify(await capabilitiesNow(context));
  if (used === (await store.facts.get(account, ERP_USED))) return;
  await store.facts.set(account, ERP_USED, used);
  await allowErpCreates(context);
  await store.work.release({ account, codes: [...HELD] });
  const names = (await alertsOf(context)).map(({ name }) => name).filter((name) => name.startsWith(ALERTS));
  const keys = names.map((name) => ({ account, flow: 'order-in', key: name.slice(ALERTS.length) }));
  if (keys.length > 0) await store.work.mark(keys, look.lane, 'the ERP can do something else than before');
}

/**
 * The ERP's known capabilities.
 * @param facts must include `STATED_CAPABILITIES`
 */
export function capabilitiesIn({ erp }: AccountConfig, facts: Facts): Capabilities {
  return capabilitiesOf(statedBefore(facts.get(STATED_CAPABILITIES) ?? null), erp.capabilities);
}

/** @param fact `STATED_CAPABILITIES`; null: nothing stated yet */
export function statedBefore(fact: string | null): StatedCapabilities {
  return JSON.parse(fact ?? '{}') as StatedCapabilities;
}

export async function capabilitiesNow({ account, config, store }: AccountRecords): Promise<Capabilities> {
  const stated = await store.facts.get(account, STATED_CAPABILITIES);
  return capabilitiesIn(config, new Map(stated === null ? [] : [[STATED_CAPABILITIES, stated]]));
}

/** null: the ERP does not answer. */
async function pingOf({ erp }: ErpReading, look: Look): Promise<ErpPing | null> {
  try {
    return await erp.ping(look.signal);
  } catch (error) {
    if (error instanceof CallFailure) return null;
    throw error;
  }
}
