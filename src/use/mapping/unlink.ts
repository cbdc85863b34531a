import { FLOW_NAMES, FLOWS } from '../../flows/flows.ts';
import type { Link, Mapping } from '../../store/links.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { Store } from '../../store/store.ts';
import { findEntity, keyIn } from '../entity.ts';
import { NotFound, Refused, UsageError } from '../faults.ts';
import type { Opened } from '../open.ts';
import type { MappingKind } from './ids.ts';

type Ids = Pick<Link, 'marketplaceId' | 'erpId'>;

/** Removes a link named by one of its ids. */
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

/**
 * Undoes a link that was just made.
 * @throws Refused once something was written because of it
 */
export async function takeLinkBack(opened: Opened, { account, kind, marketplaceId }: Made): Promise<Unlinked> {
  const named = { account, kind, marketplaceId, erpId: undefined };
  const link = await findMapping(opened.store, named);
  await requireUnwritten(opened, link, [link]);
  return unlinkEntities(opened, named);
}

/**
 * Restores the links that a new link replaced.
 * @throws Refused once something was written because of it, or one of them has another link
 */
export async function moveLinkBack(
  opened: Opened,
  { account, kind, marketplaceId }: Made,
  replaced: readonly Ids[],
): Promise<void> {
  const { store, by } = opened;
  const link = await findMapping(store, { account, kind, marketplaceId, erpId: undefined });
  await requireUnwritten(opened, link, [link, ...replaced]);
  for (const ids of replaced) {
    if (ids.marketplaceId !== link.marketplaceId && ids.erpId !== link.erpId)
      throw new Refused(`${ids.erpId} and ${ids.marketplaceId} were no link that this one replaced`);
    const standing = [
      await store.mappings.byMarketplaceId(account, kind, ids.marketplaceId),
      await store.mappings.byErpId(account, kind, ids.erpId),
    ];
    if (standing.some((one) => one !== null && one.id !== link.id))
      throw new Refused(
        `${ids.erpId} or ${kind === 'product' ? 'listing' : kind} ${ids.marketplaceId} has another link by now, so the link cannot be moved back: link each to the right one instead`,
      );
  }
  for (const ids of replaced) await store.links.link({ account, kind, ...ids, how: 'operator' }, true, by);
}

/** A link that was made, by its id on the marketplace. */
interface Made {
  readonly account: string;
  readonly kind: MappingKind;
  readonly marketplaceId: string;
}

/**
 * @param pairs everything that this link may have changed
 * @throws Refused once something was written because of the link
 */
async function requireUnwritten(
  opened: Opened,
  { account, kind, marketplaceId, erpId, createdAtMs }: Mapping,
  pairs: readonly Pick<Mapping, 'marketplaceId' | 'erpId'>[],
): Promise<void> {
  const both = `${erpId} and ${kind === 'product' ? 'listing' : kind} ${marketplaceId}`;
  const { journal } = opened.store;
  for (const flow of FLOW_NAMES.filter((name) => FLOWS[name].links === kind)) {
    for (const key of new Set(pairs.map((pair) => keyIn(flow, { kind, ...pair })))) {
      const [last] = key === null ? [] : await journal.latestWrites(account, flow, key);
      if (last !== undefined && last.atMs >= createdAtMs)
        throw new Refused(
          `Something was written since ${both} were linked, so the link cannot be taken back: link each to the right one instead`,
        );
    }
  }
  // Orders that waited for the link are now in the ERP under it.
  const entered = await journal.written(account, 'order-in.create', createdAtMs);
  if ((kind === 'customer' || kind === 'product') && entered.length > 0)
    throw new Refused(
      `An order was entered in the ERP since ${both} were linked, and may rest on it, so the link cannot be taken back: link each to the right one instead`,
    );
}

export interface Unlinked {
  readonly mapping: Mapping;
  /** As last read. */
  readonly listing: StoredProduct | null;
  /** Why the listing would be linked again. */
  readonly foundAgainBy: 'external id' | 'SKU' | null;
}

/** What happens to both entities, and what links them again. */
export function afterUnlink(unlinked: Unlinked): string {
  const { kind } = unlinked.mapping;
  return kind === 'product' ? afterProduct(unlinked) : AFTERWARDS[kind];
}

function afterProduct({ mapping: { marketplaceId, erpId }, listing, foundAgainBy }: Unlinked): string {
  if (listing === null) return `The marketplace shows no listing ${marketplaceId}: a new one is created for ${erpId}.`;
  if (foundAgainBy !== null) {
    return `Listing ${marketplaceId} carries the ${foundAgainBy} of ${erpId}, so it is linked again at the next look. To keep them apart, change that on the marketplace, or link the listing to its product.`;
  }
  const stays = listing.archived
    ? 'stays archived'
    : 'stays on sale with its price and stock, and nothing keeps them right';
  return `Listing ${marketplaceId} ${stays}. A new listing is created for ${erpId}, unless one looks like it.`;
}

const AFTERWARDS: Readonly<Record<Exclude<MappingKind, 'product'>, string>> = {
  order: 'An ERP order that carries its number is linked again.',
  customer:
    'Where customers are kept in step, one that matches is linked again; else its next order looks for it in the ERP.',
  batch: 'A batch that its lot is recognised by is linked again; without one, it is made anew.',
  payment: 'An equal payment of the same order is linked again; without one, it is recorded anew.',
};

interface UnlinkNamed {
  readonly account: string;
  readonly kind: MappingKind;
  readonly erpId: string | undefined;
  readonly marketplaceId: string | undefined;
}

async function findMapping(store: Store, { account, kind, erpId, marketplaceId }: UnlinkNamed): Promise<Mapping> {
  if ((erpId === undefined) === (marketplaceId === undefined)) {
    throw new UsageError('name the ERP id or the marketplace id, one of the two');
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
