import { type Code, cause, sentenceOf } from '../../domain/causes/cause.ts';
import { DOUBT_CODES } from '../../domain/causes/creates.ts';
import type { AnyCause } from '../../domain/causes/entry.ts';
import { nameKey } from '../../domain/name.ts';
import { intentKind, linkedIds, namelessBecause, type UnlinkedKind } from '../intent-kinds.ts';
import {
  candidatesOf,
  type DecisionContext,
  type DoubtStore,
  type Intent,
  NotInDoubt,
  WorkInProgress,
} from '../intents.ts';
import type { WorkKey } from '../work.ts';
import { isHeld } from '../work.ts';
import type { Queryable, Readable } from './database.ts';
import { entityMark } from './entity-marks.ts';
import { findErpOrder, otherErpOrders } from './erp-orders.ts';
import { putListingImage } from './images.ts';
import { dropCreatePending, findIntent } from './intents.ts';
import { addActs } from './journal.ts';
import { followLinks } from './links.ts';
import { findByMarketplaceId, linkEntities } from './mappings.ts';
import { and, asc, eq, gt, inArray, ne } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { insertInto, rowBy, rowsWhere, updateWhere } from './queries.ts';
import { releaseWaiting } from './relook.ts';
import { listingImages, names } from './tables/marketplace.ts';
import { journal } from './tables/record.ts';
import { intents, reconciles } from './tables/work.ts';
import { endHolds, findWork, isWork, markWork, releaseWork } from './work.ts';

const AT_ONCE = 1_000;
/** By this time every call has ended and a lost request has no effect any more. No timeout is longer. */
const CALL_ENDS_MS = 600_000;

const insertName = insertInto(names);
const findName = rowBy(names, 'account', 'kind', 'id');

function decide(
  tx: Queryable,
  intent: Intent,
  word: DecisionContext,
  nowMs: number,
  apply: (row: Intent) => string,
): void {
  const row = requireDoubt(tx, intent.id, word, nowMs);
  const after = apply(row);
  const key = workKeyOf(tx, row);
  const target = `${row.kind} ${row.key}, begun as ${row.id}`;
  const act = { ...key, action: 'job.resolve', target, before: evidenceOf(row), after, by: word.by };
  addActs(tx, [act], nowMs);
  lookAgain(tx, row, key, nowMs);
}

function settle(tx: Queryable, id: number, nowMs: number, set: Partial<Intent>): void {
  updateWhere(tx, intents, { settledAtMs: nowMs, ...set }, eq(intents.id, id));
}

function unsettledAfter(db: Readable, id: number): Intent[] {
  const isUnsettled = and(inArray(intents.state, ['open', 'in-doubt', 'dropped']), gt(intents.id, id));
  return rowsWhere(db, intents, isUnsettled, { order: [asc(intents.id)], limit: AT_ONCE });
}

export const doubtReads = {
  get({ db }, id) {
    return findIntent(db, { id }) ?? null;
  },

  after({ db }, id, limit) {
    const found: Intent[] = [];
    let page = unsettledAfter(db, id);
    for (let last = page.at(-1); last !== undefined && found.length < limit; last = page.at(-1)) {
      found.push(...page.filter((row) => row.state !== 'open' || isStuck(db, row)));
      page = unsettledAfter(db, last.id);
    }
    return found.slice(0, limit);
  },
} satisfies Reads<DoubtStore>;

export const doubtWrites = {
  adopt({ tx, nowMs }, intent, madeId, word) {
    let otherCandidates: string[] = [];
    const nameless = namelessBecause(intent.kind);
    if (nameless !== null) throw new NotInDoubt(`${nameless}: have it tried again, or drop it`);
    decide(tx, intent, word, nowMs, (row) => {
      const { links, makes } = intentKind(row.kind);
      otherCandidates = leftBeside(tx, row, madeId);
      const adopted = `adopted ${makes} ${madeId}${otherCandidates.length === 0 ? '' : `, and not ${otherCandidates.join(', ')}`}`;
      if (links === null) {
        ADOPT_UNLINKED[row.kind as UnlinkedKind](tx, row, madeId, nowMs);
        const evidence = cause('adopted', { made: `${makes} ${madeId}`, by: word.by });
        const isOpen = row.kind === 'facility-stock';
        settle(tx, row.id, nowMs, isOpen ? { state: 'open', settledAtMs: null } : { state: 'applied', evidence });
        return adopted;
      }
      const ids = linkedIds(row.kind, { key: row.key, madeId });
      const link = { account: row.account, kind: links, ...ids, how: 'operator' };
      linkEntities(tx, link, nowMs);
      followLinks(tx, [link], word.by, nowMs);
      return adopted;
    });
    return otherCandidates;
  },

  retry({ tx, nowMs }, intent, word) {
    notApplied(tx, intent, word, nowMs);
  },

  drop({ tx, nowMs }, intent, word) {
    // An unseen sale is not a write, so there is nothing to drop.
    if (intent.kind === 'unseen-sale') return notApplied(tx, intent, word, nowMs);
    decide(tx, intent, word, nowMs, (row) => {
      if (row.state === 'dropped')
        throw new NotInDoubt(`${row.kind} ${row.key} is dropped already (${evidenceOf(row)})`);
      requireSettled(row, nowMs);
      const evidence = cause('given-up', { by: word.by, doubt: doubtOf(row) });
      settle(tx, row.id, nowMs, { state: 'dropped', evidence, droppedAs: entityMark(tx, row) });
      dropCreatePending(tx, row);
      return 'dropped until it changes';
    });
  },
} satisfies Writes<DoubtStore>;

function notApplied(tx: Queryable, intent: Intent, word: DecisionContext, nowMs: number): void {
  decide(tx, intent, word, nowMs, (row) => {
    requireSettled(row, nowMs);
    const evidence = cause('not-applied-says', { by: word.by, doubt: doubtOf(row) });
    settle(tx, row.id, nowMs, { state: 'refused', evidence });
    dropCreatePending(tx, row);
    return 'retry: nothing was applied';
  });
}

/** The other candidates that still exist, and further orders that the ERP has shown since. */
function leftBeside(tx: Queryable, row: Intent, madeId: string): string[] {
  const candidates = candidatesOf(row).filter((id) => id !== madeId);
  if (row.kind !== 'order-in') return candidates;
  const { account, key: marketplaceId } = row;
  const orderIds = otherErpOrders(tx, account, { marketplaceId, erpId: madeId }).map(({ id }) => id);
  const there = candidates.filter((id) => findErpOrder(tx, { account, id })?.status !== 'cancelled');
  return [...new Set([...there, ...orderIds])];
}

function evidenceOf({ evidence }: Intent): string {
  return evidence === null ? 'its answer was lost' : sentenceOf(evidence);
}

/** The doubt of a write. A dropped write keeps the doubt for which it was dropped. */
function doubtOf({ evidence }: Intent): AnyCause | null {
  return evidence?.code === 'given-up' ? evidence.params.doubt : evidence;
}

/** Does no job look up the result any more? Its job has failed, or is held for an earlier reason. */
function isStuck(tx: Readable, row: Intent): boolean {
  const workRow = findWork(tx, workKeyOf(tx, row));
  return workRow !== undefined && (workRow.state === 'failed' || isHeld(workRow));
}

/** @throws NotInDoubt while a request with a lost answer may still be applied */
function requireSettled({ state, kind, key, sentAtMs }: Intent, nowMs: number): void {
  if (state !== 'open' || Math.abs(nowMs - sentAtMs) > CALL_ENDS_MS) return;
  const whenText = new Date(sentAtMs + CALL_ENDS_MS).toISOString();
  throw new NotInDoubt(`what was sent for ${kind} ${key} may still be applied: say so again after ${whenText}`);
}

/** @throws NotInDoubt @throws WorkInProgress */
function requireDoubt(tx: Queryable, id: number, { isWorked }: DecisionContext, nowMs: number): Intent {
  const row = findIntent(tx, { id });
  if (row === undefined) throw new NotInDoubt(`nothing was begun as ${id}`);
  const what = `${row.kind} ${row.key}`;
  if (row.state === 'applied') throw new NotInDoubt(`${what} is settled: it was applied (${evidenceOf(row)})`);
  if (row.state === 'refused') throw new NotInDoubt(`${what} is settled: it was not applied (${evidenceOf(row)})`);
  if (row.state === 'open' && !isStuck(tx, row)) {
    throw new NotInDoubt(
      `${what} is not in doubt yet: the daemon or "stockbridge sync" looks up by itself what became of it`,
    );
  }
  if (isWorked && isBeingWritten(tx, workKeyOf(tx, row), nowMs)) {
    throw new WorkInProgress(`the daemon is at ${what} right now: try again in a moment. Nothing was changed`);
  }
  return row;
}

/** Is a write of the entity under way? Its journal entry is `sent` until the answer. */
function isBeingWritten(tx: Queryable, { account, flow, key }: WorkKey, nowMs: number): boolean {
  const isIt = and(eq(journal.account, account), eq(journal.flow, flow), eq(journal.key, key));
  const where = and(isIt, eq(journal.outcome, 'sent'), gt(journal.atMs, nowMs - CALL_ENDS_MS));
  return tx.select({ id: journal.id }).from(journal).where(where).limit(1).get() !== undefined;
}

function workKeyOf(tx: Readable, { account, kind, key }: Intent): WorkKey {
  const { flow } = intentKind(kind);
  if (kind !== 'image') return { account, flow, key };
  const [marketplaceId = ''] = key.split('/');
  return { account, flow, key: findByMarketplaceId(tx, { account, kind: 'product', marketplaceId })?.erpId ?? key };
}

/** Releases the keys that waited for the doubt: the entity's own and others, such as the orders of a customer. */
function lookAgain(tx: Queryable, { account, kind }: Intent, key: WorkKey, nowMs: number): void {
  if (kind !== 'product-line') markWork(tx, key, 'operator', 'an operator resolved what was in doubt', nowMs);
  endHolds(tx, IN_DOUBT, isWork(key));
  releaseWork(tx, { account, codes: IN_DOUBT });
  releaseWaiting(tx, account, [kind]);
}

/** An earlier version stored the evidence as text: `as-told`. */
const IN_DOUBT = [...Object.keys(DOUBT_CODES), 'as-told', 'customer-in-doubt'] as readonly Code[];

type Adopt = (tx: Queryable, row: Intent, madeId: string, nowMs: number) => void;

/** For kinds without links: records only that the entity exists. */
const ADOPT_UNLINKED: Readonly<Record<UnlinkedKind, Adopt>> = {
  'product-line': (tx, { account, key, externalId: name }, madeId) => {
    const [brandId] = key.split('/');
    const found = findName(tx, { account, kind: 'product_line', id: Number(madeId) });
    if (found !== undefined && found.nameKey !== nameKey(name)) {
      throw new NotInDoubt(`product line ${madeId} is called "${found.name}", and not "${name}"`);
    }
    if (found !== undefined) return;
    const row = { account, kind: 'product_line' as const, id: Number(madeId), name, nameKey: nameKey(name) };
    insertName(tx, { ...row, parentId: Number(brandId) });
  },
  image: (tx, { account, key, externalId: hash }, madeId) => {
    const [listingId, position] = key.split('/').map(Number);
    const isIt = and(eq(listingImages.account, account), eq(listingImages.id, Number(madeId)));
    const [found] = rowsWhere(tx, listingImages, and(isIt, ne(listingImages.listingId, Number(listingId))));
    if (found !== undefined) throw new NotInDoubt(`image ${madeId} is one of listing ${found.listingId}`);
    const at = { listingId: Number(listingId), position: Number(position) };
    putListingImage(tx, { account, id: Number(madeId), ...at, hash });
  },
  'facility-stock': (tx, { id, account }, madeId, nowMs) => {
    const taken = tx
      .select({ key: intents.key, place: intents.externalId })
      .from(reconciles)
      .innerJoin(intents, eq(intents.id, reconciles.intentId))
      .where(and(eq(intents.account, account), eq(reconciles.commandId, Number(madeId)), ne(intents.id, id)))
      .get();
    if (taken !== undefined) {
      throw new NotInDoubt(`command ${madeId} is that of facility/batch ${taken.place} of product ${taken.key}`);
    }
    const set = { commandId: Number(madeId), lookedAtMs: nowMs };
    tx.update(reconciles).set(set).where(eq(reconciles.intentId, id)).run();
  },
};
