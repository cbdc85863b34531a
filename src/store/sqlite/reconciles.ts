import { Decimal } from '../../domain/decimal.ts';
import { type Place, placeOf } from '../../domain/facility-ledger.ts';
import type { Database } from './database.ts';
import { and, desc, eq, sql } from './orm.ts';
import { built } from './queries.ts';
import { intents, reconciles } from './tables/work.ts';

/** A reconcile that is about to be sent. `key` is the ERP's product id. */
export interface NewReconcile {
  readonly account: string;
  readonly key: string;
  readonly listingId: number;
  readonly facilityId: number;
  readonly batchId: number;
  readonly toQuantity: Decimal;
  readonly reserved: Decimal;
}

/** A reconcile that was sent, or may have been. */
export interface Reconcile extends Omit<NewReconcile, 'account' | 'key'> {
  readonly intentId: number;
  readonly place: Place;
  readonly state: (typeof intents.$inferSelect)['state'];
  readonly evidence: string;
  readonly sentAtMs: number;
  readonly settledAtMs: number | null;
  /** null: its answer is outstanding, or was lost. */
  readonly commandId: number | null;
  readonly lookedAtMs: number;
  /** What the marketplace said when it failed. */
  readonly failure: string | null;
}

const KIND = 'facility-stock';
/** Of a product, more than these are never on their way; the last of each place are needed to know what failed. */
const SHOWN = 1_000;

/** Inventory commands: each is an intent, with what it asks for beside it. */
export function reconcileStore(db: Database, now: () => number) {
  return {
    /** Committed before the command is sent; answers the id of its intent. */
    async open({ account, key, toQuantity, reserved, ...place }: NewReconcile): Promise<number> {
      return db.transaction((tx) => {
        const externalId = placeOf(place.facilityId, place.batchId);
        const { id } = tx
          .insert(intents)
          .values({ account, kind: KIND, key, externalId, state: 'open', sentAtMs: now() })
          .returning({ id: intents.id })
          .get();
        const wanted = { toQuantity: toQuantity.toFixed(), reserved: reserved.toFixed() };
        tx.insert(reconciles)
          .values({ intentId: id, ...place, ...wanted, lookedAtMs: now() })
          .run();
        return id;
      });
    },

    /** The marketplace took it, and gave it this number. */
    async accepted(intentId: number, commandId: number): Promise<void> {
      await db.transaction((tx) =>
        tx.update(reconciles).set({ commandId }).where(eq(reconciles.intentId, intentId)).run(),
      );
    },

    /** It was looked for, and it cannot be told yet what became of it; `doubt` says why an operator should know. */
    async lookedAt(intentId: number, doubt: string | null): Promise<void> {
      await db.transaction((tx) => {
        tx.update(reconciles).set({ lookedAtMs: now() }).where(eq(reconciles.intentId, intentId)).run();
        if (doubt === null) return;
        tx.update(intents).set({ state: 'in-doubt', evidence: doubt }).where(eq(intents.id, intentId)).run();
      });
    },

    async settle(
      intentId: number,
      state: 'applied' | 'refused',
      { evidence, failure = null }: { evidence: string; failure?: string | null },
    ): Promise<void> {
      await db.transaction((tx) => {
        tx.update(intents).set({ state, evidence, settledAtMs: now() }).where(eq(intents.id, intentId)).run();
        tx.update(reconciles).set({ failure }).where(eq(reconciles.intentId, intentId)).run();
      });
    },

    /** The newest of each facility and batch of a product. */
    async latest(account: string, key: string): Promise<Reconcile[]> {
      const newest = new Map<Place, Reconcile>();
      for (const { intent, asked } of listOf(db).all({ account, key })) {
        const found = toReconcile(intent, asked);
        if (!newest.has(found.place)) newest.set(found.place, found);
      }
      return [...newest.values()];
    },
  };
}

const listOf = built((db) => {
  const { account, kind, key } = intents;
  const [ofAccount, ofKey] = [eq(account, sql.placeholder('account')), eq(key, sql.placeholder('key'))];
  return db
    .select({ intent: intents, asked: reconciles })
    .from(intents)
    .innerJoin(reconciles, eq(reconciles.intentId, intents.id))
    .where(and(ofAccount, eq(kind, KIND), ofKey))
    .orderBy(desc(intents.id))
    .limit(SHOWN)
    .prepare();
});

function toReconcile(intent: typeof intents.$inferSelect, asked: typeof reconciles.$inferSelect): Reconcile {
  const { toQuantity, reserved, ...same } = asked;
  const { state, evidence, sentAtMs, settledAtMs } = intent;
  return {
    ...same,
    place: placeOf(asked.facilityId, asked.batchId),
    toQuantity: new Decimal(toQuantity),
    reserved: new Decimal(reserved),
    state,
    evidence,
    sentAtMs,
    settledAtMs,
  };
}
