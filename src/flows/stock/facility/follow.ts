import { cause } from '../../../domain/causes/cause.ts';
import { ZERO } from '../../../domain/decimal.ts';
import { CallFailure } from '../../../domain/failure.ts';
import type { Measured } from '../../../domain/shadow/measurements.ts';
import type { AccountRecords, Look, MarketplaceReading } from '../../../shadow/context.ts';
import { readWantedMeasurements } from '../../../shadow/read-measurements.ts';
import type { Reconcile } from '../../../store/intents.ts';
import type { Applied } from '../../engine/flow.ts';
import type { FollowReconcile } from './decide.ts';
import { lookAtMs } from './observe.ts';

/** A command that has not ended after this time is in doubt. */
const MAX_UNSETTLED_MS = 900_000;

/**
 * Follows a command to its end. One read of the measurements may show the end of many commands. If not, the command's
 * status is read, and after its end the measurements again.
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

/** Reads the measurements once for all commands that are due. */
async function measuredSince(context: MarketplaceReading, look: Look, reconcile: Reconcile): Promise<Measured | null> {
  const { listingId } = reconcile;
  await readSince(context, look, listingId, Math.min(lookAtMs(context, reconcile), context.now()));
  return context.store.measurements.get(context.account, listingId);
}

/** Reads the measurements unless they were requested at this instant or later. */
async function readSince(context: MarketplaceReading, look: Look, listingId: number, instantMs: number): Promise<void> {
  await context.exclusively(['read:wanted-measurements'], async () => {
    const known = await context.store.measurements.get(context.account, listingId);
    if (known === null || known.askedAtMs < instantMs) await readWantedMeasurements(context, listingId, look);
  });
}

/** `maybe`: a later order may have caused the same figure. */
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
  const askedAtMs = context.now();
  const status = await statusOf(context, look, commandId);
  const report = `command ${commandId} is ${status.word}${status.detail === '' ? '' : ` (${status.detail})`}`;
  switch (endingOf(status)) {
    case 'failed':
      return settle(context, reconcile, 'refused', report);
    case 'ended':
      return settleByFigures(context, look, reconcile, { said: report, askedAtMs });
    case 'under-way': {
      const ageMs = context.now() - reconcile.sentAtMs;
      const minutes = Math.floor(ageMs / 60_000);
      const doubt = ageMs < MAX_UNSETTLED_MS ? null : cause('command-undecided', { said: report, minutes });
      await context.store.reconciles.lookedAt(reconcile.intentId, doubt);
      return { outcome: 'superseded', answer: report };
    }
  }
}

/** The command has ended. The stored measurements may be older than its end. */
async function settleByFigures(
  context: MarketplaceReading,
  look: Look,
  reconcile: Reconcile,
  { said, askedAtMs }: { said: string; askedAtMs: number },
): Promise<Applied> {
  const { place, listingId, toQuantity } = reconcile;
  await readSince(context, look, listingId, askedAtMs + 1);
  const measured = await context.store.measurements.get(context.account, listingId);
  if (!isUntouched(reconcile, measured)) return settle(context, reconcile, 'applied', said);
  const onHand = measured?.byPlace.get(place)?.onHand ?? ZERO;
  return settle(
    context,
    reconcile,
    'refused',
    `${said}, and the measurements show ${onHand.toFixed()} on hand, not ${toQuantity.toFixed()}`,
  );
}

/** The figure differs from the target, and no order moved that could explain it. */
function isUntouched({ place, toQuantity, reserved, sentAtMs }: Reconcile, measured: Measured | null): boolean {
  if (measured === null || measured.askedAtMs < sentAtMs) return false;
  const there = measured.byPlace.get(place) ?? { onHand: ZERO, reserved: ZERO };
  return !there.onHand.equals(toQuantity) && there.reserved.equals(reserved);
}

/**
 * Spec 2 has the status Pending and a `result_on`; field notes report Success and Failed. Any other status has ended if
 * it has a `result_on` or names an end.
 */
function endingOf({ word, endedOn }: Awaited<ReturnType<typeof statusOf>>): 'under-way' | 'failed' | 'ended' {
  if (/^fail/i.test(word)) return 'failed';
  if (/^pending/i.test(word)) return 'under-way';
  return endedOn !== null || /^(succe|complet|done|finish|applied)/i.test(word) ? 'ended' : 'under-way';
}

async function statusOf({ client, config }: MarketplaceReading, look: Look, commandId: number) {
  const query = { company_id: config.facilities?.companyId ?? config.marketplace.sellerId };
  try {
    const answer = await client.call('inventory.command-status', { path: { id: commandId }, query }, look);
    const detail = Object.entries(answer.result_metadata ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
    const [word, endedOn] = [answer.result_status, answer.result_on ?? null];
    return { word, endedOn, detail: detail.join(', ').slice(0, 500) };
  } catch (error) {
    if (error instanceof CallFailure && error.kind === 'not-found')
      return { word: 'not known', endedOn: null, detail: error.message };
    throw error;
  }
}

async function settle(
  { store }: AccountRecords,
  { intentId, commandId }: Reconcile,
  state: 'applied' | 'refused',
  said: string,
): Promise<Applied> {
  const failure = state === 'refused' && commandId !== null ? said : null;
  await store.reconciles.settle(intentId, state, { evidence: cause('command-ended', { said }), failure });
  return { outcome: failure === null ? 'noted' : 'refused', answer: said };
}
