import { UNDATED } from '../../src/domain/ahead.ts';
import { instantNs } from '../../src/domain/instant.ts';
import { holesOnRecord } from '../support/holes.ts';
import type { Disk } from './disk.ts';
import type { Sides } from './sides.ts';

const NS_PER_MICRO = 1_000n;
const UNDATED_NS = nsOf(UNDATED);
const WINDOWS = 'SELECT from_instant, to_instant FROM coverage WHERE collection = ?';
const SHADOWS = {
  orders: 'SELECT number AS key, modified FROM orders',
  products: 'SELECT cast(id AS text) AS key, modified FROM products',
} as const;

type Collection = keyof typeof SHADOWS;
const COLLECTIONS: readonly Collection[] = ['orders', 'products'];
type Row = { readonly key: string; readonly modified: string };

/** I8: times that are marked as covered were read, and when everything rests no change is left out. */
export function createCoverageLaw(disk: Disk, sides: Sides, broken: string[]) {
  const windows = disk.prepare<[Collection], { from_instant: string | null; to_instant: string | null }>(WINDOWS);
  const shadows = {
    orders: disk.prepare<[], Row>(SHADOWS.orders),
    products: disk.prepare<[], Row>(SHADOWS.products),
  };
  const hidden = new Set<Collection>();

  /** Is this a moment inside a covered window? The ends do not count: a read may not be complete there. */
  const isCovered = (collection: Collection): ((atNs: bigint) => boolean) => {
    const found = windows
      .all(collection)
      .map(({ from_instant, to_instant }) => [nsOf(from_instant), nsOf(to_instant)] as const);
    return (atNs) => found.some(([from, to]) => atNs > from && atNs < to);
  };

  const judgeRead = (collection: Collection): void => {
    const covered = isCovered(collection);
    const shadow = new Map(shadows[collection].all().map(({ key, modified }) => [key, nsOf(modified)]));
    for (const { key, modifiedMicros } of sides.changed()[collection]) {
      const changedNs = BigInt(modifiedMicros) * NS_PER_MICRO;
      const seenNs = shadow.get(key) ?? -1n;
      // The time of the row was in the future when it was read, so the time of its change is unknown.
      if (seenNs === UNDATED_NS || !covered(changedNs) || seenNs >= changedNs) continue;
      broken.push(`I8: ${collection} are marked as read, and ${key} was not, as it has been since ${modifiedMicros}`);
    }
  };

  return {
    /** From now on, rows may be there that no list shows yet: an overlap has to find them. */
    mayHide(collection: Collection): void {
      hidden.add(collection);
    },
    /** Judges at any moment. */
    judge(): void {
      for (const collection of COLLECTIONS) if (!hidden.has(collection)) judgeRead(collection);
    },
    /** Judges when everything rests. */
    judgeAll(): void {
      for (const hole of holesOnRecord(disk)) broken.push(`I8: ${hole}`);
      COLLECTIONS.forEach(judgeRead);
    },
  };
}

function nsOf(text: string | null): bigint {
  return (text === null ? null : instantNs(text)) ?? -1n;
}
