import { type Cause, cause } from '../../domain/causes/cause.ts';
import { CallFailure } from '../../domain/failure.ts';
import type { SentBase } from '../../domain/order-base.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { intentKind, linkedIds } from '../../store/intent-kinds.ts';
import type { Intent, NewIntent, ShownErpOrder } from '../../store/intents.ts';
import type { Link } from '../../store/links.ts';
import { runAfterWrite } from './after-write.ts';
import type { Applied } from './flow.ts';
import { isNotApplied } from './not-applied.ts';

interface Unprovable {
  readonly evidence: Cause;
  readonly candidates: readonly string[];
}

/**
 * A create on a system without idempotency keys. The intent's kind determines the side, the name in messages and the
 * link (`store/intent-kinds.ts`).
 */
export interface CreateOnce<Created> {
  /** `externalId` defaults to the key of the look. */
  readonly intent: Pick<NewIntent, 'kind' | 'key' | 'sent'> & Partial<Pick<NewIntent, 'externalId'>>;
  /** Finds the entity of an earlier attempt. Several matches are a doubt. */
  readonly find: () => Promise<readonly Created[]>;
  /** A further search, used after the settle time if `find` found nothing. */
  readonly findOtherwise?: () => Promise<readonly Created[]>;
  /** Why an empty result of `find` does not prove absence, so that an operator decides. null: it proves it. */
  readonly unprovable?: () => Promise<Unprovable | null>;
  /**
   * null: the entity is no longer wanted. An earlier attempt is settled, and no new one is made.
   * @param sending must be called right before the request is sent, unless `leaving` is given; until then nothing was
   * sent
   */
  readonly create: ((sending: () => Promise<void>) => Promise<Created>) | null;
  /** For order requests, which are sent right after the intent is committed: the content to store with the intent. */
  readonly leaving?: () => SentBase;
  /** Stores the created entity in the shadow, before the intent is settled. */
  readonly record?: (created: Created) => Promise<void>;
  /** The ERP order, stored in one transaction with the intent. */
  readonly shown?: (created: Created) => ShownErpOrder;
  readonly idOf: (created: Created) => string | number;
  /** Called after the link, only if this attempt created the entity. An earlier attempt may have sent other values. */
  readonly remember?: (created: Created) => Promise<void>;
  /** Search even without a known attempt. If a search is cheap, this also repairs a lost database. */
  readonly alwaysFind: boolean;
  /** The other side refuses a second entity with the same reference, so a late request is harmless. */
  readonly isUnique?: () => Promise<boolean>;
}

/**
 * Commits the intent, calls, then commits the answer. If an open intent exists, the entity is looked up and adopted.
 * "Not found" counts only for a search that began after the settle time, because a late request may still be applied.
 * @throws CallFailure if it was certainly not applied, or nothing could be looked up
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
    await runAfterWrite(answer, async () => {
      // The next look searches for the entity. If it finds none, the create is in doubt and is not repeated.
      await intents.taken(id, cause('made-and-not-found', { answer: `${answer} was made` }));
      throw error;
    });
  }
  return { outcome: 'written', answer };
}

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

/**
 * Settles an earlier attempt.
 * @returns null: the entity certainly does not exist, so the caller creates it
 */
async function settle<Created>(
  context: AccountRecords,
  work: CreateOnce<Created>,
  earlier: Intent | null,
): Promise<Applied | null> {
  const { intents } = context.store;
  // A search before the end of the settle time may miss a late request.
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

/**
 * Adopts the found entity. Several are a doubt.
 * @returns null: none was found
 */
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
  // An operator chooses by these ids.
  const ids = found.map((one) => String(work.idOf(one)));
  await intents.inDoubt(id, doubt, ids);
  return { outcome: 'in-doubt', doubt };
}

/** Returns whether the answer was a success in an undocumented shape. */
function isTaken({ kind, status, outcome }: CallFailure): boolean {
  return kind === 'invalid-answer' && outcome === 'unknown' && status !== null && status < 300;
}

/** Entities without our id, any of which may be the created one. */
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

/** null: this kind of entity is not linked. */
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
 * An unsent request has no effect. A timed-out one may still be applied for twice the client's time-out. A time in the
 * future is treated as now until it is corrected (`store/sql/clock-set-back.ts`).
 */
function settleLeftMs<Created>(
  { config, now }: AccountRecords,
  { intent }: CreateOnce<Created>,
  leftAtMs: number | null,
): number {
  const settleMs = 2 * config[intentKind(intent.kind).madeOn].timeoutMs;
  return leftAtMs === null ? 0 : Math.min(settleMs, settleMs - (now() - leftAtMs));
}
