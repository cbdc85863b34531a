import { decimalOf, figureOf } from '../../domain/decimal.ts';
import { placeOf } from '../../domain/facility-ledger.ts';
import type { Reconcile, ReconcileStore } from '../intents.ts';
import { desc, eq, getTableColumns } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { matching, selecting } from './queries.ts';
import { intents, reconciles } from './tables/work.ts';

export const KIND = 'facility-stock';
/**
 * More than the commands that a product ever has under way. The last command of each place shows which places failed.
 */
const SHOWN = 1_000;

export const reconcileReads = {
  latest({ db }, account, key) {
    const byPlace = Map.groupBy(
      findReconciles(db).all({ account, kind: KIND, key }).map(toReconcile),
      ({ place }) => place,
    );
    return [...byPlace.values()].flatMap((all) => {
      const [newest] = all;
      return newest === undefined ? [] : { ...newest, failures: failuresInARow(newest, all) };
    });
  },
} satisfies Reads<ReconcileStore>;

export const reconcileWrites = {
  open({ tx, nowMs }, { account, key, toQuantity, reserved, ...place }) {
    const externalId = placeOf(place.facilityId, place.batchId);
    const { id } = tx
      .insert(intents)
      .values({ account, kind: KIND, key, externalId, state: 'open', sentAtMs: nowMs })
      .returning({ id: intents.id })
      .get();
    const wanted = { toQuantity: toQuantity.toFixed(), reserved: reserved.toFixed() };
    tx.insert(reconciles)
      .values({ intentId: id, ...place, ...wanted, lookedAtMs: nowMs })
      .run();
    return id;
  },

  accepted({ tx }, intentId, commandId) {
    tx.update(reconciles).set({ commandId }).where(eq(reconciles.intentId, intentId)).run();
  },

  lookedAt({ tx, nowMs }, intentId, doubt) {
    tx.update(reconciles).set({ lookedAtMs: nowMs }).where(eq(reconciles.intentId, intentId)).run();
    if (doubt === null) return;
    tx.update(intents).set({ state: 'in-doubt', evidence: doubt }).where(eq(intents.id, intentId)).run();
  },

  settle({ tx, nowMs }, intentId, state, { evidence, failure = null }) {
    tx.update(intents).set({ state, evidence, settledAtMs: nowMs }).where(eq(intents.id, intentId)).run();
    tx.update(reconciles).set({ failure }).where(eq(reconciles.intentId, intentId)).run();
  },
} satisfies Writes<ReconcileStore>;

/** @param all the commands of one place, newest first */
function failuresInARow({ toQuantity }: Asked, all: readonly Asked[]): number {
  const other = all.findIndex(({ failure, toQuantity: to }) => failure === null || !to.equals(toQuantity));
  return other === -1 ? all.length : other;
}

type Asked = Omit<Reconcile, 'failures'>;

const { state, evidence, sentAtMs, settledAtMs } = intents;
const COLUMNS = { ...getTableColumns(reconciles), state, evidence, sentAtMs, settledAtMs };

export const findReconciles = selecting(COLUMNS, (db, fields) =>
  db
    .select(fields)
    .from(intents)
    .innerJoin(reconciles, eq(reconciles.intentId, intents.id))
    .where(matching(intents, 'account', 'kind', 'key'))
    .orderBy(desc(intents.id))
    .limit(SHOWN),
);

type Row = typeof reconciles.$inferSelect &
  Pick<typeof intents.$inferSelect, 'state' | 'evidence' | 'sentAtMs' | 'settledAtMs'>;

function toReconcile({ toQuantity, reserved, ...same }: Row): Asked {
  return {
    ...same,
    place: placeOf(same.facilityId, same.batchId),
    toQuantity: figureOf(toQuantity),
    reserved: decimalOf(reserved),
  };
}
