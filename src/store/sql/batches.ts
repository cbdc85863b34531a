import { hasFields, isOutdatedInErp } from '../../domain/shadow/row.ts';
import type { ErpLot } from '../../erp/connector.ts';
import type { ErpLotStore } from '../erp.ts';
import type { BatchStore, StoredBatch } from '../marketplace.ts';
import type { Lane } from '../work.ts';
import type { Queryable } from './database.ts';
import { dropInvalidRow, saveUnstored } from './invalid-rows.ts';
import { findByMarketplaceId, mappingReads } from './mappings.ts';
import type { ReadAt, Reads, Writes } from './part.ts';
import { keysAfter, putInto, rowBy, rowsBy, unindexed } from './queries.ts';
import { eachOf, storeRows, UNSTORED } from './row-by-row.ts';
import { erpLots } from './tables/erp.ts';
import { batches } from './tables/marketplace.ts';
import { markDue } from './work.ts';

export const batchReads = {
  get({ db }, account, id) {
    const row = findBatch(db, { account, id });
    return row === undefined ? null : toBatch(row);
  },

  withKey(at, account, matchKey) {
    return findByKey(at.db, { account, matchKey }).map(({ id }) => ({
      id,
      lotId: mappingReads.byMarketplaceId(at, account, 'batch', String(id))?.erpId ?? null,
    }));
  },
} satisfies Reads<BatchStore>;

export const batchWrites = {
  record(at, account, rows, lane) {
    const { tx, nowMs } = at;
    const stored = storeRows(at, rows, {
      store: (some) => some.map((row) => recordBatch(tx, account, row, lane, nowMs)),
      setAside: ({ id }, problem) => saveUnstored(at, account, 'batches', String(id), problem),
    });
    return stored.length;
  },
} satisfies Writes<BatchStore>;

export const findBatch = rowBy(batches, 'account', 'id');
const findByKey = rowsBy(batches, ['account', 'matchKey'], { order: [unindexed(batches.id)], limit: 10 });
const putBatch = putInto(batches, 'account', 'id');

function recordBatch(tx: Queryable, account: string, row: StoredBatch, lane: Lane, nowMs: number): void {
  const { id, matchKey, content } = row;
  const before = findBatch(tx, { account, id });
  dropInvalidRow(tx, account, 'batches', String(id));
  if (before !== undefined && hasFields(before, { matchKey, content })) return;
  putBatch(tx, { account, ...row, seenAtMs: nowMs });
  const lotId = findByMarketplaceId(tx, { account, kind: 'batch', marketplaceId: String(id) })?.erpId ?? null;
  const why = 'its batch changed on the marketplace';
  if (lotId !== null) markDue(tx, account, [{ flow: 'batch-out', key: lotId, why }], lane, nowMs);
}

function toBatch({ id, matchKey, content }: StoredBatch): StoredBatch {
  return { id, matchKey, content };
}

export const erpLotReads = {
  lot({ db }, account, id) {
    const row = findLot(db, { account, id });
    return row === undefined ? null : toLot(row);
  },

  lotIds: keysAfter(erpLots, 'id'),
} satisfies Reads<ErpLotStore>;

export const erpLotWrites = {
  recordLots(at, account, items, lane) {
    const { tx, nowMs } = at;
    storeRows(at, items, {
      store: eachOf((item) => recordLot(tx, account, item, lane, nowMs)),
      setAside({ id }, problem) {
        const key = saveUnstored(at, account, 'erp-lots', id, problem);
        markDue(tx, account, [{ flow: 'batch-out', key, why: UNSTORED }], lane, nowMs);
      },
    });
  },
} satisfies Writes<ErpLotStore>;

export const findLot = rowBy(erpLots, 'account', 'id');
const putLot = putInto(erpLots, 'account', 'id');
export const findLotsOfProduct = rowsBy(erpLots, ['account', 'productId'], {
  order: [unindexed(erpLots.id)],
  limit: 10_000,
});
const findOfBatch = rowsBy(erpLots, ['account', 'productId', 'batch'], { order: [unindexed(erpLots.id)], limit: 10 });

function recordLot(tx: Queryable, account: string, item: ErpLot, lane: Lane, nowMs: number): void {
  const { id, productId, batch, attributesText } = item;
  const before = findLot(tx, { account, id });
  if (isOutdatedInErp(before, item)) return;
  const mended = dropInvalidRow(tx, account, 'erp-lots', id);
  if (before !== undefined && !mended && hasFields(before, { productId, batch, attributesText })) return;
  putLot(tx, { account, ...item, seenAtMs: nowMs });
  const why = before === undefined ? 'lot seen for the first time' : 'lot changed in the ERP';
  // A renamed lot, or one with another product, moves its stock elsewhere.
  const products = [...new Set([productId, before?.productId ?? productId])];
  const due = [{ flow: 'batch-out', key: id, why }, ...products.map((key) => ({ flow: 'stock', key, why }))];
  markDue(tx, account, due, lane, nowMs);
}

function toLot({ id, productId, batch, attributesText, changedAt }: ErpLot): ErpLot {
  return { id, productId, batch, attributesText, changedAt };
}

/** Batch ids of a product's lots by lot name; null: an ambiguous name, or no batch. */
export function batchesOfLots(at: ReadAt, account: string, productId: string): Map<string, number | null> {
  const found = new Map<string, number | null>();
  for (const { id, batch } of findLotsOfProduct(at.db, { account, productId })) {
    const linked = mappingReads.linkedTo(at, account, 'batch', id);
    found.set(batch, linked === null || found.has(batch) ? null : Number(linked));
  }
  return found;
}

/** Marks the lot after a change of its stock, because it may need a batch now. */
export function markLotsOf(
  tx: Queryable,
  account: string,
  { productId, batch }: { readonly productId: string; readonly batch: string },
  lane: Lane,
  nowMs: number,
): void {
  const why = 'stock of its lot changed in the ERP';
  const due = findOfBatch(tx, { account, productId, batch }).map(({ id }) => ({ flow: 'batch-out', key: id, why }));
  markDue(tx, account, due, lane, nowMs);
}
