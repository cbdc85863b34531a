import type { Gone, Witness } from '../domain/gone.ts';
import type { Lane } from './work.ts';

/** Lists whose rows leave the shadow once their absence is confirmed. Orders and ERP products only get a mark. */
export const GONE_FROM = [
  'products',
  'customers',
  'payments',
  'batches',
  'transport-orders',
  'erp-customers',
  'erp-payments',
  'erp-lots',
] as const;

export type GoneFrom = (typeof GONE_FROM)[number];

/** Prefix of the facts with the start of the last full list that confirmed every row, in epoch milliseconds. */
export const STANDS = 'stands:';

export interface GoneStore {
  /** Ids that a full list must contain, sorted. Archived rows are optional. */
  expected(account: string, collection: GoneFrom, after: string, limit: number): Promise<string[]>;

  /**
   * Deletes entities and marks everything they affect. Returns the ids that were there.
   * @param ids as the lists show them
   */
  drop(
    account: string,
    collection: GoneFrom,
    ids: readonly string[],
    how: { readonly witness: Witness; readonly lane: Lane },
  ): Promise<string[]>;

  /** For an entity that the shadow may lack, because its list is not read. */
  note(account: string, collection: GoneFrom, id: string, witness: Witness): Promise<void>;

  /** The last confirmed absence of an entity that the shadow lacks. */
  get(account: string, collection: GoneFrom, id: string): Promise<Gone | null>;
}
