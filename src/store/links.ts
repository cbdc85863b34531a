import { type Cause, shownCause } from '../domain/causes/cause.ts';
import type { BaseRecord } from '../domain/order-base.ts';

export type MappingKind = 'product' | 'order' | 'customer' | 'payment' | 'batch';

/** The flow that records a link and its removal, and the side whose id is the key of that flow. */
export const LINK_FLOWS = {
  product: { flow: 'product', keyedBy: 'erp' },
  order: { flow: 'order-in', keyedBy: 'marketplace' },
  customer: { flow: 'customer-out', keyedBy: 'erp' },
  payment: { flow: 'payment-in', keyedBy: 'marketplace' },
  batch: { flow: 'batch-out', keyedBy: 'erp' },
} as const satisfies Record<MappingKind, { readonly flow: string; readonly keyedBy: 'erp' | 'marketplace' }>;

/**
 * Each field's last written value and the marketplace's normalised version of it, both as JSON. Without the second, a
 * normalised value would be rewritten forever.
 */
export type Echoes = Readonly<
  Record<
    string,
    {
      readonly sent: string;
      readonly echo: string;
      /** A person's value that the write replaced although the sent value had not changed. */
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
  /** How the entities were matched: created, external_id, sku, reference, operator. */
  readonly how: string;
  readonly echoes: Echoes;
  readonly createdAtMs: number;
}

export type ListedMapping = Mapping & { readonly sku: string | null };

/** Another link conflicts with the new one. The message names both. */
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
  /** null: now. */
  readonly createdAtMs: number | null;
}

export interface LinkConflict {
  readonly index: number;
  readonly message: string;
}

export interface LinkedAll {
  readonly linked: number;
  readonly unchanged: number;
  readonly conflicts: readonly LinkConflict[];
  /** Links that this call created. Fewer than `linked` only with conflicts or `keep: false`. */
  readonly kept: number;
}

/** Links made by an operator. Each is journaled, and both sides are marked for work. */
export interface LinkStore {
  /**
   * Links the two entities and settles their create in doubt. `replace` removes conflicting links.
   * @throws MappingConflict
   */
  link(link: Link, replace: boolean, by: string): Promise<'linked' | 'unchanged'>;

  /**
   * Creates all of these links, or none if one has a conflict. They are checked first, then written a few hundred at a
   * time to let other writers in; a conflict by such a write leaves the earlier parts. `keep: false` only checks.
   * @param links no two links of one kind have the same id on a side
   */
  linkAll(links: readonly NewLink[], keep: boolean, by: string): Promise<LinkedAll>;

  unlink(mapping: Mapping, by: string): Promise<void>;
}

export interface MappingStore {
  byMarketplaceId(account: string, kind: MappingKind, marketplaceId: string): Promise<Mapping | null>;

  byErpId(account: string, kind: MappingKind, erpId: string): Promise<Mapping | null>;

  linkedTo(account: string, kind: MappingKind, erpId: string): Promise<string | null>;

  /** Also settles their open create and marks both for work. */
  link(link: Link): Promise<void>;

  /**
   * Relinks an order to the replacement of its ERP order and stores the base, in one transaction.
   * @throws MappingConflict
   */
  follow(link: Link, record: BaseRecord): Promise<void>;

  saveEchoes(id: number, echoes: Echoes): Promise<void>;

  list(account: string, kind: MappingKind, afterId: number, limit: number): Promise<ListedMapping[]>;
}
