import { type Cause, cause } from '../../domain/causes/cause.ts';
import { CallFailure } from '../../domain/failure.ts';
import type { Known } from '../../shadow/context.ts';
import { intentKind } from '../../store/intent-kinds.ts';
import type { Intent, NewIntent } from '../../store/intents.ts';
import type { Link } from '../../store/links.ts';
import { afterWrite } from './after-write.ts';
import type { Applied } from './flow.ts';
import { isNotApplied } from './not-applied.ts';

interface Unprovable {
  readonly evidence: Cause;
  /** Ids of what may be it. */
  readonly candidates: readonly string[];
}

/** A create on a system without idempotency keys. */
export interface CreateOnce<Created> {
  readonly intent: NewIntent;
  /** Looks for what an earlier attempt may have made. Several matches are in doubt. */
  readonly find: () => Promise<readonly Created[]>;
  /** Why an empty answer of `find` proves nothing, so that an operator has to decide; null when it does prove it. */
  readonly unprovable?: () => Promise<Unprovable | null>;
  /** @param sending to be called right before the request leaves: as long as it was not, nothing was sent */
  readonly create: (sending: () => Promise<void>) => Promise<Created>;
  /** Stores what was made, in the shadow. */
  readonly record: (created: Created) => Promise<void>;
  /** The link of the created entity; null for one that has no mapping. */
  readonly link: (created: Created, how: string) => Link | null;
  readonly show: (created: Created) => string;
  /** Told once it is linked as it was sent now; what an earlier attempt made may have been sent otherwise. */
  readonly remember?: (created: Created) => Promise<void>;
  /** How long a request that timed out may still be applied: twice the client's time-out. */
  readonly settleMs: number;
  /** Look first even when no attempt is known: where looking is cheap, it also mends a lost database. */
  readonly alwaysFind: boolean;
  /** An earlier attempt is settled, and no new one is made: the entity is not wanted any more. */
  readonly adoptOnly?: boolean;
}

/**
 * Commits the intent, then calls, then commits the answer. A look that finds an open intent looks the entity up and adopts
 * it. "Not there" counts only of a look that begins after the settle time, because a zombie request may still be applied.
 * @throws CallFailure when it certainly was not applied, or when nothing could be looked up.
 */
export async function createOnce<Created>(context: Known, work: CreateOnce<Created>): Promise<Applied> {
  const { intents } = context.store;
  const earlier = await intents.unsettled(work.intent);
  if (earlier?.state === 'in-doubt')
    return { outcome: 'in-doubt', doubt: earlier.evidence ?? cause('as-told', { text: '' }) };
  const dropped = earlier === null ? await intents.dropped(work.intent) : null;
  if (dropped !== null) return { outcome: 'dropped', doubt: dropped.evidence ?? cause('as-told', { text: '' }) };
  if (earlier !== null || work.alwaysFind) {
    const settled = await settle(context, work, earlier);
    if (settled !== null) return settled;
  }
  if (work.adoptOnly === true) return { outcome: 'noted', answer: 'an earlier attempt was not applied' };
  const id = await intents.open(work.intent);
  const created = await createAs(context, work, id);
  const answer = work.show(created);
  try {
    await work.record(created);
    await intents.applied(id, work.link(created, 'created'), cause('made', { made: answer }));
    await work.remember?.(created);
  } catch (error) {
    await afterWrite(answer, async () => {
      // The next look finds what was made; where it does not, it is in doubt, and not made again.
      await intents.taken(id, cause('made-and-not-found', { answer: `${answer} was made` }));
      throw error;
    });
  }
  return { outcome: 'written', answer };
}

async function createAs<Created>({ store }: Known, work: CreateOnce<Created>, id: number): Promise<Created> {
  const { intents } = store;
  const request = { hasLeft: false };
  try {
    return await work.create(async () => {
      request.hasLeft = true;
      await intents.sending(id);
    });
  } catch (error) {
    if (isNotApplied(error)) await intents.refused(id, cause('not-applied', { answer: error.message }));
    else if (!request.hasLeft) await intents.sending(id);
    if (error instanceof CallFailure && isTaken(error))
      await intents.taken(id, cause('made-and-not-found', { answer: error.message }));
    throw error;
  }
}

/** null: surely not there, go on and create. */
async function settle<Created>(
  context: Known,
  work: CreateOnce<Created>,
  earlier: Intent | null,
): Promise<Applied | null> {
  const { intents } = context.store;
  // A look that begins before the settle time is over may be answered before the late request is applied.
  const waitMs = settleLeftMs(earlier?.leftAtMs ?? null, work.settleMs, context.now());
  const found = await work.find();
  const [only] = found;
  if (only !== undefined && found.length === 1) {
    const id = earlier?.id ?? (await intents.open(work.intent));
    await work.record(only);
    await intents.applied(id, work.link(only, 'adopted'), cause('adopted', { made: work.show(only), by: null }));
    return { outcome: 'written', answer: `adopted ${work.show(only)}` };
  }
  if (found.length > 1) {
    const doubt = cause('several-match', { found: found.map(work.show), sent: earlier !== null });
    const id = earlier?.id ?? (await intents.open(work.intent));
    await intents.inDoubt(id, doubt, candidateIds(work, found));
    return { outcome: 'in-doubt', doubt };
  }
  if (earlier === null) return null;
  if (waitMs > 0) return { outcome: 'wait', waitMs, answer: 'an earlier attempt may still be applied' };
  if (earlier.leftAtMs === null) {
    await intents.refused(earlier.id, cause('never-sent'));
    return null;
  }
  const doubt =
    earlier.evidence === null ? ((await work.unprovable?.()) ?? null) : { evidence: earlier.evidence, candidates: [] };
  if (doubt !== null) {
    await intents.inDoubt(earlier.id, doubt.evidence, doubt.candidates);
    return { outcome: 'in-doubt', doubt: doubt.evidence };
  }
  await intents.refused(earlier.id, cause('not-there'));
  return null;
}

/** The answer was a success, though not of the documented shape. */
function isTaken({ kind, status, outcome }: CallFailure): boolean {
  return kind === 'misfit' && outcome === 'unknown' && status !== null && status < 300;
}

/** One of the entities without an id of ours may be the created one. */
export function lookAlikes(what: string, ids: readonly string[]): Unprovable | null {
  if (ids.length === 0) return null;
  return { evidence: cause('look-alikes', { what, found: [...ids] }), candidates: ids };
}

/** By what an operator may name them. */
function candidateIds<Created>({ intent, link }: CreateOnce<Created>, found: readonly Created[]): string[] {
  const side = intentKind(intent.kind).madeOn === 'erp' ? 'erpId' : 'marketplaceId';
  return found.flatMap((created) => link(created, 'adopted')?.[side] ?? []);
}

/**
 * Nothing can come of a request that has not left. A date later than now counts as now until it is set right
 * (`store/sqlite/set-back.ts`).
 */
function settleLeftMs(leftAtMs: number | null, settleMs: number, nowMs: number): number {
  return leftAtMs === null ? 0 : Math.min(settleMs, settleMs - (nowMs - leftAtMs));
}
