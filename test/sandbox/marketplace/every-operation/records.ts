import { type Started } from '../api.ts';

export const SELLER = { id: 4711, slug: 'juniper-ridge-botanicals' } as const;
export const BUYER = { id: 5001 } as const;
export const BRAND = 301;
/** The two companies as payment contracts know them. */
export const PARTIES = {
  buyer_id: 'b0e70000-0000-4000-8000-000000000001',
  seller_id: '5e11e700-0000-4000-8000-000000000001',
} as const;

/** Adds a record of every family that starts without any. Answers the id of one of each family, as paths carry it. */
export function addRecords(
  market: Started,
  { product, customer, order }: { product: number; customer: number; order: string },
): Readonly<Record<string, unknown>> {
  const company = (id: number) => ({ id, name: 'A company' });
  const discussion = { topic: 'x', sender_company: company(SELLER.id), recipient_company: company(BUYER.id) };
  const made: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    contacts: { first_name: 'Ada' },
    'activity-entries': { entry: 'called', customer },
    'customer-groups': { name: 'Regulars', customers: [customer], company: SELLER.id },
    'order-payments': { order, total: '10.00' },
    'payment-contracts': PARTIES,
    discussions: { ...discussion, first_message: { message: 'Hello' } },
    'product-images': { product, position: 1, file: {} },
    'order-sales-reps': { order },
    promocodes: { code: 'TEN' },
    reports: { name: 'Sales' },
    strains: { name: 'Blue' },
    batches: { number: 'B-1' },
    'batch-documents': { name: 'Test' },
    'product-batches': { product },
    'product-lines': { name: 'Gummies', brand_id: BRAND },
    'transport-orders': { payment_expected: { amount: 1, currency: 'USD' }, pickup_driver: { first_name: 'Ada' } },
    'transport-partners': { transport_company_id: 1 },
    'distribution-zones': { name: 'North', owner_id: SELLER.id, is_active: true, facilities: [], zip_codes: [] },
  };
  const added = Object.entries(made).map(
    ([family, fields]) => [family, market.addRecord(family, fields)['id']] as const,
  );
  const there = THERE.map((family) => [family, market.records(family)[0]?.['id']] as const);
  const [group] = market.records('notification-preference-groups');
  return { ...Object.fromEntries([...added, ...there]), 'notification-preference-groups': String(group?.['id']) };
}

/** Families that have records from the start. */
const THERE = [
  'brands',
  'companies',
  'company-staff',
  'customer-statuses',
  'customer-tiers',
  'dosage-units',
  'license-types',
  'licenses',
  'managed-companies',
  'order-event-logs',
  'order-statuses',
  'product-categories',
  'product-subcategories',
] as const;
