import { type Cause, cause } from '../../domain/causes/cause.ts';
import { reportedGone } from '../../domain/gone.ts';
import { competingListings } from '../../domain/product.ts';
import { act, createWords, type Decision, hold, holdForLink, inSync } from '../engine/decision.ts';
import { differingFields, fieldsWrittenByPeople, showFields } from '../engine/fields.ts';
import { overwrittenValues, recentlyReplaced, unrecordedAgreement, writeReason } from '../engine/overwritten.ts';
import type { Braked } from '../engine/policy.ts';
import { CASE, heldPrice, PRICE, priceOf, priceProblem, priceText } from './price.ts';
import type { ErpSide, Inherited, Listing, ProductAction, ProductSnapshot } from './snapshot.ts';

export function decideProduct(snapshot: ProductSnapshot): Decision<ProductAction> {
  const { erp, invalidErpRow, linked } = snapshot;
  if (invalidErpRow !== null) return hold(cause('erp-product-invalid', { problem: invalidErpRow }));
  if (erp === null) return inSync();
  if (erp.twins > 1) {
    const reason = cause('sku-twice', { sku: erp.sku, count: erp.twins });
    return linked === null ? holdForLink(reason) : hold(reason);
  }
  if (snapshot.inherits !== null && !erp.gone) return relink(snapshot, erp, snapshot.inherits);
  if (linked === null) return decideUnlinked(snapshot, erp);
  if (linked.listing === null) {
    if (!snapshot.listingsKnown) return hold(cause('listings-unread'));
    const found = [...snapshot.candidates.byExternalId, ...snapshot.candidates.bySku];
    // Neither side has the product any more, or the ERP sells the SKU as another product.
    const isOver = found.every(({ archived }) => archived) || (erp.gone && erp.twins > 0);
    if (!erp.sold && !erp.missing && isOver) return inSync();
    const [again, another] = found;
    if (again !== undefined && (another === undefined || another.id === again.id))
      return relinkTo(erp, again, `listing ${linked.id} is gone, and this one has its SKU`);
    return hold(cause('listing-gone', { listing: linked.id, sku: erp.sku, ...reportedGone(linked.gone) }));
  }
  const { invalidRow } = linked.listing;
  if (invalidRow !== null) return hold(cause('listing-invalid', { listing: linked.id, problem: invalidRow }));
  const decision = decideLinked(snapshot, erp, linked.listing);
  return { ...decision, alerts: [...decision.alerts, ...listedBeside(snapshot, erp, linked.listing)] };
}

/** Other listings of the product on sale, from a wrong link or created by hand. */
function listedBeside({ candidates }: ProductSnapshot, erp: ErpSide, listing: Listing): Cause[] {
  const others = competingListings(candidates).map(({ id }) => id);
  if (others.length === 0) return [];
  return [cause('listed-beside', { sku: erp.sku, listing: listing.id, others, sold: erp.sold })];
}

/** An operator approves each moved link, and confirms the product if the names differ. */
function relink(
  { linked }: ProductSnapshot,
  erp: ErpSide,
  { listing, from, isSame }: Inherited,
): Decision<ProductAction> {
  if (isSame) return relinkTo(erp, listing, `ERP product ${erp.id} has the SKU and the name of ERP product ${from}`);
  const product = { sku: erp.sku, product: erp.id, name: erp.name };
  if (linked === null) return holdForLink(cause('sku-reused', { ...product, listing: listing.id, former: from }));
  return holdForLink(cause('product-became-another', { ...product, listing: linked.id, other: listing.id }));
}

function relinkTo({ id, sku }: ErpSide, listing: Listing, why: string): Decision<ProductAction> {
  const target = `listing ${listing.id} (${sku}, ${listing.name ?? 'no name'})`;
  const change = { before: 'linked otherwise', after: `linked to ERP product ${id}`, why };
  return act([{ action: 'product.relink', target, ...change, brake: 'relink', listingId: listing.id }]);
}

function decideLinked(snapshot: ProductSnapshot, erp: ErpSide, listing: Listing): Decision<ProductAction> {
  const { rules } = snapshot;
  const target = `listing ${listing.id} (${erp.sku})`;
  if (!erp.sold) {
    if (listing.archived) return inSync();
    // The ERP sells the product under another id. That product's flow tells the operator what to do.
    if (erp.gone && erp.twins > 0) return inSync();
    if (erp.missing) return hold(cause('product-missing-once', { sku: erp.sku }));
    if (!rules.archive) return inSync([cause('archive-off', { sku: erp.sku })]);
    return act([archiveOf(listing, target)]);
  }
  if (listing.archived) {
    const { archiveReason } = snapshot;
    if (rules.archivedByHand === 'hold') {
      if (archiveReason === 'left') return inSync();
      if (archiveReason === 'by-hand') return hold(cause('archived-by-hand', { listing: listing.id, sku: erp.sku }));
    }
    const problem = priceProblem(erp, rules.currency);
    if (problem !== null) return hold(problem);
    // Another listing may have the previous SKU by now.
    const differing = differingFields(snapshot.wanted, listing.fields, snapshot.echoes);
    if (listing.fields[SKU] !== undefined && differing.includes(SKU))
      return act([patchOf(snapshot, listing, target, [SKU], differing)]);
    if (listing.managed) return hold(cause('comes-back-with-stock', { listing: listing.id, sku: erp.sku }));
    const change = { before: 'archived', after: 'listed', why: restoreReason(snapshot) };
    return act([{ action: 'product.restore', target, ...change, listingId: listing.id }]);
  }
  return decideFields(snapshot, erp, listing, target);
}

export function restoreReason({ archiveReason }: ProductSnapshot): string {
  return RESTORE_REASONS[archiveReason];
}

const RESTORE_REASONS: Readonly<Record<ProductSnapshot['archiveReason'], string>> = {
  'with-erp': 'active in the ERP again',
  'by-hand': 'archived on the marketplace, not by us',
  left: 'archived on the marketplace, not by us',
  'asked-back': 'archived on the marketplace, not by us, and an operator wants it back',
};

const NAME = 'name';
const SKU = 'sku';
/** Stock at facilities is lowered by commands, which take about this long. */
const OFFER_LOOK_AGAIN_MS = 2_000;

function archiveOf(listing: Listing, target: string): ProductAction {
  const change = { before: 'listed', after: 'archived', why: 'deactivated, deleted or gone in the ERP' };
  return { action: 'product.archive', target, ...change, brake: 'archive', listingId: listing.id };
}

/** A price or name that cannot be written does not block the other fields. */
function decideFields(
  snapshot: ProductSnapshot,
  erp: ErpSide,
  listing: Listing,
  target: string,
): Decision<ProductAction> {
  const held = heldPrice(snapshot, erp, listing);
  if (snapshot.wantedProblem !== null) return hold(held ?? snapshot.wantedProblem);
  const differing = differingFields(snapshot.wanted, listing.fields, snapshot.echoes).filter(
    (name) => name !== PRICE || !snapshot.isPriceKept,
  );
  const isWaiting = snapshot.offersTooMuch && differing.includes(CASE);
  const names = differing.filter((name) => !isWaiting || (name !== CASE && name !== PRICE));
  // A case must never be sold at the price of another size. Both are written together, or wait together.
  const withPrice = names.includes(PRICE) && names.includes(CASE);
  const nameless = names.includes(NAME) ? nameProblem(snapshot, erp) : null;
  const rest = names.filter(
    (name) => name !== PRICE && !(withPrice && name === CASE) && (name !== NAME || nameless === null),
  );
  const agreed = unrecordedAgreement(snapshot.wanted, names, snapshot.echoes);
  const change = { listingId: listing.id, target, agreed };
  const actions: ProductAction[] = lineFirst(snapshot, erp);
  if (rest.length > 0) actions.push(patchOf(snapshot, listing, target, rest, names));
  if (held === null && names.includes(PRICE))
    actions.push(
      priceOf(
        snapshot,
        erp,
        listing,
        { ...change, ...reasonOf(snapshot, listing, withPrice ? [PRICE, CASE] : [PRICE]) },
        withPrice,
      ),
    );
  const shown = { wanted: snapshot.wanted, shown: listing.fields, echoes: snapshot.echoes };
  const again = Object.entries(recentlyReplaced(shown, snapshot.nowMs))
    .map(([name, was]) => `${name} ${was} is ${snapshot.echoes[name]?.sent} again`)
    .join(', ');
  const named = { listing: listing.id, sku: erp.sku };
  const alerts = [
    ...(again === '' ? [] : [cause('listing-set-back', { ...named, fields: again })]),
    ...(isWaiting ? [cause('larger-case-waits', { ...named, units: erp.multiplier?.toFixed() ?? '' })] : []),
  ];
  const holds = [held, nameless].filter((one) => one !== null);
  return { ...act(actions, alerts), holds, lookAgainMs: isWaiting ? OFFER_LOOK_AGAIN_MS : null };
}

/** @param differing all differing fields */
function patchOf(
  snapshot: ProductSnapshot,
  listing: Listing,
  target: string,
  names: readonly string[],
  differing: readonly string[],
): ProductAction {
  const { wanted, echoes, rescaled } = snapshot;
  return {
    action: 'product.patch',
    listingId: listing.id,
    target,
    agreed: unrecordedAgreement(wanted, differing, echoes),
    ...reasonOf(snapshot, listing, names),
    before: showFields(names, listing.fields),
    after: showFields(names, wanted),
    replaces: fieldsWrittenByPeople(names, listing.fields, echoes),
    fields: {
      ...Object.fromEntries(names.map((name) => [name, wanted[name]])),
      ...(names.includes(CASE) ? rescaled : {}),
    },
  };
}

function reasonOf({ wanted, echoes }: ProductSnapshot, listing: Listing, names: readonly string[]) {
  const replaced = overwrittenValues(names, wanted, listing.fields, echoes);
  return { why: writeReason(names.every((name) => Object.hasOwn(replaced, name))), replaced };
}

function lineFirst({ missingLine }: ProductSnapshot, erp: ErpSide): ProductAction[] {
  if (missingLine === null) return [];
  const { name, brandId } = missingLine;
  const change = { before: null, after: `"${name}" of brand ${brandId}`, why: `${erp.sku} belongs to it` };
  return [{ action: 'product-line.create', target: `product line "${name}"`, ...change, line: missingLine }];
}

function decideUnlinked(snapshot: ProductSnapshot, erp: ErpSide): Decision<ProductAction> {
  // The ERP sells the SKU as another product, to which its listings belong.
  if (erp.gone && erp.twins > 0 && !snapshot.createInDoubt) return inSync();
  if (!snapshot.listingsKnown) return hold(cause('listings-unread'));
  const { byExternalId, bySku } = snapshot.candidates;
  if (byExternalId.length > 1) return holdForLink(manyListings(byExternalId, 'external id', erp.id));
  if (byExternalId[0] !== undefined) return link(snapshot, erp, byExternalId[0], 'external_id');
  for (const { id: listing, externalId } of bySku) {
    if (externalId === null) continue;
    return holdForLink(cause('listing-of-another', { listing, sku: erp.sku, externalId, product: erp.id }));
  }
  const live = bySku.filter((listing) => !listing.archived);
  const found = live.length > 0 ? live : bySku;
  if (found.length > 1) return holdForLink(manyListings(found, 'SKU', erp.sku));
  if (found[0] !== undefined) return link(snapshot, erp, found[0], 'sku');
  return decideCreate(snapshot, erp);
}

function decideCreate(snapshot: ProductSnapshot, erp: ErpSide): Decision<ProductAction> {
  const isSold = erp.sold && !erp.missing && snapshot.rules.create;
  if (!isSold && !snapshot.createInDoubt) return inSync();
  if (snapshot.alike.length > 0 && !snapshot.createInDoubt) {
    const listings = snapshot.alike.map(({ id, sku, by }) => ({ id, sku, by }));
    return holdForLink(cause('could-be-listed', { sku: erp.sku, product: erp.id, listings }));
  }
  const [other] = snapshot.othersOfSku;
  if (other !== undefined && !snapshot.createInDoubt)
    return hold(cause('sku-still-listed', { sku: erp.sku, listing: other.listing, product: other.product }));
  const own = () => priceProblem(erp, snapshot.rules.currency) ?? snapshot.wantedProblem ?? nameProblem(snapshot, erp);
  const problem = isSold ? own() : null;
  // A create in doubt is settled first.
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
  // A create in doubt has passed the brake already.
  const braked = isWanted && !createInDoubt ? createBraked(snapshot, erp) : {};
  return act([...line, { action: 'product.create', target, ...words, fields, ...braked }]);
}

/** An approval covers the product at its price, because stock changes while a plan waits. */
function createBraked({ wanted, rules }: ProductSnapshot, { price, multiplier }: ErpSide): Braked {
  const shown = [wanted['name'], priceText(price, rules.pricePer, multiplier)]
    .filter((part) => typeof part === 'string')
    .join(' at ');
  return { brake: 'create', asPlanned: { before: 'not listed', after: shown } };
}

/** Links a product, and archives it at once if it is not sold, so that a brake counts the archives of a pass. */
function link({ rules }: ProductSnapshot, erp: ErpSide, listing: Listing, how: string): Decision<ProductAction> {
  const target = `listing ${listing.id} (${erp.sku})`;
  const change = { before: 'not linked', after: `linked to ERP product ${erp.id}`, why: `found by ${how}` };
  const isKept = erp.sold || erp.missing || listing.archived || listing.invalidRow !== null || !rules.archive;
  const after = isKept ? [] : [archiveOf(listing, target)];
  return act([{ action: 'product.link', target, ...change, listingId: listing.id, how }, ...after]);
}

function manyListings(listings: readonly Listing[], sign: string, value: string): Cause {
  return cause('several-listings', { sign, value, listings: listings.map(({ id }) => String(id)) });
}

/** The marketplace accepts no empty name (spec 2, Product). */
function nameProblem({ wanted }: ProductSnapshot, { sku }: ErpSide): Cause | null {
  const { name } = wanted;
  return typeof name === 'string' && name.trim() === '' ? cause('name-missing', { sku }) : null;
}
