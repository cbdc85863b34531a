import { entity, type Handler } from '../call.ts';
import type { CustomerDraft } from '../control-schema.ts';
import { externalIdFilters, mergeExternalIds } from '../external-ids.ts';
import type { Market } from '../market.ts';
import { type Fields, without } from '../wire-values.ts';
import { createRecord } from './crud.ts';
import {
  allRecords,
  checkViewer,
  type Family,
  field,
  fieldsOf,
  findRecord,
  isCompany,
  needRecord,
  ofCompanySlug,
  type RecordRow,
  updateRecord,
  type Write,
} from './family.ts';

const ADDRESSES = ['corporate_address', 'delivery_address'] as const;
const FIRST_EXTERNAL_ID = `(SELECT value FROM json_each(fields, '$.external_ids') LIMIT 1)`;

/** Replaces an address wholly, or in the sent parts. */
const write =
  (kind: (typeof ADDRESSES)[number], how: 'whole' | 'parts'): Handler =>
  (market, { params, body }) => {
    const row = needRecord(market, customers, params['id']);
    const fields = fieldsOf(row);
    const address = how === 'whole' ? body : { ...(fields[kind] as Fields | null | undefined), ...body };
    updateRecord(market, customers, row, { ...fields, [kind]: address });
    return entity(address);
  };

/** Spec 2, Customer. Only unarchived ones can be ordered for. */
const customers: Family = {
  name: 'customers',
  times: ['created_date', 'modified_date'],
  initial: { external_ids: {}, service_source: false, currency: 'USD' },
  kept: [...ADDRESSES, 'external_ids', 'nickname', 'dba', 'ein', 'currency', 'service_source', 'license_type'],
  refers: {
    owner_id: isCompany,
    partner_id: isCompany,
    managers: 'company-staff',
    tier: 'customer-tiers',
    status_id: 'customer-statuses',
  },
  attributes: {
    address: field('delivery_address.address'),
    archived: field('is_archived'),
    delinquent: field('is_delinquent'),
    license_inactive: field('is_license_inactive'),
    external_id: FIRST_EXTERNAL_ID,
    owner: field('owner_id'),
    partner: field('partner_id'),
    price_schedule: field('price_schedule_id'),
    service_zone: field('service_zone_id'),
    status: field('status_id'),
    state: field('delivery_address.state_id'),
    payment_term: field('payment_term_id'),
  },
  searched: [field('name'), field('nickname'), field('dba'), field('email'), field('license_number')],
  filters: {
    ...externalIdFilters((tests) => `EXISTS (SELECT 1 FROM json_each(fields, '$.external_ids') WHERE ${tests})`),
    owner__slug: ofCompanySlug,
  },
  handlers: {
    'set-corporate-address': write('corporate_address', 'whole'),
    'set-delivery-address': write('delivery_address', 'whole'),
    'patch-corporate-address': write('corporate_address', 'parts'),
    'patch-delivery-address': write('delivery_address', 'parts'),
  },
  take: (market, fields, { before, sent }: Write) => ({
    ...fields,
    external_ids: mergeExternalIds(
      market.settings(),
      ((before ?? {})['external_ids'] ?? {}) as Fields,
      sent['external_ids'],
    ),
  }),
  show(market, { status_id: status, service_zone_id: zone, ...fields }) {
    const known = status === undefined ? undefined : findRecord(market, 'customer-statuses', status);
    return {
      ...Object.fromEntries(ADDRESSES.map((name) => [name, null])),
      ...fields,
      status: known === undefined ? null : { id: known.id, ...fieldsOf(known) },
      service_zone: zone === undefined ? null : { id: zone },
    };
  },
};

/** Spec 2, Customer group. The path or query names the company that owns it. */
const customerGroups: Family = {
  name: 'customer-groups',
  times: ['created_date', 'modified_date'],
  initial: { description: null, customers: [], status: 'active' },
  refers: { customers: 'customers' },
  searched: [field('name'), field('description')],
  filters: { company_id: () => null },
  within: (market, { params, query }) => ({
    company: checkViewer(market, params['company_id'] ?? query['company_id']),
  }),
  show: (_market, fields) => without(fields, new Set(['company'])),
};

/** Spec 2, Activity entries. `customer` and `customer_id` are the same filter. */
const PARTIES = ['author', 'brand', 'company', 'contact', 'customer', 'owner', 'staff'] as const;
const activityEntries: Family = {
  name: 'activity-entries',
  times: ['created_on', 'modified'],
  initial: { is_deleted: false },
  refers: { customer: 'customers', contact: 'contacts', brand: 'brands', company: isCompany, staff: 'company-staff' },
  attributes: {
    ...Object.fromEntries(PARTIES.map((name) => [`${name}_id`, field(name)])),
    delete: field('is_deleted'),
  },
  searched: [field('entry'), field('type')],
};

export const CUSTOMER_FAMILIES: readonly Family[] = [
  customers,
  customerGroups,
  { name: 'customer-tiers' },
  // Spec 2, Customer status.
  {
    name: 'customer-statuses',
    initial: { order: 1, description: null, owner: null, is_stock: false, hex_color: null },
    refers: { owner: isCompany },
    searched: [field('state'), field('description')],
  },
  // Spec 2, Contact. Lists omit contacts marked deleted.
  {
    name: 'contacts',
    times: ['created_date', 'modified_date'],
    initial: { delete: false },
    refers: { owner: isCompany },
    searched: [field('first_name'), field('last_name'), field('email'), field('secondary_email'), field('role')],
    hidden: field('delete'),
  },
  activityEntries,
];

/** As orders see it. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  /** Archived means not active. */
  readonly archived: boolean;
  readonly deliveryAddress: Fields;
  /** Of the delivery address: CA. */
  readonly state: string;
  /** Decimal text. */
  readonly shippingCharge: string;
}

export function addCustomer(market: Market, draft: CustomerDraft): number {
  const { delivery_address: address, ...fields } = draft.fields ?? {};
  return createRecord(market, customers, {
    owner_id: market.settings().sellerId,
    ...fields,
    name: draft.name,
    is_archived: draft.archived ?? false,
    shipping_charge: draft.shippingCharge ?? '0',
    delivery_address: { ...(address as Fields | undefined), state: draft.state },
  }).id;
}

/** @throws Refusal 404 */
export function archiveCustomer(market: Market, id: number): void {
  const row = needRecord(market, customers, id);
  updateRecord(market, customers, row, { ...fieldsOf(row), is_archived: true });
}

export function findCustomer(market: Market, id: number): Customer | undefined {
  const row = findRecord(market, customers.name, id);
  return row && customerOf(row);
}

export function allCustomers(market: Market): Customer[] {
  return allRecords(market, customers.name).map(customerOf);
}

export function customersById(market: Market, ids: Iterable<number>): Map<number, Customer> {
  const wanted = JSON.stringify([...new Set(ids)]);
  const rows = market.sql.all<RecordRow>(
    "SELECT * FROM records WHERE family = 'customers' AND id IN (SELECT value FROM json_each(?))",
    wanted,
  );
  return new Map(rows.map((row) => [row.id, customerOf(row)]));
}

function customerOf(row: RecordRow): Customer {
  const { name, is_archived: archived, delivery_address: address, shipping_charge: shipping } = fieldsOf(row);
  const deliveryAddress = (address ?? {}) as Fields & { readonly state?: string };
  return {
    id: row.id,
    name: String(name),
    archived: archived === true,
    deliveryAddress,
    state: deliveryAddress.state ?? '',
    shippingCharge: typeof shipping === 'string' ? shipping : '0',
  };
}
