import { type Cause, shownCause } from '../domain/causes/cause.ts';

export type MappingKind = 'product' | 'order' | 'customer' | 'payment' | 'batch';

export interface Mapping {
  readonly id: number;
  readonly account: string;
  readonly kind: MappingKind;
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
  readonly state: 'create-pending' | 'linked';
  /** How the two were matched: created, external_id, sku, reference, operator. */
  readonly how: string;
  /** Fields last written and what the marketplace echoed, so that a normalising server makes no perpetual difference. */
  readonly echoes: string;
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

/** The obstacle to the link at this index. */
export interface LinkConflict {
  readonly index: number;
  readonly message: string;
}

export interface LinkedAll {
  /** New ones. */
  readonly linked: number;
  /** Linked like that already. */
  readonly unchanged: number;
  readonly conflicts: readonly LinkConflict[];
  /** How many were linked by this call. Fewer than `linked` only when there are conflicts, or with `keep: false`. */
  readonly kept: number;
}

/** An operator's links. Every act is journaled, and has both sides looked at. */
export interface LinkStore {
  /**
   * Links the two, and settles a create of theirs that is in doubt. With `replace`, links that stand in the way go.
   * @throws MappingConflict
   */
  link(link: Link, replace: boolean, by: string): Promise<'linked' | 'unchanged'>;

  /**
   * Links all of them, or none when something stands in the way of one. All are judged first, and then linked a few hundred
   * at a time, so that others can write in between. When such a write stands in the way of a later part, the earlier parts
   * stay linked. `keep: false` only judges.
   * @param links no two of one kind with the same id on a side
   */
  linkAll(links: readonly NewLink[], keep: boolean, by: string): Promise<LinkedAll>;

  unlink(mapping: Mapping, by: string): Promise<void>;
}

export interface MappingStore {
  byMarketplaceId(account: string, kind: MappingKind, marketplaceId: string): Promise<Mapping | null>;

  byErpId(account: string, kind: MappingKind, erpId: string): Promise<Mapping | null>;

  /** The marketplace's id to which this entity of the ERP is linked. */
  linkedTo(account: string, kind: MappingKind, erpId: string): Promise<string | null>;

  /** Links the two, settles their open create, and has both sides of the entity looked at. */
  link(link: Link): Promise<void>;

  saveEchoes(id: number, echoes: string): Promise<void>;

  /** In the order of their making; with the SKU that the ERP has for a product. */
  list(account: string, kind: MappingKind, afterId: number, limit: number): Promise<ListedMapping[]>;
}
