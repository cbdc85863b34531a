import type { Mapping } from '../../store/links.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { Store } from '../../store/store.ts';
import { findEntity } from '../entity.ts';
import { NotFound, UsageError } from '../faults.ts';
import type { Opened } from '../open.ts';
import type { MappingKind } from './ids.ts';

/** Takes away a link that is named by one of its two ids. */
export async function unlinkEntities({ store, by }: Opened, named: UnlinkNamed): Promise<Unlinked> {
  const mapping = await findMapping(store, named);
  if (mapping.state === 'create-pending') {
    throw new NotFound(
      `the create of ${named.kind} ${named.erpId ?? named.marketplaceId} is not settled, so there is no link yet: link what is really there, or say what became of it with "stockbridge jobs resolve"`,
    );
  }
  await store.links.unlink(mapping, by);
  const { account, kind, marketplaceId, erpId } = mapping;
  if (kind !== 'product') return { mapping, listing: null, foundAgainBy: null };
  const listing = await store.products.get(account, Number(marketplaceId));
  const product = await store.erp.product(account, erpId ?? '');
  const isNamed = listing?.externalId != null && listing.externalId === erpId;
  const isSame = listing?.sku != null && listing.sku === product?.sku;
  return { mapping, listing, foundAgainBy: isNamed ? 'external id' : isSame ? 'SKU' : null };
}

export interface Unlinked {
  readonly mapping: Mapping;
  /** The listing of a product, as it was read last. */
  readonly listing: StoredProduct | null;
  /** The sign by which the listing is linked again, as long as it shows that sign. */
  readonly foundAgainBy: 'external id' | 'SKU' | null;
}

export interface UnlinkNamed {
  readonly account: string;
  readonly kind: MappingKind;
  readonly erpId: string | undefined;
  readonly marketplaceId: string | undefined;
}

async function findMapping(store: Store, { account, kind, erpId, marketplaceId }: UnlinkNamed): Promise<Mapping> {
  if ((erpId === undefined) === (marketplaceId === undefined)) {
    throw new UsageError('name the ERP id, or the other side with --marketplace ID');
  }
  const found =
    marketplaceId === undefined
      ? await store.mappings.byErpId(account, kind, erpId ?? '')
      : await store.mappings.byMarketplaceId(account, kind, marketplaceId);
  if (found !== null) return found;
  const other = await findEntity(store, account, marketplaceId ?? erpId ?? '', kind);
  const known =
    other?.marketplaceId == null ? null : await store.mappings.byMarketplaceId(account, kind, other.marketplaceId);
  if (known !== null) return known;
  const named = marketplaceId === undefined ? `${erpId} of the ERP` : `${marketplaceId} of the marketplace`;
  throw new NotFound(`${kind} ${named} is not linked in account ${account}: nothing to do`);
}
