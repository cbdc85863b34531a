import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { type Gone, reportedGone } from '../../../domain/gone.ts';
import type { ErpCustomer } from '../../../erp/connector.ts';
import type { Echoes } from '../../../store/links.ts';
import { act, createWords, type Decision, hold, holdForLink, inSync, type Planned } from '../../engine/decision.ts';
import { differingFields, showFields, type WireFields, wereWritten } from '../../engine/fields.ts';
import {
  overwrittenValues,
  recentlyReplaced,
  type SetBack,
  unrecordedAgreement,
  writeReason,
} from '../../engine/overwritten.ts';
import type { Braked } from '../../engine/policy.ts';
import { type Counterpart, type Match, SIGNS } from './match.ts';
import { PRICE_FIELDS, type PriceField, pricesMoved } from './prices.ts';
import { ADDRESS_KINDS, type AddressKind, type WantedCustomer } from './wanted.ts';

export interface CustomerOutSnapshot extends Counterpart {
  readonly erp: ErpSide | null;
  readonly invalidErpRow: string | null;
  readonly linked: { readonly id: number; readonly shown: ShownCustomer | null } | null;
  readonly gone: { readonly erpId: string; readonly since: Gone } | null;
  /** The ERP customer that replaced this one, which is gone or inactive. */
  readonly survivor: Match;
  readonly wanted: WantedCustomer;
  readonly createFields: WireFields;
  readonly echoes: Echoes;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  readonly rules: { readonly write: boolean; readonly archive: boolean };
}

export interface ShownCustomer {
  readonly archived: boolean;
  readonly invalidRow: string | null;
  readonly fields: WireFields;
}

export type CustomerOutAction = Planned &
  Braked &
  (
    | { readonly action: 'customer-out.link'; readonly customerId: number; readonly how: string }
    /** Links the marketplace customer to the ERP customer that replaced its own. */
    | {
        readonly action: 'customer-out.relink';
        readonly customerId: number;
        readonly erpId: string;
        readonly how: string;
      }
    | {
        readonly action: 'customer-out.create';
        readonly fields: WireFields;
        /** Only settle an earlier create. */
        readonly adoptOnly: boolean;
      }
    | ({
        readonly action: 'customer-out.patch' | (typeof PRICE_ACTIONS)[PriceField];
        readonly customerId: number;
        readonly fields: WireFields;
      } & SetBack)
    | ({
        readonly action: 'customer-out.address';
        readonly customerId: number;
        readonly kind: AddressKind;
        /** `set` replaces the full address, `patch` only the fields sent. */
        readonly how: 'set' | 'patch';
        readonly fields: WireFields;
        readonly wanted: WireFields;
      } & SetBack)
    | { readonly action: 'customer-out.archive' | 'customer-out.restore'; readonly customerId: number }
  );

const PRICE_ACTIONS = {
  discount_percent: 'customer-out.discount',
  price_schedule_id: 'customer-out.price-schedule',
} as const;

export function decideCustomerOut(snapshot: CustomerOutSnapshot): Decision<CustomerOutAction> {
  const { erp, invalidErpRow, linked, known } = snapshot;
  if (invalidErpRow !== null) return hold(cause('erp-customer-invalid', { problem: invalidErpRow }));
  if (erp === null) return decideGone(snapshot);
  if (linked === null) return known ? decideUnlinked(snapshot, erp) : hold(cause('customers-unread'));
  if (linked.shown === null) {
    if (!known) return hold(cause('customers-unread'));
    // The customer was erased on both sides, or has left both.
    if (erp.active === false) return inSync();
    return hold(cause('customer-gone', { customer: linked.id, erpCustomer: erp.id }));
  }
  if (erp.active === false && !linked.shown.archived) {
    const { survivor } = snapshot;
    if (survivor.kind === 'one') return relink(linked.id, erp.id, survivor);
    // The customer may have been merged into one of several, so its buyer must not be archived.
    if (survivor.kind === 'conflict') return holdForLink(survivor.cause);
  }
  if (!snapshot.rules.write) return inSync();
  if (linked.shown.invalidRow !== null) return hold(cause('customer-invalid', { problem: linked.shown.invalidRow }));
  return decideLinked(snapshot, erp, linked.id, linked.shown);
}

/** A customer that is gone from the ERP stays on the marketplace. */
function decideGone({ gone, linked, known, survivor }: CustomerOutSnapshot): Decision<CustomerOutAction> {
  if (gone === null || linked?.shown == null || linked.shown.archived) return inSync();
  if (!known) return hold(cause('customers-unread'));
  if (survivor.kind === 'one') return relink(linked.id, gone.erpId, survivor);
  return holdForLink(
    cause('erp-customer-gone', { customer: linked.id, erpCustomer: gone.erpId, ...reportedGone(gone.since) }),
  );
}

function relink(
  customerId: number,
  before: string,
  { other, by }: Extract<Match, { kind: 'one' }>,
): Decision<CustomerOutAction> {
  const why = `ERP customer ${before} has left, and ${other.id} has its ${SIGNS[by]}`;
  const change = { before: `linked to ERP customer ${before}`, after: `linked to ERP customer ${other.id}`, why };
  const target = `customer ${customerId} (${other.name})`;
  return act([{ action: 'customer-out.relink', target, ...change, customerId, erpId: other.id, how: by }]);
}

interface ErpSide extends Pick<ErpCustomer, 'id' | 'name' | 'marketplaceId'> {
  /** Omitted: unknown, so nothing is archived or restored. */
  readonly active?: boolean | undefined;
}

function decideLinked(
  snapshot: CustomerOutSnapshot,
  erp: ErpSide,
  id: number,
  shown: ShownCustomer,
): Decision<CustomerOutAction> {
  const target = `customer ${id} (${erp.name})`;
  if (erp.active === false) {
    if (shown.archived || !snapshot.rules.archive) return inSync();
    const change = { before: 'active', after: 'archived', why: 'inactive or deleted in the ERP' };
    return act([{ action: 'customer-out.archive', target, ...change, brake: 'archive', customerId: id }]);
  }
  if (shown.archived) {
    if (erp.active === undefined || !snapshot.rules.archive) return inSync();
    const change = { before: 'archived', after: 'active', why: 'active in the ERP again' };
    return act([{ action: 'customer-out.restore', target, ...change, customerId: id }]);
  }
  return decideFields(snapshot, erp, { id, target, shown });
}

interface Linked {
  readonly id: number;
  readonly target: string;
  readonly shown: ShownCustomer;
}

function decideFields(
  { wanted, echoes, nowMs }: CustomerOutSnapshot,
  erp: ErpSide,
  linked: Linked,
): Decision<CustomerOutAction> {
  const { id, target, shown } = linked;
  const alerts = [...wanted.problems];
  if (erp.marketplaceId !== null && erp.marketplaceId !== id) {
    alerts.push(cause('customer-claims-another', { erpCustomer: erp.id, claims: erp.marketplaceId, linked: id }));
  }
  const actions: CustomerOutAction[] = [];
  const differing = differingFields(wanted.fields, shown.fields, echoes);
  // Facts hold no personal data, so only field names are given.
  const again = Object.keys(recentlyReplaced({ wanted: wanted.fields, shown: shown.fields, echoes }, nowMs)).join(', ');
  if (again !== '') alerts.push(cause('customer-set-back', { customer: id, erpCustomer: erp.id, fields: again }));
  const reason = (names: readonly string[]) => ({
    why: writeReason(wereWritten(names, wanted.fields, echoes)),
    replaced: overwrittenValues(names, wanted.fields, shown.fields, echoes),
    agreed: unrecordedAgreement(wanted.fields, differing, echoes),
  });
  const apart: readonly string[] = [...PRICE_FIELDS, ...ADDRESS_KINDS.map(addressField)];
  const names = differing.filter((name) => !apart.includes(name));
  if (names.length > 0) {
    const change = { before: showFields(names, shown.fields), after: showFields(names, wanted.fields) };
    const fields = only(names, wanted.fields);
    actions.push({ action: 'customer-out.patch', target, ...change, ...reason(names), customerId: id, fields });
  }
  for (const name of PRICE_FIELDS) {
    if (!differing.includes(name)) continue;
    const moved = pricesMoved(name, shown.fields, wanted.fields);
    const fields = only([name], wanted.fields);
    actions.push({ action: PRICE_ACTIONS[name], target, ...moved, ...reason([name]), customerId: id, fields });
  }
  for (const kind of ADDRESS_KINDS) {
    if (!differing.includes(addressField(kind))) continue;
    const field = addressField(kind);
    const action = decideAddress(kind, wanted.fields[field] as WireFields, linked, reason([field]));
    if ('code' in action) alerts.push(action);
    else actions.push(action);
  }
  return act(actions, alerts);
}

/** Required address fields (spec 2, Customer: Address). */
const DEMANDED = ['address', 'city', 'zipcode'];

function decideAddress(
  kind: AddressKind,
  wanted: WireFields,
  { id, target, shown }: Linked,
  reason: SetBack & Pick<Planned, 'why'>,
): CustomerOutAction | Cause {
  const before = shown.fields[addressField(kind)];
  const isThere = isObject(before) && DEMANDED.some((name) => typeof before[name] === 'string' && before[name] !== '');
  const missing = DEMANDED.filter((name) => wanted[name] === undefined);
  if (!isThere && missing.length > 0) return cause('address-incomplete', { kind, missing });
  const names = isThere ? differingFields(wanted, before, {}) : Object.keys(wanted);
  return {
    action: 'customer-out.address',
    target: `${kind} address of ${target}`,
    before: isThere ? showFields(names, before) : null,
    after: showFields(names, wanted),
    ...reason,
    customerId: id,
    kind,
    how: isThere ? 'patch' : 'set',
    fields: only(names, wanted),
    wanted,
  };
}

export function addressField(kind: AddressKind): string {
  return `${kind}_address`;
}

function decideUnlinked(snapshot: CustomerOutSnapshot, erp: ErpSide): Decision<CustomerOutAction> {
  const { match } = snapshot;
  // An inactive customer gets no counterpart.
  const isOver = erp.active === false && !snapshot.createInDoubt;
  if (match.kind === 'conflict') return isOver ? inSync() : holdForLink(match.cause);
  if (match.kind === 'one') {
    const { other, by } = match;
    const change = { before: 'not linked', after: `linked to ERP customer ${erp.id}`, why: `found by ${by}` };
    const target = `customer ${other.id} (${erp.name})`;
    return act([{ action: 'customer-out.link', target, ...change, customerId: Number(other.id), how: by }]);
  }
  if (snapshot.openCreate !== null) return hold(snapshot.openCreate);
  const isWanted = snapshot.rules.write && erp.active !== false;
  if (!isWanted && !snapshot.createInDoubt) return inSync();
  return decideCreate(snapshot, erp, isWanted);
}

function decideCreate(snapshot: CustomerOutSnapshot, erp: ErpSide, isWanted: boolean): Decision<CustomerOutAction> {
  const { wanted, createFields, createInDoubt } = snapshot;
  if (isWanted && wanted.fields['name'] === undefined) return hold(cause('customer-unnamed', { erpCustomer: erp.id }));
  // Addresses are written after the create.
  const names = Object.keys(wanted.fields).filter((name) => !name.endsWith('_address'));
  const fields = { ...createFields, ...only(names, wanted.fields) };
  const shown = showFields(Object.keys(fields), fields);
  const words = createWords(shown, 'the marketplace has no such customer yet', { isWanted, createInDoubt });
  const target = `a customer for ${erp.id} (${erp.name})`;
  return act([{ action: 'customer-out.create', target, ...words, fields }], wanted.problems);
}

function only(names: readonly string[], fields: WireFields): WireFields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function isObject(value: unknown): value is WireFields {
  return typeof value === 'object' && value !== null;
}
