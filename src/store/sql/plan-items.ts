import type { WorkKey } from '../work.ts';
import type { Queryable } from './database.ts';
import { eq, inArray } from './orm.ts';
import { rowsBy } from './queries.ts';
import { brakeItems, brakePlans } from './tables/record.ts';

const itemsOfKey = rowsBy(brakeItems, ['account', 'flow', 'key']);

/** Removes the key from all plans, because nothing is to be written for it. */
export function leavePlans(tx: Queryable, key: WorkKey): void {
  const ids = itemsOfKey(tx, key).map(({ id }) => id);
  if (ids.length > 0) removeItems(tx, ids);
}

/** Deletes items, and plans that are empty then, in the caller's transaction. */
export function removeItems(tx: Queryable, ids: readonly number[]): void {
  const gone = tx
    .delete(brakeItems)
    .where(inArray(brakeItems.id, [...ids]))
    .returning()
    .all();
  dropEmptyPlans(
    tx,
    gone.map(({ planId }) => planId),
  );
}

export function dropEmptyPlans(tx: Queryable, ids: Iterable<number>): void {
  for (const id of new Set(ids)) {
    const [left] = tx.select({ id: brakeItems.id }).from(brakeItems).where(eq(brakeItems.planId, id)).limit(1).all();
    if (left === undefined) tx.delete(brakePlans).where(eq(brakePlans.id, id)).run();
  }
}
