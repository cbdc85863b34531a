import { Decimal } from '../../domain/decimal.ts';
import type { Shift } from '../../domain/drift.ts';
import type { Drift, DriftStore } from '../stock.ts';
import type { Queryable } from './database.ts';
import { and, desc, eq, gte, isNotNull, isNull, lt, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, insertInto } from './queries.ts';
import { drifts } from './tables/record.ts';

type DriftRow = typeof drifts.$inferSelect;

export interface SeenDrift {
  readonly account: string;
  readonly listingId: number;
  readonly tick: number;
  readonly foretold: Shift;
  readonly shown: Shift;
  readonly certain: boolean;
}

const KEPT = 1_000;
/** The moves of one listing, between two reads of the orders; the newest. */
const MOVES_KEPT = 8;

const findOpen = built((db) => {
  const { account, listingId, kind } = drifts;
  const where = and(eq(account, sql.placeholder('account')), eq(listingId, sql.placeholder('listingId')), isNull(kind));
  return db.select().from(drifts).where(where).prepare();
});
const insertDrift = insertInto(drifts);

/**
 * Notes, in the caller's transaction, that a listing shows other figures than foretold; adds to the drift that is not judged
 * yet.
 */
export function noteDrift(tx: Queryable, seen: SeenDrift, nowMs: number): void {
  const { account, listingId, tick, foretold, shown, certain } = seen;
  const quantity = shown.quantity.minus(foretold.quantity);
  const reserved = shown.reserved.minus(foretold.reserved);
  if (quantity.isZero() && reserved.isZero()) return;
  const before = findOpen(tx).get({ account, listingId });
  const row = {
    account,
    listingId,
    tick,
    quantity: quantity.plus(before?.quantity ?? 0).toFixed(),
    reserved: reserved.plus(before?.reserved ?? 0).toFixed(),
    shownQuantity: shown.quantity.toFixed(),
    shownReserved: shown.reserved.toFixed(),
    // Doubt that came since is about the moves, which are kept.
    certain: before?.certain ?? certain,
    seenAtMs: nowMs,
  };
  if (before === undefined) insertDrift(tx, { ...row, moves: '[]', kind: null, note: '' });
  else tx.update(drifts).set(row).where(eq(drifts.id, before.id)).run();
}

/**
 * An order that became known may be what an open difference comes from.
 * @param doubtful whether it moved the figures by as much is not sure
 */
export function noteMove(
  tx: Queryable,
  account: string,
  listingId: number,
  { shift, doubtful }: { readonly shift: Shift; readonly doubtful: boolean },
): void {
  if (shift.quantity.isZero() && shift.reserved.isZero()) return;
  const open = findOpen(tx).get({ account, listingId });
  if (open === undefined) return;
  const moves = [...movesOf(open), shift].slice(-MOVES_KEPT);
  const texts = moves.map(({ quantity, reserved }) => [quantity.toFixed(), reserved.toFixed()]);
  tx.update(drifts)
    .set({ moves: JSON.stringify(texts), certain: open.certain && !doubtful })
    .where(eq(drifts.id, open.id))
    .run();
}

export const driftReads = {
  open({ db }, account, listingId) {
    const row = findOpen(db).get({ account, listingId });
    return row === undefined ? null : toDrift(row);
  },

  ofListing({ db }, account, listingId, limit) {
    const where = and(eq(drifts.account, account), eq(drifts.listingId, listingId), isNotNull(drifts.kind));
    return db.select().from(drifts).where(where).orderBy(desc(drifts.id)).limit(limit).all().map(toDrift);
  },

  counts({ db }, account, sinceMs) {
    const where = and(eq(drifts.account, account), isNotNull(drifts.kind), gte(drifts.seenAtMs, sinceMs));
    const rows = db
      .select({ kind: drifts.kind, count: sql<number>`count(*)` })
      .from(drifts)
      .where(where)
      .groupBy(drifts.kind)
      .all();
    return rows.flatMap(({ kind, count }) => (kind === null ? [] : [{ kind, count }]));
  },
} satisfies Reads<DriftStore>;

export const driftWrites = {
  judge({ tx, nowMs }, id, kind, note) {
    if (kind === null) tx.delete(drifts).where(eq(drifts.id, id)).run();
    else tx.update(drifts).set({ kind, note, seenAtMs: nowMs }).where(eq(drifts.id, id)).run();
  },

  prune({ tx }) {
    const oldest = tx.select({ id: drifts.id }).from(drifts).orderBy(desc(drifts.id)).limit(1).offset(KEPT).get();
    if (oldest !== undefined)
      tx.delete(drifts)
        .where(and(lt(drifts.id, oldest.id + 1), isNotNull(drifts.kind)))
        .run();
  },
} satisfies Writes<DriftStore>;

function movesOf(row: DriftRow): Shift[] {
  return (JSON.parse(row.moves) as [string, string][]).map(([quantity, reserved]) => shiftOf(quantity, reserved));
}

function shiftOf(quantity: string, reserved: string): Shift {
  return { quantity: new Decimal(quantity), reserved: new Decimal(reserved) };
}

function toDrift(row: DriftRow): Drift {
  return {
    id: row.id,
    listingId: row.listingId,
    tick: row.tick,
    difference: shiftOf(row.quantity, row.reserved),
    shown: shiftOf(row.shownQuantity, row.shownReserved),
    certain: row.certain,
    moves: movesOf(row),
    kind: row.kind,
    note: row.note,
    seenAtMs: row.seenAtMs,
  };
}
