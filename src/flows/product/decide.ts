import { type Cause, cause } from '../../domain/causes/cause.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { Money } from '../../domain/money.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { Echoes } from '../../store/links.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { AlikeListing } from '../../store/observe.ts';
import { act, contested, createWords, type Decision, hold, inSync, type Planned } from '../engine/decision.ts';
import { differingFields, personsTexts, showFields, type WireFields } from '../engine/fields.ts';
import type { Braked } from '../engine/policy.ts';

/** Both sides of one product. */
export interface ProductSnapshot {
  readonly erp: ErpSide | null;
  /** Why the ERP's last row of it cannot be read. */
  readonly erpMisfit: string | null;
  /** The listing this product is linked to. */
  readonly linked: { readonly id: number; readonly listing: Listing | null } | null;
  /** Listings that are linked to nothing and name this product. */
  readonly candidates: { readonly byExternalId: readonly Listing[]; readonly bySku: readonly Listing[] };
  /** Listings on sale that are linked to nothing, name no product, and may be this one. */
  readonly alike: readonly AlikeListing[];
  /** Every listing has been read at least once: only then is "not there" known. */
  readonly listingsKnown: boolean;
  /** Why the listings could not be read once more before one is created; null when they were, or need not be. */
  readonly listingsUnread: string | null;
  /** A create that may have been applied. */
  readonly createInDoubt: boolean;
  /** The fields that the listing should show. */
  readonly wanted: WireFields;
  /** Why the fields of the listing cannot be made. */
  readonly wantedProblem: Cause | null;
  /** The product line of the listing, when it has to be created first. */
  readonly missingLine: MissingLine | null;
  /** Further fields of a create. */
  readonly createFields: WireFields;
  readonly echoes: Echoes;
  /** The listing is archived because the ERP did not sell its product. Otherwise a person on the marketplace archived it. */
  readonly archivedWithErp: boolean;
  readonly rules: {
    readonly create: boolean;
    readonly archive: boolean;
    readonly archivedByHand: 'hold' | 'restore';
    readonly currency: string;
  };
}

interface ErpSide extends Pick<StoredErpProduct, 'id' | 'sku' | 'price'> {
  /** Active, not deleted, and not absent from two complete listings in a row. */
  readonly sold: boolean;
  /** Absent from the last complete listing. One more listing has to confirm that. */
  readonly missing: boolean;
  readonly twins: number;
}

export interface Listing extends Pick<StoredProduct, 'id' | 'managed' | 'sku' | 'externalId' | 'archived' | 'price'> {
  readonly misfit: string | null;
  readonly fields: WireFields;
}

export type ProductAction = Planned &
  Braked &
  (
    | { readonly action: 'product-line.create'; readonly line: MissingLine }
    | { readonly action: 'product.link'; readonly listingId: number; readonly how: string }
    | {
        readonly action: 'product.create';
        readonly fields: WireFields;
        /** An earlier create may have been applied, and nothing is to be created any more. */
        readonly adoptOnly: boolean;
      }
    | { readonly action: 'product.patch'; readonly listingId: number; readonly fields: WireFields }
    /** The price is a write of its own: a brake may hold it while the rest goes on. */
    | { readonly action: 'product.price'; readonly listingId: number; readonly fields: WireFields }
    | { readonly action: 'product.archive'; readonly listingId: number }
    | { readonly action: 'product.restore'; readonly listingId: number }
  );

/** A product line of a brand that the marketplace does not have. */
export interface MissingLine {
  readonly name: string;
  readonly brandId: number;
}

export function decideProduct(snapshot: ProductSnapshot): Decision<ProductAction> {
  const { erp, erpMisfit, linked } = snapshot;
  if (erpMisfit !== null) return hold(cause('erp-product-misfit', { problem: erpMisfit }));
  if (erp === null) return inSync();
  if (erp.twins > 1) {
    const reason = cause('sku-twice', { sku: erp.sku, count: erp.twins });
    return linked === null ? contested(reason) : hold(reason);
  }
  if (linked === null) return decideUnlinked(snapshot, erp);
  if (linked.listing === null) {
    return snapshot.listingsKnown
      ? hold(cause('listing-gone', { listing: linked.id, sku: erp.sku }))
      : hold(cause('listings-unread'));
  }
  const { misfit } = linked.listing;
  if (misfit !== null) return hold(cause('listing-misfit', { listing: linked.id, problem: misfit }));
  const decision = decideLinked(snapshot, erp, linked.listing);
  return { ...decision, alerts: [...decision.alerts, ...listedBeside(snapshot, erp, linked.listing)] };
}

/** Further listings of the product that are on sale, because of a wrong link or by hand. */
function listedBeside({ candidates }: ProductSnapshot, erp: ErpSide, listing: Listing): Cause[] {
  const live = [...candidates.byExternalId, ...candidates.bySku.filter(({ externalId }) => externalId === null)].filter(
    ({ archived }) => !archived,
  );
  const others = [...new Set(live.map(({ id }) => id))];
  if (others.length === 0) return [];
  return [cause('listed-beside', { sku: erp.sku, listing: listing.id, others, sold: erp.sold })];
}

function decideLinked(snapshot: ProductSnapshot, erp: ErpSide, listing: Listing): Decision<ProductAction> {
  const { rules } = snapshot;
  const target = `listing ${listing.id} (${erp.sku})`;
  if (!erp.sold) {
    if (listing.archived) return inSync();
    if (erp.missing) return hold(cause('product-missing-once', { sku: erp.sku }));
    if (!rules.archive) return inSync([cause('archive-off', { sku: erp.sku })]);
    return act([archiveOf(listing, target)]);
  }
  if (listing.archived) {
    const { archivedWithErp } = snapshot;
    if (!archivedWithErp && rules.archivedByHand === 'hold') {
      return hold(cause('archived-by-hand', { listing: listing.id, sku: erp.sku }));
    }
    const problem = priceProblem(erp, rules.currency);
    if (problem !== null) return hold(problem);
    if (listing.managed) return hold(cause('comes-back-with-stock', { listing: listing.id, sku: erp.sku }));
    const change = { before: 'archived', after: 'listed', why: whyBack(snapshot) };
    return act([{ action: 'product.restore', target, ...change, listingId: listing.id }]);
  }
  return decideFields(snapshot, erp, listing, target);
}

/** Why an archived listing is brought back. */
export function whyBack({ archivedWithErp }: ProductSnapshot): string {
  return archivedWithErp ? 'active in the ERP again' : 'archived on the marketplace, not by us';
}

const PRICE = 'wholesale_price';
const NAME = 'name';

function archiveOf(listing: Listing, target: string): ProductAction {
  const change = { before: 'listed', after: 'archived', why: 'deactivated, deleted or gone in the ERP' };
  return { action: 'product.archive', target, ...change, brake: 'archive', listingId: listing.id };
}

/** A price or a name that cannot be written now does not keep the other fields from being written. */
function decideFields(
  snapshot: ProductSnapshot,
  erp: ErpSide,
  listing: Listing,
  target: string,
): Decision<ProductAction> {
  const held = heldPrice(snapshot, erp, listing);
  if (snapshot.wantedProblem !== null) return hold(held ?? snapshot.wantedProblem);
  const names = differingFields(snapshot.wanted, listing.fields, snapshot.echoes);
  const nameless = names.includes(NAME) ? nameProblem(snapshot, erp) : null;
  const rest = names.filter((name) => name !== PRICE && (name !== NAME || nameless === null));
  const change = { why: 'the ERP shows it otherwise', listingId: listing.id, target };
  const actions: ProductAction[] = lineFirst(snapshot, erp);
  if (rest.length > 0) {
    actions.push({
      action: 'product.patch',
      ...change,
      before: showFields(rest, listing.fields),
      after: showFields(rest, snapshot.wanted),
      replaces: personsTexts(rest, listing.fields, snapshot.echoes),
      fields: Object.fromEntries(rest.map((name) => [name, snapshot.wanted[name]])),
    });
  }
  if (held === null && names.includes(PRICE)) actions.push(priceOf(snapshot, erp, listing, change));
  return { ...act(actions), holds: [held, nameless].filter((one) => one !== null) };
}

/** The reason why the price is left as it is. */
function heldPrice({ rules }: ProductSnapshot, erp: ErpSide, listing: Listing): Cause | null {
  const shown = listing.price?.currency ?? rules.currency;
  if (shown === rules.currency) return priceProblem(erp, rules.currency);
  return cause('listing-currency', { listing: listing.id, sku: erp.sku, shown, wanted: rules.currency });
}

function priceOf(
  { wanted }: ProductSnapshot,
  erp: ErpSide,
  listing: Listing,
  change: { readonly why: string; readonly listingId: number; readonly target: string },
): ProductAction {
  const moved = changePercent(listing.price, erp.price);
  return {
    action: 'product.price',
    ...change,
    before: listing.price === undefined ? null : moneyText(listing.price),
    after: moneyText(erp.price),
    fields: { [PRICE]: wanted[PRICE] },
    brake: 'price',
    priceAmount: erp.price.amount,
    ...(moved === null ? {} : { changePercent: moved }),
  };
}

function moneyText({ amount, currency }: Money): string {
  return `${amount.toFixed()} ${currency}`;
}

function lineFirst({ missingLine }: ProductSnapshot, erp: ErpSide): ProductAction[] {
  if (missingLine === null) return [];
  const { name, brandId } = missingLine;
  const change = { before: null, after: `"${name}" of brand ${brandId}`, why: `${erp.sku} belongs to it` };
  return [{ action: 'product-line.create', target: `product line "${name}"`, ...change, line: missingLine }];
}

function decideUnlinked(snapshot: ProductSnapshot, erp: ErpSide): Decision<ProductAction> {
  if (!snapshot.listingsKnown) return hold(cause('listings-unread'));
  const { byExternalId, bySku } = snapshot.candidates;
  if (byExternalId.length > 1) return contested(manyListings(byExternalId, 'external id', erp.id));
  if (byExternalId[0] !== undefined) return link(snapshot, erp, byExternalId[0], 'external_id');
  for (const { id: listing, externalId } of bySku) {
    if (externalId === null) continue;
    return contested(cause('listing-of-another', { listing, sku: erp.sku, externalId, product: erp.id }));
  }
  const live = bySku.filter((listing) => !listing.archived);
  const found = live.length > 0 ? live : bySku;
  if (found.length > 1) return contested(manyListings(found, 'SKU', erp.sku));
  if (found[0] !== undefined) return link(snapshot, erp, found[0], 'sku');
  return decideCreate(snapshot, erp);
}

function decideCreate(snapshot: ProductSnapshot, erp: ErpSide): Decision<ProductAction> {
  const isSold = erp.sold && !erp.missing && snapshot.rules.create;
  if (!isSold && !snapshot.createInDoubt) return inSync();
  if (snapshot.alike.length > 0 && !snapshot.createInDoubt) {
    const listings = snapshot.alike.map(({ id, sku, by }) => ({ id, sku, by }));
    return contested(cause('could-be-listed', { sku: erp.sku, product: erp.id, listings }));
  }
  const own = () => priceProblem(erp, snapshot.rules.currency) ?? snapshot.wantedProblem ?? nameProblem(snapshot, erp);
  const problem = isSold ? own() : null;
  // A create whose answer was lost is settled first, even if other fields are wanted by now.
  if (problem !== null && !snapshot.createInDoubt) return hold(problem);
  const isWanted = isSold && problem === null;
  if (snapshot.listingsUnread !== null) {
    return hold(cause('listed-by-hand-unknown', { sku: erp.sku, problem: snapshot.listingsUnread }));
  }
  const fields = { ...snapshot.createFields, ...snapshot.wanted };
  const { createInDoubt } = snapshot;
  const shown = showFields(Object.keys(fields), fields);
  const words = createWords(shown, 'no listing for it yet', { isWanted, createInDoubt });
  const target = `a listing for ${erp.sku}`;
  const line = isWanted ? lineFirst(snapshot, erp) : [];
  // A create whose answer was lost has passed the brake.
  const braked = isWanted && !createInDoubt ? createBraked(erp, snapshot.wanted) : {};
  return act([...line, { action: 'product.create', target, ...words, fields, ...braked }]);
}

/** An approval is for the product at its price: stock moves on while a plan waits for an operator. */
function createBraked({ price }: ErpSide, { name }: WireFields): Braked {
  const shown = [name, moneyText(price)].filter((part) => typeof part === 'string').join(' at ');
  return { brake: 'create', asPlanned: { before: 'not listed', after: shown } };
}

/** The link and the archive of a product that is not sold are decided together: a brake counts the archives of a pass. */
function link({ rules }: ProductSnapshot, erp: ErpSide, listing: Listing, how: string): Decision<ProductAction> {
  const target = `listing ${listing.id} (${erp.sku})`;
  const change = { before: 'not linked', after: `linked to ERP product ${erp.id}`, why: `found by ${how}` };
  const isKept = erp.sold || erp.missing || listing.archived || listing.misfit !== null || !rules.archive;
  const after = isKept ? [] : [archiveOf(listing, target)];
  return act([{ action: 'product.link', target, ...change, listingId: listing.id, how }, ...after]);
}

function manyListings(listings: readonly Listing[], sign: string, value: string): Cause {
  return cause('several-listings', { sign, value, listings: listings.map(({ id }) => String(id)) });
}

/** Why a listing cannot have the ERP's price. */
function priceProblem({ sku, price }: ErpSide, currency: string): Cause | null {
  if (price.currency !== currency) return cause('price-currency', { sku, shown: price.currency, wanted: currency });
  return price.amount.greaterThan(0) ? null : cause('price-not-positive', { sku, price: price.amount.toFixed() });
}

/** The marketplace takes no empty name (spec 2, Product). */
function nameProblem({ wanted }: ProductSnapshot, { sku }: ErpSide): Cause | null {
  const { name } = wanted;
  return typeof name === 'string' && name.trim() === '' ? cause('name-missing', { sku }) : null;
}

function changePercent(before: Money | undefined, after: Money): Decimal | null {
  if (before === undefined || before.amount.isZero()) return null;
  return after.amount.minus(before.amount).dividedBy(before.amount).times(100);
}
