import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { emailKey, licenseKey } from '../../../domain/customer.ts';
import { isDeleted } from '../../../domain/shadow/customers.ts';
import type { ErpCustomer } from '../../../erp/connector.ts';
import type { LikeCustomer, LikeErpCustomer, StoredCustomer } from '../../../store/marketplace.ts';
import type { LikeCustomers } from '../../../store/observe.ts';

/** The signs that tell a customer from others, on either side. */
export interface Identity extends Pick<LikeErpCustomer, 'id' | 'name' | 'licenseKey' | 'emailKey' | 'linkedTo'> {
  /** The id of the other side that the customer itself carries: its external id or its marketplace id. */
  readonly names: string | null;
  /** Archived, inactive or deleted. */
  readonly gone: boolean;
}

type MatchedBy = 'external_id' | 'license_number' | 'email';

export type Match =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly other: Identity; readonly by: MatchedBy }
  /** An operator has to say which two belong together. */
  | { readonly kind: 'conflict'; readonly cause: Cause };

/** A customer's counterpart on the other side, as far as this side knows. */
export interface Counterpart {
  /** The unlinked customer of the other side that is the same. */
  readonly match: Match;
  /** This customer may be our own create whose answer is outstanding. */
  readonly maybeOurOwn: Cause | null;
  /** Every customer of both sides has been read at least once: only then is "not there" known. */
  readonly known: boolean;
  /** A create there that may have been applied. */
  readonly createInDoubt: boolean;
}

/** The names of the two sides in messages. */
export interface Sides {
  readonly own: string;
  readonly other: string;
}

const RANKS: readonly MatchedBy[] = ['external_id', 'license_number', 'email'];
export const SIGNS = { external_id: 'external id', license_number: 'licence number', email: 'e-mail address' } as const;

/**
 * Finds the counterpart of an unlinked customer on the other side: by external id, then licence number, then e-mail address.
 * The first sign with a match decides, so a weaker sign never overrules a stronger one. Two matches are a conflict. So are
 * two customers that claim the same one, and a match that is linked to another customer already. Two customers of one side
 * that look alike are a conflict even where the other side has neither of them: both would be created there.
 * @param others of the other side, at least all that share a sign with `own`
 * @param rivals of its own side, at least all that share a sign with it
 */
export function matchCustomer(
  own: Identity,
  others: readonly Identity[],
  rivals: readonly Identity[],
  sides: Sides,
): Match {
  for (const by of RANKS) {
    const found = others.filter((other) => isSame(own, other, by));
    if (found.length > 0) return judge(own, found, rivals, by, sides);
    // A customer that has left is found by the id only: a link by likeness would archive its counterpart.
    if (own.gone) return { kind: 'none' };
    if (by === 'external_id' && own.names !== null) {
      return conflict(
        cause('customer-id-unknown', { own: named(sides.own, [own]), id: own.names, other: sides.other }),
      );
    }
  }
  for (const by of ['license_number', 'email'] as const) {
    const twins = rivals.filter((rival) => rival.id !== own.id && !rival.gone && isSame(own, rival, by));
    if (twins.length === 0) continue;
    return conflict(cause('customers-alike', { customers: named(sides.own, [own, ...twins]), sign: SIGNS[by] }));
  }
  return { kind: 'none' };
}

function judge(
  own: Identity,
  found: readonly Identity[],
  rivals: readonly Identity[],
  by: MatchedBy,
  sides: Sides,
): Match {
  const live = found.filter((other) => !other.gone);
  const [other, ...more] = live.length > 0 ? live : found;
  if (other === undefined) return { kind: 'none' };
  const like = { own: named(sides.own, [own]), sign: SIGNS[by] };
  if (more.length > 0) {
    return conflict(cause('customer-several', { ...like, others: named(sides.other, [other, ...more]) }));
  }
  const owner = [other.linkedTo, other.names].find((id) => id !== null && id !== own.id) ?? null;
  if (owner !== null) {
    const theirs = { other: named(sides.other, [other]), owner: `${sides.own} ${owner}` };
    return conflict(cause('customer-of-another', { ...like, ...theirs }));
  }
  // A rival claims by the same sign or a stronger one. A rival that has left claims by its id only.
  const signs = RANKS.slice(0, RANKS.indexOf(by) + 1);
  const claims = (rival: Identity) =>
    signs.some((sign) => isSame(rival, other, sign) && (sign === 'external_id' || !rival.gone));
  const claimants = rivals.filter((rival) => rival.id !== own.id && rival.linkedTo === null && claims(rival));
  if (claimants.length === 0) return { kind: 'one', other, by };
  return conflict(
    cause('customer-claimed', {
      other: named(sides.other, [other]),
      claimants: named(sides.own, [own, ...claimants]),
      sign: SIGNS[by],
    }),
  );
}

function isSame(own: Identity, other: Identity, by: MatchedBy): boolean {
  if (by === 'external_id') return own.names === other.id || other.names === own.id;
  if (by === 'license_number') return own.licenseKey !== null && own.licenseKey === other.licenseKey;
  // Two shops of one owner share the address; their licence numbers tell them apart.
  const isDistinct = own.licenseKey !== null && other.licenseKey !== null && own.licenseKey !== other.licenseKey;
  return own.emailKey !== null && own.emailKey === other.emailKey && !isDistinct;
}

function named(side: string, customers: readonly Identity[]): string {
  const shown = customers.map(({ id, name }) => (name === '' ? id : `${id} (${name})`));
  return `${side}${customers.length > 1 ? 's' : ''} ${shown.join(', ')}`;
}

function conflict(why: Cause): Match {
  return { kind: 'conflict', cause: why };
}

const ERP_SIDE = { own: 'ERP customer', other: 'marketplace customer' };
const MARKETPLACE_SIDE = { own: 'marketplace customer', other: 'ERP customer' };

/**
 * Finds the marketplace customer that is the same as an unlinked ERP customer. A customer that the ERP has deleted is nobody's counterpart,
 * and claims none: only its link stays.
 */
export function matchErpCustomer(erp: ErpCustomer, { onMarketplace: others, inErp }: LikeCustomers): Match {
  if (erp.deleted === true) return { kind: 'none' };
  const rivals = inErp.filter(isThere);
  const keys = { licenseKey: licenseKey(erp.licenseNumber), emailKey: emailKey(erp.email) };
  const own = ofErp({ ...erp, ...keys, linkedTo: null, gone: erp.active === false });
  return matchCustomer(own, others.map(onMarketplace), rivals.map(ofErp), ERP_SIDE);
}

/** Finds the ERP customer that is the same as an unlinked marketplace customer. */
export function matchMarketplaceCustomer(
  customer: StoredCustomer,
  { inErp, onMarketplace: rivals }: LikeCustomers,
): Match {
  const own = onMarketplace({ ...customer, linkedTo: null });
  return matchCustomer(own, inErp.filter(isThere).map(ofErp), rivals.map(onMarketplace), MARKETPLACE_SIDE);
}

/**
 * Finds the customer of the ERP that has taken the place of a customer which has left: it is like the marketplace's customer that
 * was linked to that one.
 */
export function matchSurvivor(
  customer: StoredCustomer,
  leftId: string,
  { inErp: all, onMarketplace: rivals }: LikeCustomers,
) {
  const others = all.filter(({ id, gone }) => id !== leftId && !gone);
  const externalId = customer.externalId === leftId ? null : customer.externalId;
  const own = onMarketplace({ ...customer, externalId, linkedTo: null });
  const none: Match = { kind: 'none' };
  return others.length === 0
    ? none
    : matchCustomer(own, others.map(ofErp), rivals.map(onMarketplace), MARKETPLACE_SIDE);
}

function onMarketplace(row: LikeCustomer): Identity {
  return { ...row, id: String(row.id), names: row.externalId, gone: row.archived };
}

function isThere(row: LikeErpCustomer): boolean {
  return !isDeleted(row);
}

function ofErp(row: Omit<Identity, 'names'> & Pick<LikeErpCustomer, 'marketplaceId'>): Identity {
  return { ...row, names: row.marketplaceId === null ? null : String(row.marketplaceId) };
}
