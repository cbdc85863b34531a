import { cause } from '../../../domain/causes/cause.ts';
import { placeOf } from '../../../domain/facility-ledger.ts';
import type { AccountRecords, MarketplaceReading } from '../../../shadow/context.ts';
import { type Applied, revalidatedBy, type WriteLook } from '../../engine/flow.ts';
import { isNotApplied } from '../../engine/not-applied.ts';
import { isStillKnown } from '../read-before-raise.ts';
import { basisOfRaise, decideFacilityStock, type SendReconcile } from './decide.ts';
import { observeFacilities } from './observe.ts';

/**
 * Sends one reconcile command, which the marketplace queues. Its intent stays open until it ends, and its place gets no
 * second command. As there is no compare-and-set, reservations are checked with the result.
 */
export async function sendReconcile(
  context: MarketplaceReading,
  look: WriteLook,
  action: SendReconcile,
): Promise<Applied> {
  const { account, client, config, store } = context;
  if (config.facilities === null) return { outcome: 'superseded', answer: 'facilities are switched off' };
  const { listingId, facilityId, batchId, toQuantity, reserved } = action;
  const place = { listingId, facilityId, batchId };
  const intentId = await store.reconciles.open({ account, key: look.key, ...place, toQuantity, reserved });
  const request = {
    query: { company_id: config.facilities.companyId },
    body: {
      product_id: listingId,
      facility_id: facilityId,
      batch_id: batchId,
      to_quantity: toQuantity.toFixed(),
      reason: `Stockbridge: ${action.why}`,
      created_by: config.facilities.createdBy,
      metadata: { stockbridge_intent: String(intentId), stockbridge_account: account },
    },
  };
  const again = () => isStillDecided(context, look, action, intentId);
  try {
    const { command_id: commandId } = await client.call('inventory.reconcile', request, {
      ...revalidatedBy(look, again),
      sending: () => store.intents.sending(intentId),
    });
    await store.reconciles.accepted(intentId, commandId);
    return { outcome: 'written', answer: `command ${commandId} accepted` };
  } catch (error) {
    if (isNotApplied(error))
      await store.reconciles.settle(intentId, 'refused', { evidence: cause('not-applied', { answer: error.message }) });
    throw error;
  }
}

/** Decides again without this command's own intent. */
async function isStillDecided(
  context: AccountRecords,
  look: WriteLook,
  { facilityId, batchId, after, brake, asked }: SendReconcile,
  intentId: number,
): Promise<boolean> {
  const { snapshot } = await observeFacilities(context, look.key);
  const own = placeOf(facilityId, batchId);
  const places = snapshot.places.map((each) =>
    each.command?.intentId === intentId ? { ...each, command: null } : each,
  );
  const now = { ...snapshot, places };
  const isSame = decideFacilityStock(now).actions.some(
    (send) =>
      send.action === 'facility-stock.reconcile' &&
      placeOf(send.facilityId, send.batchId) === own &&
      send.after === after &&
      send.brake === brake,
  );
  return isSame && (brake !== 'increase' || (await isStillKnown(context, basisOfRaise(now), asked)));
}
