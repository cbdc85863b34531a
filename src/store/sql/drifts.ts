import { decimalOf } from '../../domain/decimal.ts';
import type { Shift } from '../../domain/drift.ts';
import type { OpenDrift } from '../../domain/shadow/open-drift.ts';
import type { Drift, DriftStore } from '../stock.ts';
import type { Queryable, Readable } from './database.ts';
import { and, desc, eq, getTableColumns, gte, isNotNull, isNull, lte } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { countsBy, deleteWhere, insertCounted, matching, rowsWhere, selecting } from './queries.ts';
import { drifts } from './tables/record.ts';

type DriftRow = typeof drifts.$inferSelect;

const KEPT = 1_000;
export const findOpenDrift = selecting(getTableColumns(drifts), (db, fields) => {
  const where = and(matching(drifts, 'account', 'listingId'), isNull(drifts.kind));
  return db.select(fields).from(drifts).where(where);
});
const insertDrift = insertCounted(drifts);

export function openDrift(db: Readable, account: string, listingId: number): Drift | null {
  const row = findOpenDrift(db).get({ account, listingId });
  return row === undefined ? null : toDrift(row);
}

export function saveDrift(
  tx: Queryable,
  of: Pick<DriftRow, 'account' | 'listingId'>,
  open: Drift | null,
  { difference, shown, moves, ...drift }: OpenDrift,
): void {
  const row = {
    tick: drift.tick,
    quantity: difference.quantity.toFixed(),
    reserved: difference.reserved.toFixed(),
    shownQuantity: shown.quantity.toFixed(),
    shownReserved: shown.reserved.toFixed(),
    moves: JSON.stringify(moves.map(({ quantity, reserved }) => [quantity.toFixed(), reserved.toFixed()])),
    certain: drift.certain,
    seenAtMs: drift.seenAtMs,
  };
  if (open === null) insertDrift(tx, { ...of, ...row, kind: null, note: '' });
  else tx.update(drifts).set(row).where(eq(drifts.id, open.id)).run();
}

export const driftReads = {
  open({ db }, account, listingId) {
    return openDrift(db, account, listingId);
  },

  ofListing({ db }, account, listingId, limit) {
    const where = and(eq(drifts.account, account), eq(drifts.listingId, listingId), isNotNull(drifts.kind));
    return rowsWhere(db, drifts, where, { order: [desc(drifts.id)], limit }).map(toDrift);
  },

  counts({ db }, account, sinceMs) {
    const where = and(eq(drifts.account, account), isNotNull(drifts.kind), gte(drifts.seenAtMs, sinceMs));
    const counts = countsBy(db, drifts, { kind: drifts.kind }, where);
    return counts.flatMap(({ kind, count }) => (kind === null ? [] : [{ kind, count }]));
  },
} satisfies Reads<DriftStore>;

export const driftWrites = {
  judge({ tx, nowMs }, id, kind, note) {
    if (kind === null) tx.delete(drifts).where(eq(drifts.id, id)).run();
    else tx.update(drifts).set({ kind, note, seenAtMs: nowMs }).where(eq(drifts.id, id)).run();
  },

  prune({ tx }) {
    const oldest = tx.select({ id: drifts.id }).from(drifts).orderBy(desc(drifts.id)).limit(1).offset(KEPT).get();
    if (oldest !== undefined) deleteWhere(tx, drifts, and(lte(drifts.id, oldest.id), isNotNull(drifts.kind)));
  },
} satisfies Writes<DriftStore>;

function shiftOf(quantity: string, reserved: string): Shift {
  return { quantity: decimalOf(quantity), reserved: decimalOf(reserved) };
}

function toDrift(row: DriftRow): Drift {
  return {
    id: row.id,
    listingId: row.listingId,
    tick: row.tick,
    difference: shiftOf(row.quantity, row.reserved),
    shown: shiftOf(row.shownQuantity, row.shownReserved),
    certain: row.certain,
    moves: (JSON.parse(row.moves) as [string, string][]).map(([quantity, reserved]) => shiftOf(quantity, reserved)),
    kind: row.kind,
    note: row.note,
    seenAtMs: row.seenAtMs,
  };
}
