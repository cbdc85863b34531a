import { Decimal } from '../../domain/decimal.ts';
import { type Place, placeOf } from '../../domain/facility-ledger.ts';
import type { Database, Queryable } from './database.ts';
import { dropMisfit } from './misfits.ts';
import { and, eq, isNotNull, lte, sql } from './orm.ts';
import { built, putInto, rowBy } from './queries.ts';
import { erpProductOf } from './record-products.ts';
import { measurements } from './tables/marketplace.ts';
import { facts } from './tables/reading.ts';
import { intents, mappings, reconciles, work } from './tables/work.ts';
import { type Lane, markWork } from './work.ts';

/** What the marketplace shows of one facility and batch of a listing (spec 2, Inventory records: Measurements). */
export interface Measurement {
  readonly listingId: number;
  readonly facilityId: number;
  readonly batchId: number;
  readonly onHand: Decimal;
  readonly reserved: Decimal;
  readonly available: Decimal;
}

/** Everything that is shown of one listing. */
export interface Measured {
  readonly byPlace: ReadonlyMap<Place, Measurement>;
  readonly tick: number;
  readonly askedAtMs: number;
}

export interface RecordMeasurements {
  readonly account: string;
  readonly rows: readonly Measurement[];
  /** The listings that were asked for: one that is not among the rows has none. null: all there are. */
  readonly asked: readonly number[] | null;
  /** Left as they are, although they were asked for. */
  readonly unread: ReadonlySet<number>;
  /** Whether what is not among the rows has none; else it stays as it was known. */
  readonly absenceCounts: boolean;
  readonly tick: number;
  readonly askedAtMs: number;
  readonly lane: Lane;
}

/** Fact: when the measurements of all listings were read last. */
export const ALL_READ = 'measurements-read';

export function measurementStore(db: Database, now: () => number) {
  return {
    /** Stores what was read, and has the products looked at of which something changed. */
    async record(batch: RecordMeasurements): Promise<void> {
      const { account, asked, tick, askedAtMs } = batch;
      await db.transaction((tx) => {
        const found = Map.groupBy(batch.rows, (row) => row.listingId);
        for (const [listingId, rows] of found) recordListing(tx, batch, listingId, rows, now());
        if (!batch.absenceCounts) return;
        for (const listingId of asked ??
          listMeasured(tx)
            .all({ account })
            .map((row) => row.listingId)) {
          if (!found.has(listingId)) recordListing(tx, batch, listingId, [], now());
        }
        if (asked !== null) return;
        const set = { value: JSON.stringify({ tick, askedAtMs }), updatedAtMs: now() };
        tx.insert(facts)
          .values({ account, name: ALL_READ, ...set })
          .onConflictDoUpdate({ target: [facts.account, facts.name], set })
          .run();
      });
    },

    /** null when it is not known what the marketplace shows of the listing. */
    async get(account: string, listingId: number): Promise<Measured | null> {
      const row = findMeasured(db, { account, listingId });
      const all = findFact(db, { account, name: ALL_READ });
      if (row === undefined && all === undefined) return null;
      const whole = all === undefined ? null : (JSON.parse(all.value) as { tick: number; askedAtMs: number });
      const rows = row === undefined ? [] : fromJson(listingId, row.rows);
      return {
        byPlace: new Map(rows.map((each) => [placeOf(each.facilityId, each.batchId), each])),
        tick: Math.max(row?.tick ?? 0, whole?.tick ?? 0),
        askedAtMs: Math.max(row?.askedAtMs ?? 0, whole?.askedAtMs ?? 0),
      };
    },

    /** How many listings have any. */
    async count(account: string): Promise<number> {
      const where = and(eq(measurements.account, account), sql`${measurements.rows} <> '[]'`);
      return db.select({ count: sql<number>`count(*)` }).from(measurements).where(where).get()?.count ?? 0;
    },

    /** Listings whose commands are on their way, and those that are about to be looked at: to be read in one call. */
    async wanted(account: string, limit: number): Promise<number[]> {
      const under = db
        .selectDistinct({ id: reconciles.listingId })
        .from(reconciles)
        .innerJoin(intents, eq(intents.id, reconciles.intentId))
        .where(and(eq(intents.account, account), sql`${intents.state} in ('open', 'in-doubt')`))
        .limit(limit)
        .all();
      const link = and(eq(mappings.account, account), eq(mappings.kind, 'product'), eq(mappings.erpId, work.key));
      const isDue = and(eq(work.state, 'pending'), lte(work.notBeforeMs, now()));
      const due = db
        .select({ id: mappings.marketplaceId })
        .from(work)
        .innerJoin(mappings, and(link, isNotNull(mappings.marketplaceId)))
        .where(and(eq(work.account, account), eq(work.flow, 'facility-stock'), isDue))
        .limit(limit)
        .all();
      return [...new Set([...under, ...due].map(({ id }) => Number(id)))].slice(0, limit);
    },
  };
}

const findMeasured = rowBy(measurements, 'account', 'listingId');
const putMeasured = putInto(measurements, 'account', 'listingId');
const findFact = rowBy(facts, 'account', 'name');

const listMeasured = built((db) =>
  db
    .select({ listingId: measurements.listingId })
    .from(measurements)
    .where(eq(measurements.account, sql.placeholder('account')))
    .prepare(),
);

function recordListing(
  tx: Queryable,
  { account, unread, tick, askedAtMs, lane }: RecordMeasurements,
  listingId: number,
  found: readonly Measurement[],
  nowMs: number,
): void {
  if (unread.has(listingId)) return;
  const before = findMeasured(tx, { account, listingId });
  // An answer that was overtaken by a later one says nothing new.
  if (before !== undefined && before.tick > tick) return;
  const mended = dropMisfit(tx, account, 'measurements', String(listingId));
  const rows = toJson(found);
  putMeasured(tx, { account, listingId, rows, tick, askedAtMs });
  if ((before?.rows ?? '[]') === rows && !mended) return;
  const key = erpProductOf(tx, account, String(listingId));
  if (key === null) return;
  markWork(tx, { account, flow: 'facility-stock', key }, lane, 'its measurements changed', nowMs);
}

type Stored = [facilityId: number, batchId: number, onHand: string, reserved: string, available: string];

function toJson(rows: readonly Measurement[]): string {
  const stored = rows.map(
    (row): Stored => [
      row.facilityId,
      row.batchId,
      row.onHand.toFixed(),
      row.reserved.toFixed(),
      row.available.toFixed(),
    ],
  );
  return JSON.stringify(stored.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
}

function fromJson(listingId: number, text: string): Measurement[] {
  return (JSON.parse(text) as Stored[]).map(([facilityId, batchId, onHand, reserved, available]) => ({
    listingId,
    facilityId,
    batchId,
    onHand: new Decimal(onHand),
    reserved: new Decimal(reserved),
    available: new Decimal(available),
  }));
}
