import type { MappingKind } from './links.ts';

/** The known ids of one entity. */
export interface EntityIds {
  readonly kind: MappingKind;
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
}

export interface NamedAs {
  readonly beginning: boolean;
  /** null: every kind. */
  readonly kind: MappingKind | null;
}

/** Finds entities by any of their names. */
export interface EntityStore {
  /** Entities with this id on either side, or this SKU; with `beginning`, this prefix. At most `limit`, unsorted. */
  named(account: string, name: string, of: NamedAs, limit: number): Promise<EntityIds[]>;
}
