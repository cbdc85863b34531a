import type { AccountConfig } from '../../config/resolve.ts';
import type { Decimal, Figure } from '../../domain/decimal.ts';
import { CONFIRMED_ABSENCES, isGone, isSold } from '../../domain/product.ts';
import { magnitudeProblem } from '../../domain/quantity.ts';
import {
  convertedCases,
  inWholeCases,
  listedOf,
  listingPriceOf,
  type Multiplier,
  type Price,
  productPriceOf,
  type Units,
  unitsInListed,
  unitsOfErpStock,
} from '../../domain/units.ts';
import { parseJson } from '../../http/json.ts';
import { writeDecimal } from '../../marketplace/entities/amounts.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { LISTINGS_KNOWN } from '../../shadow/last-read.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { ShownListing } from '../../store/observe.ts';
import { invalidRowText } from '../../store/reading.ts';
import type { WireFields } from '../engine/fields.ts';
import { archiveReason } from './archived.ts';
import type { Listing, ProductSnapshot } from './snapshot.ts';
import { wantedOf, withoutLeftOut } from './wanted.ts';

export async function observeProduct(context: AccountRecords, key: string): Promise<ProductSnapshot> {
  const { account, config, store } = context;
  const rows = await store.observe.product(account, key, [LISTINGS_KNOWN]);
  const { erp, mapping, stock, candidates } = rows;
  const linkedId = mapping?.state === 'linked' ? Number(mapping.marketplaceId) : null;
  const listing = rows.listing === null ? null : toListing(rows.listing);
  const echoes = mapping?.echoes ?? {};
  const isBack = listing?.archived === true && erp !== null && isSold(erp);
  const multiplier = multiplierOf(config, erp, rows.listing?.stored ?? null);
  const price = erp === null ? null : listingPriceOf(config.units, erp.price, multiplier);
  const wanted = erp === null || price === null ? null : await wantedOf(context, erp, price, isSold(erp));
  return {
    erp: erp === null || price === null ? null : sideOf(erp, price, multiplier, rows.twins),
    rescaled: erp === null || rows.listing === null ? {} : rescaled(config, rows.listing.stored, erp.unitMultiplier),
    offersTooMuch: false,
    isPriceKept:
      erp !== null && listing?.price !== undefined && isKept(config.units, listing.price, erp.price, multiplier),
    invalidErpRow: invalidRowText(rows.invalidErpRow),
    linked: linkedId === null ? null : { id: linkedId, listing, gone: rows.listingGone },
    candidates: {
      byExternalId: candidates.byExternalId.map(toListing),
      bySku: candidates.bySku.map(toListing),
    },
    othersOfSku: rows.othersOfSku,
    inherits: rows.inherits === null ? null : { ...rows.inherits, listing: toListing(rows.inherits.listing) },
    alike: rows.alike,
    listingsUnread: null,
    listingsKnown: rows.facts.has(LISTINGS_KNOWN),
    createInDoubt: rows.createInDoubt,
    wanted: wanted?.fields ?? {},
    wantedProblem: wanted?.problem ?? null,
    missingLine: wanted?.missingLine ?? null,
    createFields: {
      ...createFields(config, stock?.problem === null ? stock.available : null, multiplier),
      ...wanted?.createOnly,
    },
    echoes,
    nowMs: context.now(),
    archiveReason: isBack ? await archiveReason(context, key, echoes) : 'by-hand',
    rules: {
      create: config.products.create,
      archive: config.products.archive,
      archivedByHand: config.products.archivedByHand,
      currency: config.currency,
      pricePer: config.units.marketplace.pricePer,
    },
  };
}

/** The listing's units in a case: its own if the configuration does not write the ERP's. */
function multiplierOf(
  { products }: AccountConfig,
  erp: StoredErpProduct | null,
  listing: StoredProduct | null,
): Multiplier {
  return products.leftOut.includes('unit_multiplier')
    ? (listing?.unitMultiplier ?? erp?.unitMultiplier ?? null)
    : (erp?.unitMultiplier ?? null);
}

function sideOf(erp: StoredErpProduct, price: Price<'marketplace price'>, multiplier: Multiplier, twins: number) {
  return {
    ...erp,
    erpPrice: erp.price,
    price,
    multiplier,
    sold: isSold(erp),
    missing: isMissing(erp),
    gone: isGone(erp),
    twins,
  };
}

function isMissing({ active, deleted, absences }: StoredErpProduct): boolean {
  return active && !deleted && absences > 0 && absences < CONFIRMED_ABSENCES;
}

function toListing({ stored, raw, invalidRow }: ShownListing): Listing {
  return {
    ...stored,
    invalidRow: invalidRowText(invalidRow),
    fields: raw === null ? {} : (parseJson(raw) as WireFields),
  };
}

/** Whether the ERP's price is the listing's one, rounded to fewer digits. */
function isKept(
  units: Units,
  listed: Price<'marketplace price'>,
  kept: Price<'erp price'>,
  multiplier: Multiplier,
): boolean {
  const exact = productPriceOf(units, listed, multiplier).amount;
  return (
    listed.currency === kept.currency &&
    exact.toDecimalPlaces(Math.max(2, kept.amount.decimalPlaces())).equals(kept.amount)
  );
}

/** As many full new cases as the old ones hold. */
function rescaled(
  { inventory, facilities, units }: AccountConfig,
  { figures, unitMultiplier }: StoredProduct,
  next: Decimal,
): WireFields {
  const shown = inventory.write === 'quantity' ? figures.quantity : figures.available;
  if (facilities !== null || shown === null || unitMultiplier === undefined) return {};
  const figure = convertedCases(units, shown, unitMultiplier, next);
  return figure === null ? {} : { [inventory.write]: writeDecimal(figure) };
}

function createFields(config: AccountConfig, stock: Figure<'erp stock'> | null, multiplier: Multiplier): WireFields {
  const level = initialLevel(config, stock, multiplier);
  return {
    ...config.products.createFields,
    ...withoutLeftOut(config, { seller: config.marketplace.sellerId }),
    ...(level === null ? {} : { quantity: writeDecimal(level) }),
  };
}

/** null: unknown (never zero), or set by facility after the create. */
function initialLevel(
  { facilities, inventory, units }: AccountConfig,
  stock: Figure<'erp stock'> | null,
  multiplier: Multiplier,
): Figure<'marketplace stock'> | null {
  const available = stock === null ? null : unitsOfErpStock(units, stock, multiplier);
  const unitsIn = unitsInListed(units, multiplier);
  if (facilities !== null || available === null || unitsIn === null || magnitudeProblem(available) !== null)
    return null;
  const level = available.minus(inventory.buffer);
  return level.isNegative() ? null : listedOf(inWholeCases(level, unitsIn), unitsIn);
}
