import type { MappingKind } from './links.ts';

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

export interface EntityStore {
  /** At most `limit` entities with this id on either side, or this SKU, or this prefix (`beginning`). Unsorted. */
  named(account: string, name: string, of: NamedAs, limit: number): Promise<EntityIds[]>;
}
