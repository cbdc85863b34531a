import { nameKey } from '../../domain/name.ts';
import { CONFIRMED_ABSENCES, isGone } from '../../domain/product.ts';
import type { Inheritance } from '../observe.ts';
import { findErpProduct } from './erp-products.ts';
import { findProduct, type ProductRow } from './listings.ts';
import { findByErpId, findByMarketplaceId } from './mappings.ts';
import { and, eq, gte, or, sql } from './orm.ts';
import type { ReadAt } from './part.ts';
import { findListingsBySku } from './products.ts';
import { built } from './queries.ts';
import { erpProducts } from './tables/erp.ts';
import { mappings } from './tables/work.ts';

interface Named {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
}

/**
 * The listing that belongs to this product by SKU although it is linked to another ERP id: the ERP imported its
 * catalogue again, recreated the product, or reassigned its ids.
 * @param linkedId the listing linked to the product
 */
export function inheritanceOf(
  at: ReadAt,
  account: string,
  product: Named | null,
  linkedId: number | null,
): Inheritance | null {
  if (product === null) return null;
  if (linkedId !== null) return fromOther(at, account, product, linkedId);
  return fromGone(at, account, product) ?? fromOwner(at, account, product) ?? fromFormer(at, account, product);
}

const isSameName = (a: string | null, b: string) => a !== null && nameKey(a) === nameKey(b);

const findGoneLinked = built((db) => {
  const { account, sku, deleted, absences, id, name } = erpProducts;
  const link = and(eq(mappings.account, account), eq(mappings.kind, 'product'), eq(mappings.erpId, id));
  return db
    .select({ id, name, listingId: mappings.marketplaceId })
    .from(erpProducts)
    .innerJoin(mappings, and(link, eq(mappings.state, 'linked')))
    .where(
      and(
        eq(account, sql.placeholder('account')),
        eq(sku, sql.placeholder('sku')),
        or(eq(deleted, true), gte(absences, CONFIRMED_ABSENCES)),
      ),
    )
    .limit(1)
    .prepare();
});

/** The listing of a deleted ERP product with the same SKU. */
function fromGone({ db }: ReadAt, account: string, { id, sku, name }: Named): Inheritance | null {
  const before = findGoneLinked(db).get({ account, sku });
  if (before === undefined || before.id === id) return null;
  const listing = findProduct(db, { account, id: Number(before.listingId) });
  if (listing === undefined) return null;
  const isSame = isSameName(before.name, name);
  // The archived listing of another product stays in the archive.
  return isSame || !listing.archived ? { listingId: listing.id, from: before.id, isSame } : null;
}

/** The listing of a deleted ERP product, where people have since given this SKU to the listing or the product. */
function fromOwner({ db }: ReadAt, account: string, { id, sku, name }: Named): Inheritance | null {
  for (const listing of findListingsBySku(db, { account, sku })) {
    const link = findByMarketplaceId(db, { account, kind: 'product', marketplaceId: String(listing.id) });
    if (link?.state !== 'linked' || link.erpId === null || link.erpId === id) continue;
    const owner = findErpProduct(db, { account, id: link.erpId });
    if (owner === undefined || !isGone(owner)) continue;
    const isSame = isSameName(owner.name, name);
    if (isSame || !listing.archived) return { listingId: listing.id, from: link.erpId, isSame };
  }
  return null;
}

/** An unlinked listing with the external id of a product that is deleted or has another listing now. */
function fromFormer(at: ReadAt, account: string, { id, sku, name }: Named): Inheritance | null {
  for (const listing of findListingsBySku(at.db, { account, sku })) {
    const { externalId } = listing;
    if (externalId === null || externalId === id || listing.archived || isLinked(at, account, listing)) continue;
    const former = findErpProduct(at.db, { account, id: externalId });
    const link = findByErpId(at.db, { account, kind: 'product', erpId: externalId });
    const isFree = former !== undefined && (isGone(former) || link?.state === 'linked');
    if (isFree) return { listingId: listing.id, from: externalId, isSame: isSameName(listing.name, name) };
  }
  return null;
}

/** The listing of another product whose SKU this product took, unless the names say that the other is unchanged. */
function fromOther(at: ReadAt, account: string, product: Named, linkedId: number): Inheritance | null {
  const { id, sku, name } = product;
  const own = findProduct(at.db, { account, id: linkedId });
  if (own === undefined || own.sku === null || own.sku === sku || isSameName(own.name, name)) return null;
  for (const listing of findListingsBySku(at.db, { account, sku })) {
    const link = findByMarketplaceId(at.db, { account, kind: 'product', marketplaceId: String(listing.id) });
    if (listing.archived || link?.erpId == null || link.erpId === id) continue;
    return { listingId: listing.id, from: link.erpId, isSame: isSameName(listing.name, name) };
  }
  return null;
}

function isLinked({ db }: ReadAt, account: string, { id }: ProductRow): boolean {
  return findByMarketplaceId(db, { account, kind: 'product', marketplaceId: String(id) }) !== undefined;
}
