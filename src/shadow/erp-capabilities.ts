import type { AccountConfig } from '../config/resolve.ts';
import { CallFailure } from '../domain/failure.ts';
import { type Capabilities, capabilitiesOf, type Said, saidIn } from '../erp/capabilities.ts';
import type { ErpPing } from '../erp/connector.ts';
import type { Facts } from '../store/observe.ts';
import { alertsOf } from './alerts.ts';
import type { ErpReading, Known, Look } from './context.ts';

/** Fact: what the ERP said of itself last, as JSON. */
export const ERP_SAID = 'erp-capabilities';
/** Fact: what it could when the work that depends on it was looked at last, as JSON. */
const ERP_USED = 'erp-capabilities-used';
const ALERTS = 'order-in:';
/** Holds that end once the ERP can do more. */
const HELD = ['product-unlinked', 'erp-takes-no-transports', 'erp-takes-no-edits', 'line-quantity-finer'] as const;

/**
 * Asks the ERP what it can. When that has changed, the work that depends on it is looked at again. An ERP that does not answer
 * is taken for what it said last.
 */
export async function readCapabilities(context: ErpReading, look: Look): Promise<void> {
  const { account, store } = context;
  const shown = await pingOf(context, look);
  if (shown !== null) {
    await store.facts.set(account, ERP_SAID, JSON.stringify(saidIn(shown)));
    context.heard?.(saidIn(shown));
  }
  const used = JSON.stringify(await capabilitiesNow(context));
  if (used === (await store.facts.get(account, ERP_USED))) return;
  await store.facts.set(account, ERP_USED, used);
  await store.work.release({ account, codes: [...HELD] });
  const names = (await alertsOf(context)).map(({ name }) => name).filter((name) => name.startsWith(ALERTS));
  const keys = names.map((name) => ({ account, flow: 'order-in', key: name.slice(ALERTS.length) }));
  if (keys.length > 0) await store.work.mark(keys, look.lane, 'the ERP can do something else than before');
}

/** What the ERP can, as far as it is known. @param facts `ERP_SAID` among them */
export function capabilitiesIn({ erp }: AccountConfig, facts: Facts): Capabilities {
  return capabilitiesOf(saidBefore(facts.get(ERP_SAID) ?? null), erp.capabilities);
}

/** @param fact `ERP_SAID`; null while it has said nothing */
export function saidBefore(fact: string | null): Said {
  return JSON.parse(fact ?? '{}') as Said;
}

export async function capabilitiesNow({ account, config, store }: Known): Promise<Capabilities> {
  const said = await store.facts.get(account, ERP_SAID);
  return capabilitiesIn(config, new Map(said === null ? [] : [[ERP_SAID, said]]));
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
