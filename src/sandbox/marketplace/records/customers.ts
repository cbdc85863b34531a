import type { Answer, Call, Handler } from '../call.ts';
import { externalIdFilters, mergeExternalIds } from '../external-ids.ts';
import type { Market } from '../market.ts';
import type { Fields } from '../wire-values.ts';
import { isCompany, ofSeller } from './companies.ts';
import { customerStatuses } from './crm.ts';
import { type Family, field, type Write } from './family.ts';
import { fieldsOf, findRecord, needRecord, updateRecord } from './rows.ts';

const ADDRESSES = ['corporate_address', 'delivery_address'] as const;
const FIRST_EXTERNAL_ID = `(SELECT value FROM json_each(fields, '$.external_ids') LIMIT 1)`;

/** Spec 2, Customer. Orders go to those that are not archived. */
export const customers: Family = {
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
    company_slug: ofSeller,
    owner__slug: ofSeller,
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
    const known = status === undefined ? undefined : findRecord(market, customerStatuses.name, status);
    return {
      ...Object.fromEntries(ADDRESSES.map((name) => [name, null])),
      ...fields,
      status: known === undefined ? null : { id: known.id, ...fieldsOf(known) },
      service_zone: zone === undefined ? null : { id: zone },
    };
  },
};

type Kind = 'corporate_address' | 'delivery_address';

/** Spec 2, Customers: an address is set whole, or the parts of it that are sent. */
export const addressHandlers: Readonly<Record<string, Handler>> = {
  'customers.set-corporate-address': (market, call) => write(market, call, 'corporate_address', 'whole'),
  'customers.set-delivery-address': (market, call) => write(market, call, 'delivery_address', 'whole'),
  'customers.patch-corporate-address': (market, call) => write(market, call, 'corporate_address', 'parts'),
  'customers.patch-delivery-address': (market, call) => write(market, call, 'delivery_address', 'parts'),
};

function write(market: Market, { params, body }: Call, kind: Kind, how: 'whole' | 'parts'): Answer {
  const row = needRecord(market, customers, params['id']);
  const fields = fieldsOf(row);
  const address = how === 'whole' ? body : { ...(fields[kind] as Fields | null | undefined), ...body };
  updateRecord(market, customers, row, { ...fields, [kind]: address });
  return { kind: 'entity', json: JSON.stringify(address) };
}
