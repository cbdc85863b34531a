import {
  isOlderAnswer,
  type Measurement,
  measuredBy,
  type RequestTime,
  withMeasurements,
} from '../../domain/shadow/measurements.ts';
import type { MeasurementStore, RecordMeasurements } from '../marketplace.ts';
import { findFact, putFact } from './cursors.ts';
import type { Queryable } from './database.ts';
import { dropInvalidRow, saveUnstored } from './invalid-rows.ts';
import { erpProductOf } from './listings.ts';
import { and, eq, isNotNull, lte, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { countOf, putInto, rowBy, rowsBy } from './queries.ts';
import { eachOf, storeRows, UNSTORED } from './row-by-row.ts';
import { measurements } from './tables/marketplace.ts';
import { intents, mappings, reconciles, work } from './tables/work.ts';
import { markDue } from './work.ts';

export const ALL_READ = 'measurements-read';

export const measurementReads = {
  get({ db }, account, listingId) {
    const all = findFact(db, { account, name: ALL_READ });
    const asked = all === undefined ? null : (JSON.parse(all.value) as RequestTime);
    return measuredBy(findMeasured(db, { account, listingId }), asked);
  },

  count({ db }, account) {
    const where = and(eq(measurements.account, account), sql`${measurements.rows} <> '[]'`);
    return countOf(db, measurements, where);
  },

  wanted({ db, nowMs }, account, limit) {
    const under = db
      .selectDistinct({ id: reconciles.listingId })
      .from(reconciles)
      .innerJoin(intents, eq(intents.id, reconciles.intentId))
      .where(and(eq(intents.account, account), sql`${intents.state} in ('open', 'in-doubt')`))
      .limit(limit)
      .all();
    const link = and(eq(mappings.account, account), eq(mappings.kind, 'product'), eq(mappings.erpId, work.key));
    const isDue = and(eq(work.state, 'pending'), lte(work.notBeforeMs, nowMs));
    const due = db
      .select({ id: mappings.marketplaceId })
      .from(work)
      .innerJoin(mappings, and(link, isNotNull(mappings.marketplaceId)))
      .where(and(eq(work.account, account), eq(work.flow, 'facility-stock'), isDue))
      .limit(limit)
      .all();
    return [...new Set([...under, ...due].map(({ id }) => Number(id)))].slice(0, limit);
  },
} satisfies Reads<MeasurementStore>;

export const measurementWrites = {
  record(at, batch) {
    const { tx, nowMs } = at;
    const { account, asked, tick, askedAtMs } = batch;
    const found = Map.groupBy(batch.rows, (row) => row.listingId);
    storeRows(at, [...found], {
      store: eachOf(([listingId, rows]) => recordListing(tx, batch, listingId, rows, nowMs)),
      setAside([listingId], problem) {
        const key = saveUnstored(at, account, 'measurements', String(listingId), problem);
        const erpId = erpProductOf(tx, account, key);
        const due = erpId === null ? [] : [{ flow: 'facility-stock', key: erpId, why: UNSTORED }];
        markDue(tx, account, due, batch.lane, nowMs);
      },
    });
    if (!batch.absenceCounts) return;
    for (const listingId of asked ?? listMeasured(tx, { account }).map((row) => row.listingId)) {
      if (!found.has(listingId)) recordListing(tx, batch, listingId, [], nowMs);
    }
    if (asked !== null) return;
    putFact(tx, { account, name: ALL_READ, value: JSON.stringify({ tick, askedAtMs }), updatedAtMs: nowMs });
  },
} satisfies Writes<MeasurementStore>;

export const findMeasured = rowBy(measurements, 'account', 'listingId');
const putMeasured = putInto(measurements, 'account', 'listingId');
const listMeasured = rowsBy(measurements, ['account']);

function recordListing(
  tx: Queryable,
  { account, unread, tick, askedAtMs, lane }: RecordMeasurements,
  listingId: number,
  found: readonly Measurement[],
  nowMs: number,
): void {
  const before = findMeasured(tx, { account, listingId });
  const asked = { tick, askedAtMs };
  if (unread.has(listingId) || isOlderAnswer(before, asked)) return;
  const mended = dropInvalidRow(tx, account, 'measurements', String(listingId));
  const erpId = erpProductOf(tx, account, String(listingId));
  const { row, due } = withMeasurements(before, { listingId, found, asked }, { mended, erpId });
  putMeasured(tx, { account, ...row });
  markDue(tx, account, due, lane, nowMs);
}
