import { nameKey } from '../../domain/name.ts';
import type { Database, Queryable } from './database.ts';
import { entityMark } from './entity-marks.ts';
import { ordersBeside } from './erp-orders.ts';
import { intentKind, linkedIds } from './intent-kinds.ts';
import { candidatesOf, dropCreatePending, type Intent } from './intents.ts';
import { addActs } from './journal.ts';
import { followLinks } from './links.ts';
import { findByMarketplaceId, linkEntities } from './mappings.ts';
import { and, asc, eq, gt, inArray, ne } from './orm.ts';
import { insertInto, putInto, rowBy } from './queries.ts';
import { erpOrders } from './tables/erp.ts';
import { listingImages, names } from './tables/marketplace.ts';
import { journal } from './tables/record.ts';
import { intents, reconciles } from './tables/work.ts';
import { findWork, markWork, releaseWork, type WorkKey } from './work.ts';

/** The word of an operator on a write that can be neither confirmed nor denied. */
export interface Word {
  readonly by: string;
  /** A process works on this data now. */
  readonly isWorked: boolean;
}

/** It is not for an operator to say, or not in this way. */
export class NotInDoubt extends Error {
  override readonly name = 'NotInDoubt';
}

/** Somebody is at it right now. */
export class LookInProgress extends Error {
  override readonly name = 'LookInProgress';
}

const SHOWN = 1_000;
/** A call of ours has ended after this long, whatever its time-out is; so has what a lost request may still bring about. */
const CALL_ENDS_MS = 600_000;

const findIntent = rowBy(intents, 'id');
const findErpOrder = rowBy(erpOrders, 'account', 'id');
const putImage = putInto(listingImages, 'account', 'id');
const insertName = insertInto(names);
const findName = rowBy(names, 'account', 'kind', 'id');

/** What waits for an operator because it can be neither confirmed nor denied, and what he says of it. */
export function doubtStore(db: Database, now: () => number) {
  const decide = (intent: Intent, word: Word, apply: (tx: Queryable, row: Intent) => string): Promise<void> =>
    db.transaction((tx) => {
      const row = requireDoubt(tx, intent.id, word, now());
      const after = apply(tx, row);
      const key = workKeyOf(tx, row);
      const target = `${row.kind} ${row.key}, begun as ${row.id}`;
      const act = { ...key, action: 'job.resolve', target, before: evidenceOf(row), after, by: word.by };
      addActs(tx, [act], now());
      lookAgain(tx, row, key, now());
    });
  const settle = (tx: Queryable, id: number, set: Partial<Intent>) =>
    tx
      .update(intents)
      .set({ settledAtMs: now(), ...set })
      .where(eq(intents.id, id))
      .run();

  return {
    async get(id: number): Promise<Intent | null> {
      return findIntent(db, { id }) ?? null;
    },

    /** In doubt, dropped, or not settled while its job is held or has failed; oldest first, at most 1,000. */
    async all(): Promise<Intent[]> {
      const found = db
        .select()
        .from(intents)
        .where(inArray(intents.state, ['open', 'in-doubt', 'dropped']))
        .orderBy(asc(intents.id))
        .limit(SHOWN)
        .all();
      return found.filter((row) => row.state !== 'open' || isStuck(db, row));
    },

    /**
     * What is named is what was made. Answers the ids of what else may have been it, and is left as it is.
     * @throws MappingConflict when it is linked to something else
     * @throws NotInDoubt @throws LookInProgress
     */
    async adopt(intent: Intent, madeId: string, word: Word): Promise<string[]> {
      let left: string[] = [];
      await decide(intent, word, (tx, row) => {
        const { links, makes } = intentKind(row.kind);
        left = leftBeside(tx, row, madeId);
        const adopted = `adopted ${makes} ${madeId}${left.length === 0 ? '' : `, and not ${left.join(', ')}`}`;
        if (links === null) {
          ADOPT_UNLINKED[row.kind as keyof typeof ADOPT_UNLINKED](tx, row, madeId, now());
          const evidence = `adopted ${makes} ${madeId}, by ${word.by}`;
          settle(
            tx,
            row.id,
            row.kind === 'facility-stock' ? { state: 'open', settledAtMs: null } : { state: 'applied', evidence },
          );
          return adopted;
        }
        const ids = linkedIds(row.kind, { key: row.key, madeId });
        const link = { account: row.account, kind: links, ...ids, how: 'operator' };
        linkEntities(tx, link, now());
        followLinks(tx, [link], word.by, now());
        return adopted;
      });
      return left;
    },

    /** Nothing was applied: the flow goes on. */
    async retry(intent: Intent, word: Word): Promise<void> {
      await decide(intent, word, (tx, row) => {
        requireSettled(row, now());
        settle(tx, row.id, { state: 'refused', evidence: `not applied, says ${word.by}; ${evidenceOf(row)}` });
        dropCreatePending(tx, row);
        return 'retry: nothing was applied';
      });
    },

    /** It is given up, until the entity changes. */
    async drop(intent: Intent, word: Word): Promise<void> {
      // Nothing was sent that could be held.
      if (intent.kind === 'unseen-sale') return this.retry(intent, word);
      await decide(intent, word, (tx, row) => {
        if (row.state === 'dropped')
          throw new NotInDoubt(`${row.kind} ${row.key} is dropped already (${row.evidence})`);
        requireSettled(row, now());
        const evidence = `dropped by ${word.by}, until it changes: ${evidenceOf(row)}`;
        settle(tx, row.id, { state: 'dropped', evidence, droppedAs: entityMark(tx, row) });
        dropCreatePending(tx, row);
        return 'dropped until it changes';
      });
    },
  };
}

/** Of the candidates, and of what the ERP shows by now, those that are still there. */
function leftBeside(tx: Queryable, row: Intent, madeId: string): string[] {
  const candidates = candidatesOf(row).filter((id) => id !== madeId);
  if (row.kind !== 'order-in') return candidates;
  const { account, key: marketplaceId } = row;
  const shown = ordersBeside(tx, account, { marketplaceId, erpId: madeId }).map(({ id }) => id);
  const there = candidates.filter((id) => findErpOrder(tx, { account, id })?.status !== 'cancelled');
  return [...new Set([...there, ...shown])];
}

function evidenceOf({ evidence }: Intent): string {
  return evidence === '' ? 'its answer was lost' : evidence;
}

/** Nobody looks up any more what became of the write: its job failed, or something else holds it before it comes to that. */
function isStuck(tx: Pick<Queryable, 'select'>, row: Intent): boolean {
  const state = findWork(tx, workKeyOf(tx, row))?.state;
  return state === 'failed' || state === 'held';
}

/** @throws NotInDoubt while a request whose answer was lost may still be applied */
function requireSettled({ state, kind, key, sentAtMs }: Intent, nowMs: number): void {
  if (state !== 'open' || Math.abs(nowMs - sentAtMs) > CALL_ENDS_MS) return;
  const whenText = new Date(sentAtMs + CALL_ENDS_MS).toISOString();
  throw new NotInDoubt(`what was sent for ${kind} ${key} may still be applied: say so again after ${whenText}`);
}

/** @throws NotInDoubt @throws LookInProgress */
function requireDoubt(tx: Queryable, id: number, { isWorked }: Word, nowMs: number): Intent {
  const row = findIntent(tx, { id });
  if (row === undefined) throw new NotInDoubt(`nothing was begun as ${id}`);
  const what = `${row.kind} ${row.key}`;
  if (row.state === 'applied') throw new NotInDoubt(`${what} is settled: it was applied (${row.evidence})`);
  if (row.state === 'refused') throw new NotInDoubt(`${what} is settled: it was not applied (${row.evidence})`);
  if (row.state === 'open' && !isStuck(tx, row)) {
    throw new NotInDoubt(
      `${what} is not in doubt yet: the daemon or "stockbridge sync" looks up by itself what became of it`,
    );
  }
  if (isWorked && isBeingWritten(tx, workKeyOf(tx, row), nowMs)) {
    throw new LookInProgress(`the daemon is at ${what} right now: try again in a moment. Nothing was changed`);
  }
  return row;
}

/** What is written is on record before it is sent, and until it is answered. */
function isBeingWritten(tx: Queryable, { account, flow, key }: WorkKey, nowMs: number): boolean {
  const isIt = and(eq(journal.account, account), eq(journal.flow, flow), eq(journal.key, key));
  const where = and(isIt, eq(journal.outcome, 'sent'), gt(journal.atMs, nowMs - CALL_ENDS_MS));
  return tx.select({ id: journal.id }).from(journal).where(where).limit(1).get() !== undefined;
}

/** The key under which its flow looks at it. */
function workKeyOf(tx: Pick<Queryable, 'select'>, { account, kind, key }: Intent): WorkKey {
  const { flow } = intentKind(kind);
  if (kind !== 'image') return { account, flow, key };
  const [marketplaceId = ''] = key.split('/');
  return { account, flow, key: findByMarketplaceId(tx, { account, kind: 'product', marketplaceId })?.erpId ?? key };
}

/** What waited for it waits no longer: its own key, and others such as the orders of a customer. */
function lookAgain(tx: Queryable, { account, kind }: Intent, key: WorkKey, nowMs: number): void {
  if (kind !== 'product-line') markWork(tx, key, 'operator', 'an operator resolved what was in doubt', nowMs);
  for (const reasonPrefix of ['in doubt: ', 'dropped by ']) releaseWork(tx, { account, reasonPrefix });
}

type Adopt = (tx: Queryable, row: Intent, madeId: string, nowMs: number) => void;

/** Of what is linked to nothing, it is remembered that it is there. */
const ADOPT_UNLINKED: Readonly<
  Record<'product-line' | 'image' | 'facility-stock' | 'transition' | 'unseen-sale', Adopt>
> = {
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
    const where = and(eq(listingImages.account, account), eq(listingImages.id, Number(madeId)));
    const found = tx
      .select()
      .from(listingImages)
      .where(and(where, ne(listingImages.listingId, Number(listingId))))
      .get();
    if (found !== undefined) throw new NotInDoubt(`image ${madeId} is one of listing ${found.listingId}`);
    const at = { listingId: Number(listingId), position: Number(position) };
    putImage(tx, { account, id: Number(madeId), ...at, hash });
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
  'unseen-sale': () => {
    throw new NotInDoubt(
      'the order that took it is not known, and is linked by itself once it shows: --retry, or --drop',
    );
  },
  transition: () => {
    throw new NotInDoubt('a transition makes nothing that could be adopted: --retry, or --drop');
  },
};
