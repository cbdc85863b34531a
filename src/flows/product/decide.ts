import type { Decimal } from '../../domain/decimal.ts';
import type { Money } from '../../domain/money.ts';
import { act, contested, type Decision, hold, inSync, type Planned } from '../engine/decision.ts';
import type { Braked } from '../engine/policy.ts';
import { differingFields, type Echoes, showFields, type WireFields } from './fields.ts';

/** Both sides of one product. */
export interface ProductSnapshot {
  readonly erp: {
    readonly id: string;
    readonly sku: string;
    /** Active, not deleted, and not absent from two complete listings in a row. */
    readonly sold: boolean;
    /** Absent from the last complete listing, which one more has to confirm. */
    readonly missing: boolean;
    readonly price: Money;
    readonly twins: number;
  } | null;
  /** Why the ERP's last row of it cannot be read. */
  readonly erpMisfit: string | null;
  /** The listing this product is linked to. */
  readonly linked: { readonly id: number; readonly listing: Listing | null } | null;
  /** Listings that nobody is linked to and that could be this product's. */
  readonly candidates: { readonly byExternalId: readonly Listing[]; readonly bySku: readonly Listing[] };
  /** Every listing has been read at least once: only then is "not there" known. */
  readonly listingsKnown: boolean;
  /** Why the listings could not be read once more before one is created; null when they were, or need not be. */
  readonly listingsUnread: string | null;
  /** A create that may have been applied. */
  readonly createInDoubt: boolean;
  /** What the listing should show. */
  readonly wanted: WireFields;
  /** Why what it should show cannot be told; names the field. */
  readonly wantedProblem: string | null;
  /** A product line that it belongs to and that has to be created first. */
  readonly missingLine: MissingLine | null;
  /** What a create sends besides. */
  readonly createFields: WireFields;
  readonly echoes: Echoes;
  readonly rules: { readonly create: boolean; readonly archive: boolean; readonly currency: string };
}

export interface Listing {
  readonly id: number;
  /** The marketplace keeps its quantity. */
  readonly managed: boolean;
  readonly sku: string | null;
  readonly externalId: string | null;
  readonly archived: boolean;
  readonly misfit: string | null;
  readonly price: Money | null;
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
    /** Of its own, so that a brake may hold it and the rest goes on. */
    | { readonly action: 'product.price'; readonly listingId: number; readonly fields: WireFields }
    | { readonly action: 'product.archive'; readonly listingId: number }
    | { readonly action: 'product.restore'; readonly listingId: number }
  );

/** A product line of a brand that the marketplace does not have. */
export interface MissingLine {
  readonly name: string;
  readonly brandId: number;
}

/** Holds that end by themselves. */
export const LISTINGS_UNREAD = 'the listings are not completely read yet';
export const NAMES_UNREAD = "the marketplace's lists of names are not read yet";

/** The flow of its stock lists it: what keeps it is told there. */
export const WITH_ITS_STOCK = 'comes back with its stock: see its key in the flow of stock';

export function decideProduct(snapshot: ProductSnapshot): Decision<ProductAction> {
  const { erp, erpMisfit, linked } = snapshot;
  if (erpMisfit !== null) return hold(`the ERP's product does not fit: ${erpMisfit}`);
  if (erp === null) return inSync();
  if (erp.twins > 1) {
    const reason = `SKU ${erp.sku} stands ${erp.twins} times in the ERP: give each product its own`;
    return linked === null ? contested(reason) : hold(reason);
  }
  if (linked === null) return decideUnlinked(snapshot, erp);
  if (linked.listing === null) {
    return snapshot.listingsKnown
      ? hold(
          `listing ${linked.id} is linked to ${erp.sku} and the marketplace does not show it: unlink it to create another`,
        )
      : hold(LISTINGS_UNREAD);
  }
  if (linked.listing.misfit !== null) return hold(`listing ${linked.id} does not fit: ${linked.listing.misfit}`);
  return decideLinked(snapshot, erp, linked.listing);
}

type ErpSide = NonNullable<ProductSnapshot['erp']>;

function decideLinked(snapshot: ProductSnapshot, erp: ErpSide, listing: Listing): Decision<ProductAction> {
  const { rules } = snapshot;
  const target = `listing ${listing.id} (${erp.sku})`;
  if (!erp.sold) {
    if (listing.archived) return inSync();
    if (erp.missing) return hold(`${erp.sku} was absent from one complete listing of the ERP: the next one decides`);
    if (!rules.archive) return inSync([`${erp.sku} is not sold any more and products.archive is off`]);
    return act([archiveOf(listing, target)]);
  }
  if (listing.archived) {
    const problem = priceProblem(erp.price, rules.currency);
    if (problem !== null) return hold(`${erp.sku}: ${problem}`);
    if (listing.managed) return hold(`${target} ${WITH_ITS_STOCK}`);
    const change = { before: 'archived', after: 'listed', why: 'active in the ERP again' };
    return act([{ action: 'product.restore', target, ...change, listingId: listing.id }]);
  }
  return decideFields(snapshot, erp, listing, target);
}

const PRICE = 'wholesale_price';

function archiveOf(listing: Listing, target: string): ProductAction {
  const change = { before: 'listed', after: 'archived', why: 'deactivated, deleted or gone in the ERP' };
  return { action: 'product.archive', target, ...change, brake: 'archive', listingId: listing.id };
}

/** A price that cannot be written, or not yet, keeps nothing else from being written. */
function decideFields(
  snapshot: ProductSnapshot,
  erp: ErpSide,
  listing: Listing,
  target: string,
): Decision<ProductAction> {
  const held = heldPrice(snapshot, erp, listing, target);
  if (snapshot.wantedProblem !== null) return held === null ? holdFor(erp, snapshot.wantedProblem) : hold(held);
  const names = differingFields(snapshot.wanted, listing.fields, snapshot.echoes);
  const rest = names.filter((name) => name !== PRICE);
  const change = { why: 'the ERP shows it otherwise', listingId: listing.id, target };
  const actions: ProductAction[] = lineFirst(snapshot, erp);
  if (rest.length > 0) {
    actions.push({
      action: 'product.patch',
      ...change,
      before: showFields(rest, listing.fields),
      after: showFields(rest, snapshot.wanted),
      fields: Object.fromEntries(rest.map((name) => [name, snapshot.wanted[name]])),
    });
  }
  if (held === null && names.includes(PRICE)) actions.push(priceOf(snapshot, erp, listing, change));
  return { ...act(actions), hold: held };
}

/** Why the price is left as it is. */
function heldPrice({ rules }: ProductSnapshot, erp: ErpSide, listing: Listing, target: string): string | null {
  const shown = listing.price?.currency ?? rules.currency;
  if (shown !== rules.currency) return `${target} is priced in ${shown}, the account's currency is ${rules.currency}`;
  const problem = priceProblem(erp.price, rules.currency);
  return problem === null ? null : `${erp.sku}: ${problem}`;
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
    before: listing.price === null ? null : moneyText(listing.price),
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

function holdFor(erp: ErpSide, problem: string): Decision<ProductAction> {
  return hold(problem === NAMES_UNREAD ? problem : `${erp.sku}: ${problem}`);
}

function lineFirst({ missingLine }: ProductSnapshot, erp: ErpSide): ProductAction[] {
  if (missingLine === null) return [];
  const { name, brandId } = missingLine;
  const change = { before: null, after: `"${name}" of brand ${brandId}`, why: `${erp.sku} belongs to it` };
  return [{ action: 'product-line.create', target: `product line "${name}"`, ...change, line: missingLine }];
}

function decideUnlinked(snapshot: ProductSnapshot, erp: ErpSide): Decision<ProductAction> {
  if (!snapshot.listingsKnown) return hold(LISTINGS_UNREAD);
  const { byExternalId, bySku } = snapshot.candidates;
  if (byExternalId.length > 1) return contested(manyListings(byExternalId, `external id ${erp.id}`));
  if (byExternalId[0] !== undefined) return link(snapshot, erp, byExternalId[0], 'external_id');
  const foreign = bySku.find((listing) => listing.externalId !== null);
  if (foreign !== undefined) {
    return contested(
      `listing ${foreign.id} has SKU ${erp.sku} and belongs to external id ${foreign.externalId}, not ${erp.id}: link or unlink it by hand`,
    );
  }
  const live = bySku.filter((listing) => !listing.archived);
  const found = live.length > 0 ? live : bySku;
  if (found.length > 1) return contested(manyListings(found, `SKU ${erp.sku}`));
  if (found[0] !== undefined) return link(snapshot, erp, found[0], 'sku');
  return decideCreate(snapshot, erp);
}

function decideCreate(snapshot: ProductSnapshot, erp: ErpSide): Decision<ProductAction> {
  const isSold = erp.sold && !erp.missing && snapshot.rules.create;
  if (!isSold && !snapshot.createInDoubt) return inSync();
  const problem = isSold ? (priceProblem(erp.price, snapshot.rules.currency) ?? snapshot.wantedProblem) : null;
  // A create whose answer was lost is settled first, whatever it should show now.
  if (problem !== null && !snapshot.createInDoubt) return holdFor(erp, problem);
  const isWanted = isSold && problem === null;
  if (snapshot.listingsUnread !== null) {
    return hold(`whether ${erp.sku} was listed by hand meanwhile cannot be read: ${snapshot.listingsUnread}`);
  }
  const fields = { ...snapshot.createFields, ...snapshot.wanted };
  const why = snapshot.createInDoubt ? 'a create whose answer was lost has to be settled' : 'no listing for it yet';
  const change = {
    before: null,
    after: isWanted ? showFields(Object.keys(fields), fields) : 'linked if it is there',
    why,
  };
  const target = `a listing for ${erp.sku}`;
  const line = isWanted ? lineFirst(snapshot, erp) : [];
  return act([...line, { action: 'product.create', target, ...change, fields, adoptOnly: !isWanted }]);
}

/** What follows for a product that is not sold is told at once: a brake counts what a pass would archive. */
function link({ rules }: ProductSnapshot, erp: ErpSide, listing: Listing, how: string): Decision<ProductAction> {
  const target = `listing ${listing.id} (${erp.sku})`;
  const change = { before: 'not linked', after: `linked to ERP product ${erp.id}`, why: `found by ${how}` };
  const isKept = erp.sold || erp.missing || listing.archived || listing.misfit !== null || !rules.archive;
  const after = isKept ? [] : [archiveOf(listing, target)];
  return act([{ action: 'product.link', target, ...change, listingId: listing.id, how }, ...after]);
}

function manyListings(listings: readonly Listing[], by: string): string {
  return `${listings.length} listings have ${by} (${listings.map((listing) => listing.id).join(', ')}): link the right one`;
}

/** Why a listing cannot have this price. */
export function priceProblem(price: Money, currency: string): string | null {
  if (price.currency !== currency) return `its price is in ${price.currency}, the account's currency is ${currency}`;
  return price.amount.greaterThan(0) ? null : `its price is ${price.amount.toFixed()}: not above zero`;
}

function changePercent(before: Money | null, after: Money): Decimal | null {
  if (before === null || before.amount.isZero()) return null;
  return after.amount.minus(before.amount).dividedBy(before.amount).times(100);
}
