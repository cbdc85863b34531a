import type { MappingKind } from './links.ts';

/** An entity by its ids, as far as they are known. */
export interface EntityIds {
  readonly kind: MappingKind;
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
}

export interface NamedAs {
  readonly beginning: boolean;
  /** Of this kind only; null: of any. */
  readonly kind: MappingKind | null;
}

/** Everything that was read or linked, by the names that people give it. */
export interface EntityStore {
  /**
   * The entities that have this id on either side, or this SKU, or with `beginning` one that begins so. In no order, and at
   * most `limit` of them.
   */
  named(account: string, name: string, of: NamedAs, limit: number): Promise<EntityIds[]>;
}
