import type { Decimal } from '../../domain/decimal.ts';
import { CONFIRMED_ABSENCES, isSold } from '../../domain/product.ts';
import { magnitudeProblem } from '../../domain/quantity.ts';
import { parseJson } from '../../http/json.ts';
import { writeDecimal } from '../../marketplace/entities/amounts.ts';
import { erpMisfitOf } from '../../shadow/erp-misfits.ts';
import { LISTINGS_KNOWN } from '../../shadow/listings-known.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { AccountContext } from '../engine/context.ts';
import type { Listing, ProductSnapshot } from './decide.ts';
import type { Echoes, WireFields } from './fields.ts';
import { wantedOf, withoutLeftOut } from './wanted.ts';

/** Both sides as the shadows have them. */
export async function observeProduct(context: AccountContext, key: string): Promise<ProductSnapshot> {
  const { account, config, store } = context;
  const erp = await store.erp.product(account, key);
  const mapping = await store.mappings.byErpId(account, 'product', key);
  const linkedId = mapping?.state === 'linked' ? Number(mapping.marketplaceId) : null;
  const linked = linkedId === null ? null : { id: linkedId, listing: await findListing(context, linkedId) };
  const stock = await store.erp.stock(account, key);
  const side = erp === null ? null : await erpSide(context, erp);
  const wanted = erp === null || side === null ? null : await wantedOf(context, erp, side.sold);
  return {
    erp: side,
    erpMisfit: await erpMisfitOf(context, 'erp-products', key),
    linked,
    candidates: erp === null || linked !== null ? { byExternalId: [], bySku: [] } : await candidates(context, erp),
    listingsUnread: null,
    listingsKnown: (await store.facts.get(account, LISTINGS_KNOWN)) !== null,
    createInDoubt: (await store.intents.unsettled({ account, kind: 'product', key })) !== null,
    wanted: wanted?.fields ?? {},
    wantedProblem: wanted?.problem ?? null,
    missingLine: wanted?.missingLine ?? null,
    createFields: {
      ...createFields(config, stock?.problem === null ? stock.available : null),
      ...wanted?.createOnly,
    },
    echoes: mapping === null ? {} : (JSON.parse(mapping.echoes) as Echoes),
    rules: { create: config.products.create, archive: config.products.archive, currency: config.currency },
  };
}

async function erpSide(
  { account, store }: AccountContext,
  erp: StoredErpProduct,
): Promise<NonNullable<ProductSnapshot['erp']>> {
  return {
    id: erp.id,
    sku: erp.sku,
    sold: isSold(erp),
    missing: erp.active && !erp.deleted && erp.absences > 0 && erp.absences < CONFIRMED_ABSENCES,
    price: erp.price,
    twins: (await store.erp.productsBySku(account, erp.sku)).length,
  };
}

async function findListing(context: AccountContext, id: number): Promise<Listing | null> {
  const stored = await context.store.products.get(context.account, id);
  return stored === null ? null : toListing(context, stored);
}

async function toListing({ account, store }: AccountContext, stored: StoredProduct): Promise<Listing> {
  const raw = await store.products.raw(account, stored.id);
  const misfit = await store.misfits.get(account, 'products', String(stored.id));
  return {
    id: stored.id,
    sku: stored.sku,
    externalId: stored.externalId,
    managed: stored.managed,
    archived: stored.archived,
    misfit: misfit === null ? null : `${misfit.path}: ${misfit.message}`,
    price: stored.price ?? null,
    fields: raw === null ? {} : (parseJson(raw) as WireFields),
  };
}

/** Listings that nobody is linked to. */
async function candidates(context: AccountContext, erp: StoredErpProduct): Promise<ProductSnapshot['candidates']> {
  const { account, store } = context;
  const free = async (found: readonly StoredProduct[]) => {
    const listings: Listing[] = [];
    for (const stored of found) {
      const taken = await store.mappings.byMarketplaceId(account, 'product', String(stored.id));
      if (taken === null) listings.push(await toListing(context, stored));
    }
    return listings;
  };
  return {
    byExternalId: await free(await store.products.byExternalId(account, erp.id)),
    bySku: await free(await store.products.bySku(account, erp.sku)),
  };
}

/** The initial inventory level is sent when the ERP says it: unknown is never zero. */
function createFields(config: AccountContext['config'], available: Decimal | null): WireFields {
  const isKnown = available !== null && magnitudeProblem(available) === null;
  // Where stock is kept by facility, it is set at each of them, once the listing is there.
  const level = isKnown && config.facilities === null ? available.minus(config.inventory.buffer) : null;
  return {
    ...config.products.createFields,
    ...withoutLeftOut(config, { seller: config.marketplace.sellerId }),
    ...(level === null || level.isNegative() ? {} : { quantity: writeDecimal(level) }),
  };
}
