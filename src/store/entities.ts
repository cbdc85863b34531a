import type { MappingKind } from './links.ts';

/** An entity by its ids, as far as they are known. */
export interface EntityIds {
  readonly kind: MappingKind;
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
}

export interface NamedAs {
  readonly beginning: boolean;
  /** Entities of this kind only; null: of every kind. */
  readonly kind: MappingKind | null;
}

/** Everything that was read or linked, by the names that people give it. */
export interface EntityStore {
  /**
   * The entities that have this id on either side, or this SKU. With `beginning`, an id or SKU that begins so is enough. At most
   * `limit` entities are answered, in no order.
   */
  named(account: string, name: string, of: NamedAs, limit: number): Promise<EntityIds[]>;
}
