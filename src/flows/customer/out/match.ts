import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { emailKey, licenseKey } from '../../../domain/customer.ts';
import { isDeleted } from '../../../domain/shadow/customers.ts';
import type { ErpCustomer } from '../../../erp/connector.ts';
import type { LikeCustomer, LikeErpCustomer, StoredCustomer } from '../../../store/marketplace.ts';
import type { LikeCustomers } from '../../../store/observe.ts';

export interface Identity extends Pick<LikeErpCustomer, 'id' | 'name' | 'licenseKey' | 'emailKey' | 'linkedTo'> {
  /** The other side's id that the customer carries: its external id or marketplace id. */
  readonly names: string | null;
  /** Archived, inactive or deleted. */
  readonly gone: boolean;
}

type MatchedBy = 'external_id' | 'license_number' | 'email';

export type Match =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly other: Identity; readonly by: MatchedBy }
  /** An operator has to decide which customers belong together. */
  | { readonly kind: 'conflict'; readonly cause: Cause };

export interface Counterpart {
  readonly match: Match;
  /** Set if this customer may be our own create whose answer is outstanding. */
  readonly openCreate: Cause | null;
  /** All customers of both sides were read at least once, so a missing one is known to be missing. */
  readonly known: boolean;
  /** A create on the other side may have been applied. */
  readonly createInDoubt: boolean;
}

export interface Sides {
  readonly own: string;
  readonly other: string;
}

const RANKS: readonly MatchedBy[] = ['external_id', 'license_number', 'email'];
export const SIGNS = { external_id: 'external id', license_number: 'licence number', email: 'e-mail address' } as const;

/**
 * Finds the counterpart of an unlinked customer: by external id, then licence number, then e-mail address. The first
 * sign with a match decides, so a weaker sign never overrules a stronger one. Conflicts are: several matches, several
 * customers claiming one match, a match that is already linked, and two alike customers of the own side, of which both
 * would be created.
 * @param others customers of the other side, at least all that share a sign with `own`
 * @param rivals customers of its own side, at least all that share a sign with it
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
    // A customer that is gone matches only by id. A match by likeness would archive its counterpart.
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
  // A rival claims by the same or a stronger sign, and one that is gone only by id.
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
  // Two shops of one owner may share an address. Their licence numbers distinguish them.
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

/** Finds the marketplace customer for an unlinked ERP customer. A deleted ERP customer matches and claims none. */
export function matchErpCustomer(erp: ErpCustomer, { onMarketplace: others, inErp }: LikeCustomers): Match {
  if (erp.deleted === true) return { kind: 'none' };
  const rivals = inErp.filter(isThere);
  const keys = { licenseKey: licenseKey(erp.licenseNumber), emailKey: emailKey(erp.email) };
  const own = ofErp({ ...erp, ...keys, linkedTo: null, gone: erp.active === false });
  return matchCustomer(own, others.map(onMarketplace), rivals.map(ofErp), ERP_SIDE);
}

export function matchMarketplaceCustomer(
  customer: StoredCustomer,
  { inErp, onMarketplace: rivals }: LikeCustomers,
): Match {
  const own = onMarketplace({ ...customer, linkedTo: null });
  return matchCustomer(own, inErp.filter(isThere).map(ofErp), rivals.map(onMarketplace), MARKETPLACE_SIDE);
}

/** Finds the ERP customer that replaced one that is gone, by likeness to the marketplace customer linked to it. */
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
