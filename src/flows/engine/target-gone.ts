import { CallFailure } from '../../domain/failure.ts';
import type { ErpReading, Look, MarketplaceReading } from '../../shadow/context.ts';
import { shownListings } from '../../shadow/listing-reads.ts';
import { readOrderById } from '../../shadow/missing-orders.ts';
import { shownCustomers } from '../../shadow/read-customers.ts';
import { isErpOrderGone } from '../../shadow/read-erp-orders.ts';
import { noteGone } from '../../shadow/roll-call.ts';
import { FLOWS, type FlowName } from '../flows.ts';
import type { Planned } from './decision.ts';

const WHY = 'a write to it was answered with 404, and the marketplace does not show it by its number';

/**
 * After a 404 to a write: returns whether the target is gone, and records it. Deciding again then avoids another 404.
 * An ERP may refuse a write to a missing order in other ways, so any refusal is checked.
 */
export async function isTargetGone(
  context: MarketplaceReading & ErpReading,
  look: Look,
  flow: FlowName,
  action: Planned,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof CallFailure) || error.ofRead) return false;
  if (error.side === 'erp') return isRefused(error) && isErpTargetGone(context, look, action);
  if (error.side !== 'marketplace' || error.kind !== 'not-found') return false;
  if (FLOWS[flow].keys === 'orders') {
    const tick = await context.store.cursors.tick(context.account);
    return (await readOrderById(context, look, look.key, { tick, why: WHY })) === null;
  }
  const [collection, id, shownOf] = targetOf(action);
  if (id === null || (await shownOf(context, look, [id])).has(id)) return false;
  await noteGone(context, look, collection, [id], 'own-write');
  return true;
}

function isRefused({ kind, outcome }: CallFailure): boolean {
  return (kind === 'not-found' || kind === 'refused') && outcome === 'not-applied';
}

/** Writes to one ERP order name it. Creates and other writes to the ERP do not. */
async function isErpTargetGone(context: ErpReading, look: Look, action: Planned): Promise<boolean> {
  const { erpId } = action as { readonly erpId?: string };
  return erpId !== undefined && isErpOrderGone(context, look, erpId);
}

function targetOf(action: Planned) {
  const { listingId, customerId } = action as { readonly listingId?: number; readonly customerId?: number };
  if (customerId !== undefined) return ['customers', String(customerId), shownCustomers] as const;
  return ['products', listingId === undefined ? null : String(listingId), shownListings] as const;
}
