import { type Cause, shownCause } from '../domain/causes/cause.ts';
import type { BaseRecord } from '../domain/order-base.ts';

export type MappingKind = 'product' | 'order' | 'customer' | 'payment' | 'batch';

/**
 * For each kind of link: the flow under which linking and unlinking are recorded, and the side whose id is the key in that
 * flow.
 */
export const LINK_FLOWS = {
  product: { flow: 'product', keyedBy: 'erp' },
  order: { flow: 'order-in', keyedBy: 'marketplace' },
  customer: { flow: 'customer-out', keyedBy: 'erp' },
  payment: { flow: 'payment-in', keyedBy: 'marketplace' },
  batch: { flow: 'batch-out', keyedBy: 'erp' },
} as const satisfies Record<MappingKind, { readonly flow: string; readonly keyedBy: 'erp' | 'marketplace' }>;

/**
 * Each field's last written value, and the marketplace's version of that value, both as JSON. So a server that normalises
 * values causes no endless rewriting.
 */
export type Echoes = Readonly<
  Record<
    string,
    {
      readonly sent: string;
      readonly echo: string;
      /** The value of a person that the write replaced, though the sent value was the same as before. */
      readonly replaced?: { readonly was: string; readonly atMs: number };
    }
  >
>;

export interface Mapping {
  readonly id: number;
  readonly account: string;
  readonly kind: MappingKind;
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
  readonly state: 'create-pending' | 'linked';
  /** How the two entities were matched: created, external_id, sku, reference, operator. */
  readonly how: string;
  readonly echoes: Echoes;
  readonly createdAtMs: number;
}

export type ListedMapping = Mapping & { readonly sku: string | null };

/** An existing link stands in the way; the message names both. */
export class MappingConflict extends Error {
  override readonly name = 'MappingConflict';
  readonly conflict: Cause;

  constructor(conflict: Cause) {
    const { text, next } = shownCause(conflict);
    super(`${text}. ${next}`);
    this.conflict = conflict;
  }
}

export interface Link {
  readonly account: string;
  readonly kind: MappingKind;
  readonly marketplaceId: string;
  readonly erpId: string;
  readonly how: string;
}

export interface NewLink extends Link {
  /** Epoch milliseconds; null: now. */
  readonly createdAtMs: number | null;
}

/** The obstacle to the link at `index`. */
export interface LinkConflict {
  readonly index: number;
  readonly message: string;
}

export interface LinkedAll {
  /** The number of new links. */
  readonly linked: number;
  /** The number of links that were there already. */
  readonly unchanged: number;
  readonly conflicts: readonly LinkConflict[];
  /** The number of links that this call made. It is below `linked` only when there are conflicts, or with `keep: false`. */
  readonly kept: number;
}

/** The links that an operator makes. Every act is journaled, and has both sides looked at. */
export interface LinkStore {
  /**
   * Links the two entities, and settles their create if it is in doubt. With `replace`, links that stand in the way are removed.
   * @throws MappingConflict
   */
  link(link: Link, replace: boolean, by: string): Promise<'linked' | 'unchanged'>;

  /**
   * Makes all of these links, or none when a link has an obstacle. All links are judged first. Then they are made a few hundred
   * at a time, so that others can write in between. When such a write becomes an obstacle to a later part, the earlier parts
   * stay linked. With `keep: false`, the links are only judged.
   * @param links no two links of one kind have the same id on a side
   */
  linkAll(links: readonly NewLink[], keep: boolean, by: string): Promise<LinkedAll>;

  unlink(mapping: Mapping, by: string): Promise<void>;
}

export interface MappingStore {
  byMarketplaceId(account: string, kind: MappingKind, marketplaceId: string): Promise<Mapping | null>;

  byErpId(account: string, kind: MappingKind, erpId: string): Promise<Mapping | null>;

  /** The marketplace's id to which this entity of the ERP is linked. */
  linkedTo(account: string, kind: MappingKind, erpId: string): Promise<string | null>;

  /** Links the two entities, settles their open create, and has both of them looked at. */
  link(link: Link): Promise<void>;

  /**
   * Links an order to the one that the ERP has put in the place of its order, and keeps the record of both sides' agreement, in one
   * transaction.
   * @throws MappingConflict
   */
  follow(link: Link, record: BaseRecord): Promise<void>;

  saveEchoes(id: number, echoes: Echoes): Promise<void>;

  /** The links in the order in which they were made, with the ERP's SKU of a product. */
  list(account: string, kind: MappingKind, afterId: number, limit: number): Promise<ListedMapping[]>;
}
