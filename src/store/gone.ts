import type { Gone, Witness } from '../domain/gone.ts';
import type { Lane } from './work.ts';

/** The lists whose rows leave the shadow once their absence is confirmed. Orders and the ERP's products are kept with a mark. */
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

/**
 * The prefix of the facts that tell when the last whole list began after which every row of the shadow is known to be there, in epoch
 * milliseconds.
 */
export const STANDS = 'stands:';

/** Confirmed absences. */
export interface GoneStore {
  /** The ids of the rows that a whole list has to show, in order. Archived rows need not be shown. */
  expected(account: string, collection: GoneFrom, after: string, limit: number): Promise<string[]>;

  /**
   * Takes entities out of the shadow, and has everything that they concern looked at. Answers the ids that were in it.
   * @param ids as the lists show them
   */
  drop(
    account: string,
    collection: GoneFrom,
    ids: readonly string[],
    how: { readonly witness: Witness; readonly lane: Lane },
  ): Promise<string[]>;

  /** Notes that an entity is gone which the shadow need not have: where its list is not read. */
  note(account: string, collection: GoneFrom, id: string, witness: Witness): Promise<void>;

  /** The last confirmed absence of an entity that is not in the shadow. */
  get(account: string, collection: GoneFrom, id: string): Promise<Gone | null>;
}
