import { type Cause, cause } from '../../domain/causes/cause.ts';
import { CallFailure } from '../../domain/failure.ts';
import type { SentBase } from '../../domain/order-base.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { intentKind, linkedIds } from '../../store/intent-kinds.ts';
import type { Intent, NewIntent, ShownErpOrder } from '../../store/intents.ts';
import type { Link } from '../../store/links.ts';
import { afterWrite } from './after-write.ts';
import type { Applied } from './flow.ts';
import { isNotApplied } from './not-applied.ts';

interface Unprovable {
  readonly evidence: Cause;
  /** Ids of the entities that may be the created one. */
  readonly candidates: readonly string[];
}

/**
 * A create on a system without idempotency keys. The kind of the intent says on which side the entity is made, its name in
 * messages and the link (`store/intent-kinds.ts`).
 */
export interface CreateOnce<Created> {
  /** Without `externalId`, the key of the look is used. */
  readonly intent: Pick<NewIntent, 'kind' | 'key' | 'sent'> & Partial<Pick<NewIntent, 'externalId'>>;
  /** Looks for the entity that an earlier attempt may have made. Several matches are a doubt. */
  readonly find: () => Promise<readonly Created[]>;
  /** Looks further for it, once the settle time is over and `find` has found nothing. */
  readonly findOtherwise?: () => Promise<readonly Created[]>;
  /**
   * Why an empty answer of `find` does not prove that the entity is absent. Then an operator has to decide. null: it proves
   * that.
   */
  readonly unprovable?: () => Promise<Unprovable | null>;
  /**
   * null: the entity is not wanted any more. An earlier attempt is settled, and no new one is made.
   * @param sending to be called right before the request leaves, unless `leaving` is there: as long as it was not, nothing was sent
   */
  readonly create: ((sending: () => Promise<void>) => Promise<Created>) | null;
  /**
   * For the request of an order, which leaves as soon as the intent is committed: the content that is put on record with the
   * intent, as sent.
   */
  readonly leaving?: () => SentBase;
  /** Stores the made entity in the shadow, before the intent is settled. */
  readonly record?: (created: Created) => Promise<void>;
  /** The ERP order, which is stored in the shadow in one transaction with the intent. */
  readonly shown?: (created: Created) => ShownErpOrder;
  readonly idOf: (created: Created) => string | number;
  /** Called when the entity was made by this very attempt, once it is linked. An earlier attempt may have sent other values. */
  readonly remember?: (created: Created) => Promise<void>;
  /** Look first even when no attempt is known. Where a look is cheap, it also repairs the loss of a database. */
  readonly alwaysFind: boolean;
  /** The other side refuses a second one with the same reference, so a late request can do no harm. */
  readonly isUnique?: () => Promise<boolean>;
}

/**
 * Commits the intent, then calls, then commits the answer. A look that finds an open intent looks the entity up and adopts
 * it. "Not there" counts only when the look began after the settle time, because a late request may still be applied.
 * @throws CallFailure when it certainly was not applied, or when nothing could be looked up.
 */
export async function createOnce<Created>(context: AccountRecords, work: CreateOnce<Created>): Promise<Applied> {
  const { intents } = context.store;
  const intent = intentOf(context, work);
  const earlier = await intents.earlier(intent);
  if (earlier?.state === 'in-doubt' || earlier?.state === 'dropped')
    return { outcome: earlier.state, doubt: earlier.evidence ?? cause('as-told', { text: '' }) };
  if (earlier !== null || work.alwaysFind) {
    const settled = await settle(context, work, earlier);
    if (settled !== null) return settled;
  }
  if (work.create === null) return { outcome: 'noted', answer: 'an earlier attempt was not applied' };
  const leaving = work.leaving?.();
  const id = await intents.open(intent, leaving);
  const created = await createAs(context, work.create, id, leaving !== undefined);
  const answer = show(work, created);
  try {
    await store(context, work, created, id, { how: 'created', evidence: cause('made', { made: answer }) });
    await work.remember?.(created);
  } catch (error) {
    await afterWrite(answer, async () => {
      // The next look finds the made entity. If it does not, the create is in doubt, and is not repeated.
      await intents.taken(id, cause('made-and-not-found', { answer: `${answer} was made` }));
      throw error;
    });
  }
  return { outcome: 'written', answer };
}

/** Puts the created entity on record, in the shadow and with its link. */
async function store<Created>(
  context: AccountRecords,
  work: CreateOnce<Created>,
  created: Created,
  id: number,
  { how, evidence }: { readonly how: string; readonly evidence: Cause },
): Promise<void> {
  await work.record?.(created);
  await context.store.intents.applied(id, linkOf(context, work, created, how), evidence, work.shown?.(created));
}

async function createAs<Created>(
  { store: { intents } }: AccountRecords,
  create: NonNullable<CreateOnce<Created>['create']>,
  id: number,
  hasLeft: boolean,
): Promise<Created> {
  const request = { hasLeft };
  try {
    return await create(async () => {
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

/** Settles an earlier attempt. @returns null when the entity is certainly not there, so the caller creates it */
async function settle<Created>(
  context: AccountRecords,
  work: CreateOnce<Created>,
  earlier: Intent | null,
): Promise<Applied | null> {
  const { intents } = context.store;
  // A look that begins before the settle time is over may be answered before the late request is applied.
  const leftMs = settleLeftMs(context, work, earlier?.leftAtMs ?? null);
  const waitMs = leftMs > 0 && (await work.isUnique?.()) === true ? 0 : leftMs;
  const settled = await adopted(context, work, earlier, await work.find());
  if (settled !== null || earlier === null) return settled;
  if (waitMs > 0) return { outcome: 'wait', waitMs, answer: 'an earlier attempt may still be applied' };
  if (earlier.leftAtMs === null) {
    await intents.refused(earlier.id, cause('never-sent'));
    return null;
  }
  const late = await adopted(context, work, earlier, (await work.findOtherwise?.()) ?? []);
  if (late !== null) return late;
  const doubt =
    earlier.evidence === null ? ((await work.unprovable?.()) ?? null) : { evidence: earlier.evidence, candidates: [] };
  if (doubt !== null) {
    await intents.inDoubt(earlier.id, doubt.evidence, doubt.candidates);
    return { outcome: 'in-doubt', doubt: doubt.evidence };
  }
  await intents.refused(earlier.id, cause('not-there'));
  return null;
}

/** Adopts the entity that was found. Several are a doubt. @returns null when there is none */
async function adopted<Created>(
  context: AccountRecords,
  work: CreateOnce<Created>,
  earlier: Intent | null,
  found: readonly Created[],
): Promise<Applied | null> {
  const { intents } = context.store;
  const [only] = found;
  if (only === undefined) return null;
  const id = earlier?.id ?? (await intents.open(intentOf(context, work)));
  if (found.length === 1) {
    const made = show(work, only);
    await store(context, work, only, id, { how: 'adopted', evidence: cause('adopted', { made, by: null }) });
    return { outcome: 'noted', answer: `adopted ${made}`, adopted: made };
  }
  const doubt = cause('several-match', { found: found.map((one) => show(work, one)), sent: earlier !== null });
  // The names by which an operator may choose them.
  const ids = found.map((one) => String(work.idOf(one)));
  await intents.inDoubt(id, doubt, ids);
  return { outcome: 'in-doubt', doubt };
}

/** The answer was a success, but not in the documented shape. */
function isTaken({ kind, status, outcome }: CallFailure): boolean {
  return kind === 'invalid-answer' && outcome === 'unknown' && status !== null && status < 300;
}

/** Entities without an id of ours, each of which may be the created one. */
export function similarEntities(what: string, ids: readonly string[]): Unprovable | null {
  if (ids.length === 0) return null;
  return { evidence: cause('look-alikes', { what, found: [...ids] }), candidates: ids };
}

function intentOf<Created>({ account }: AccountRecords, { intent }: CreateOnce<Created>): NewIntent {
  return { externalId: intent.key, ...intent, account };
}

function show<Created>({ intent, idOf }: CreateOnce<Created>, created: Created): string {
  return `${intentKind(intent.kind).makes} ${idOf(created)}`;
}

/** null for an entity that has no mapping. */
function linkOf<Created>(
  { account }: AccountRecords,
  work: CreateOnce<Created>,
  created: Created,
  how: string,
): Link | null {
  const { kind, key } = work.intent;
  const { links } = intentKind(kind);
  const ids = linkedIds(kind, { key, madeId: String(work.idOf(created)) });
  return links === null ? null : { account, kind: links, ...ids, how };
}

/**
 * A request that has not left has no effect. One that timed out may still be applied for twice the client's time-out. A date
 * later than now counts as now until it is set right (`store/sql/clock-set-back.ts`).
 */
function settleLeftMs<Created>(
  { config, now }: AccountRecords,
  { intent }: CreateOnce<Created>,
  leftAtMs: number | null,
): number {
  const settleMs = 2 * config[intentKind(intent.kind).madeOn].timeoutMs;
  return leftAtMs === null ? 0 : Math.min(settleMs, settleMs - (now() - leftAtMs));
}
