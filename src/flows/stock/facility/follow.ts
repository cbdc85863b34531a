import { cause } from '../../../domain/causes/cause.ts';
import { ZERO } from '../../../domain/decimal.ts';
import { CallFailure } from '../../../domain/failure.ts';
import type { Measured } from '../../../domain/shadow/measurements.ts';
import type { Known, Look, MarketplaceReading } from '../../../shadow/context.ts';
import { readWantedMeasurements } from '../../../shadow/read-measurements.ts';
import type { Reconcile } from '../../../store/intents.ts';
import type { Applied } from '../../engine/flow.ts';
import type { FollowReconcile } from './decide.ts';
import { lookAtMs } from './observe.ts';

/** A command that has not ended after this long is in doubt. */
const MAX_UNSETTLED_MS = 900_000;

/**
 * Follows a command to its end. One read of the measurements shows the end of many commands. Only where it does not, the
 * command's status is asked for (spec 2: Pending and other values; field notes: Success and Failed). Any other status is
 * waited for.
 */
export async function followReconcile(
  context: MarketplaceReading,
  look: Look,
  action: FollowReconcile,
): Promise<Applied> {
  const { account, store } = context;
  const latest = await store.reconciles.latest(account, look.key);
  const reconcile = latest.find(({ intentId }) => intentId === action.command.intentId);
  if (reconcile === undefined) return { outcome: 'superseded', answer: 'it has been settled' };
  const shown = shows(reconcile, await measuredSince(context, look, reconcile));
  if (reconcile.commandId === null) {
    return shown === 'no'
      ? settle(context, reconcile, 'refused', 'looked for after the settle time: the measurements do not show it')
      : settle(context, reconcile, 'applied', 'its answer was lost, and the measurements show it');
  }
  if (shown === 'surely') {
    return settle(context, reconcile, 'applied', `command ${reconcile.commandId}: the measurements show it`);
  }
  return followStatus(context, look, reconcile, reconcile.commandId);
}

/** Read once for all commands that are due. */
async function measuredSince(context: MarketplaceReading, look: Look, reconcile: Reconcile): Promise<Measured | null> {
  const { account, store } = context;
  const { listingId } = reconcile;
  const dueAtMs = Math.min(lookAtMs(context, reconcile), context.now());
  await context.exclusively(['read:wanted-measurements'], async () => {
    const known = await store.measurements.get(account, listingId);
    if (known === null || known.askedAtMs < dueAtMs) await readWantedMeasurements(context, listingId, look);
  });
  return store.measurements.get(account, listingId);
}

/** `maybe`: an order that moved since may have caused the same figure. */
function shows({ place, toQuantity, reserved, sentAtMs }: Reconcile, measured: Measured | null) {
  if (measured === null || measured.askedAtMs < sentAtMs) return 'no';
  const there = measured.byPlace.get(place) ?? { onHand: ZERO, reserved: ZERO };
  if (!there.onHand.equals(toQuantity)) return 'no';
  return there.reserved.equals(reserved) ? 'surely' : 'maybe';
}

async function followStatus(
  context: MarketplaceReading,
  look: Look,
  reconcile: Reconcile,
  commandId: number,
): Promise<Applied> {
  const { status, detail } = await statusOf(context, look, commandId);
  const said = `command ${commandId} is ${status}${detail === '' ? '' : ` (${detail})`}`;
  if (/^succe/i.test(status)) return settle(context, reconcile, 'applied', said);
  if (/^fail/i.test(status)) return settle(context, reconcile, 'refused', said);
  const ageMs = context.now() - reconcile.sentAtMs;
  const minutes = Math.floor(ageMs / 60_000);
  const doubt = ageMs < MAX_UNSETTLED_MS ? null : cause('command-undecided', { said, minutes });
  await context.store.reconciles.lookedAt(reconcile.intentId, doubt);
  return { outcome: 'superseded', answer: said };
}

async function statusOf(
  { client, config }: MarketplaceReading,
  look: Look,
  commandId: number,
): Promise<{ status: string; detail: string }> {
  const query = { company_id: config.facilities?.companyId ?? config.marketplace.sellerId };
  try {
    const answer = await client.call('inventory.command-status', { path: { id: commandId }, query }, look);
    const detail = Object.entries(answer.result_metadata ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
    return { status: answer.result_status, detail: detail.join(', ').slice(0, 500) };
  } catch (error) {
    if (error instanceof CallFailure && error.kind === 'not-found')
      return { status: 'not known', detail: error.message };
    throw error;
  }
}

async function settle(
  { store }: Known,
  { intentId, commandId }: Reconcile,
  state: 'applied' | 'refused',
  said: string,
): Promise<Applied> {
  const failure = state === 'refused' && commandId !== null ? said : null;
  await store.reconciles.settle(intentId, state, { evidence: cause('command-ended', { said }), failure });
  return { outcome: failure === null ? 'noted' : 'refused', answer: said };
}
