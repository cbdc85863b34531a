import { ORDER_STATUSES } from '../../../marketplace/operations/orders.ts';
import type { Market } from '../market.ts';
import type { Fields } from '../wire-values.ts';
import { createRecord } from './crud.ts';
import { familyNamed } from './families.ts';

const SELLER_UUID = '5e11e700-0000-4000-8000-000000000001';
const BUYER = { id: 5001, uuid: 'b0e70000-0000-4000-8000-000000000001', name: 'Green Door Collective' };
const CATEGORIES = ['Flower', 'Pre-Rolls', 'Cartridges', 'Edibles', 'Topicals'];
const US = { id: 1, abbr: 'US', iso_code: 'USA', name: 'United States' };
const STATES = { CA: 'California', OR: 'Oregon', CO: 'Colorado', NV: 'Nevada', WA: 'Washington' };

/** The initial records: the seller, its staff, and fixed lists. */
export function addBaseRecords(market: Market): void {
  const { sellerId, brand } = market.settings();
  const add = (family: string, ...records: readonly Fields[]) => {
    for (const record of records) createRecord(market, familyNamed(family), record);
  };
  add(
    'companies',
    { id: sellerId, name: brand.name, slug: slugOf(brand.name), seller: true, buyer: false },
    { id: BUYER.id, name: BUYER.name, slug: slugOf(BUYER.name), seller: false, buyer: true },
  );
  add('brands', brand);
  add(
    'managed-companies',
    { id: SELLER_UUID, dba: brand.name, marketplace_slug: slugOf(brand.name), legal_entity: null },
    { id: BUYER.uuid, dba: BUYER.name, marketplace_slug: slugOf(BUYER.name), legal_entity: null },
  );
  add(
    'notification-preference-groups',
    {
      name: 'orders',
      display_description: 'Orders',
      items: [
        topic('order-submitted', 'An order came in', ['email', 'sms'], true),
        topic('order-canceled', 'An order was canceled', ['email'], true),
      ],
    },
    {
      name: 'inventory',
      display_description: 'Inventory',
      items: [topic('low-stock', 'Stock runs low', ['email'], false)],
    },
  );
  add('order-statuses', ...ORDER_STATUSES.map((name) => ({ name })));
  add('company-staff', { company: sellerId, first_name: 'Robin', last_name: 'Keller', email: 'robin@juniper.example' });
  add('customer-tiers', { name: 'Standard' }, { name: 'Preferred' });
  add('license-types', { name: 'Adult-Use' }, { name: 'Medical' });
  add(
    'customer-statuses',
    { state: 'Prospect', order: 1, is_stock: true, hex_color: '#8899aa' },
    { state: 'Active', order: 2, is_stock: true, hex_color: '#33aa77' },
  );
  for (const [index, name] of CATEGORIES.entries()) {
    const description = `Everything that is sold as ${name.toLowerCase()}.`;
    add('product-categories', { id: index + 1, name, slug: slugOf(name), description });
    add('product-subcategories', { name: `Other ${name}`, category: index + 1 });
  }
  add(
    'dosage-units',
    { name: 'Milligram', unit: 'mg', description: 'Thousandths of a gram' },
    { name: 'Millilitre', unit: 'ml', description: 'Thousandths of a litre' },
  );
  add('licenses', { number: 'C11-0004711-LIC', type: 'Distributor', status: 'active' });
  add(
    'transport-companies',
    { name: 'Overland Secure', medical_license_number: 'C11-0000101-LIC', adult_use_license_number: null },
    { name: 'Coastline', medical_license_number: null, adult_use_license_number: 'C11-0000202-LIC' },
  );
  add('states', ...Object.entries(STATES).map(([abbr, name]) => ({ abbr, name, country: US })));
}

function topic(name: string, description: string, media: readonly string[], isOn: boolean): Fields {
  return { name, default_value: isOn, description, available_medium: media };
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
