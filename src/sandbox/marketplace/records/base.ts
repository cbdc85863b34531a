import { ORDER_STATUSES } from '../../../marketplace/operations/orders.ts';
import type { Market } from '../market.ts';
import type { Fields } from '../wire-values.ts';
import { brands } from './brands.ts';
import { dosageUnits, licenses, productCategories, productSubcategories } from './catalog.ts';
import { companies, companyStaff, customerTiers, licenseTypes } from './companies.ts';
import { customerStatuses } from './crm.ts';
import { createRecord } from './crud.ts';
import type { Family } from './family.ts';
import { managedCompanies } from './finance.ts';
import { states, transportCompanies } from './logistics.ts';
import { notificationGroups } from './notifications.ts';
import { orderStatuses } from './order-families.ts';

const SELLER_UUID = '5e11e700-0000-4000-8000-000000000001';
/** A company that buys. */
const BUYER = { id: 5001, uuid: 'b0e70000-0000-4000-8000-000000000001', name: 'Green Door Collective' };
const NOTIFICATION_GROUPS = [
  {
    name: 'orders',
    display_description: 'Orders',
    items: [
      {
        name: 'order-submitted',
        default_value: true,
        description: 'An order came in',
        available_medium: ['email', 'sms'],
      },
      {
        name: 'order-canceled',
        default_value: true,
        description: 'An order was canceled',
        available_medium: ['email'],
      },
    ],
  },
  {
    name: 'inventory',
    display_description: 'Inventory',
    items: [{ name: 'low-stock', default_value: false, description: 'Stock runs low', available_medium: ['email'] }],
  },
];

const categories = ['Flower', 'Pre-Rolls', 'Cartridges', 'Edibles', 'Topicals'].map((name, index) => {
  return { id: index + 1, name, slug: slugOf(name), description: `Everything that is sold as ${name.toLowerCase()}.` };
});

/** The catalog and logistics of a marketplace before anybody has done anything. */
const CATALOG_BASE: readonly (readonly [Family, readonly Fields[]])[] = [
  [productCategories, categories],
  [productSubcategories, categories.map(({ id, name }) => ({ name: `Other ${name}`, category: id }))],
  [
    dosageUnits,
    [
      { name: 'Milligram', unit: 'mg', description: 'Thousandths of a gram' },
      { name: 'Millilitre', unit: 'ml', description: 'Thousandths of a litre' },
    ],
  ],
  [licenses, [{ number: 'C11-0004711-LIC', type: 'Distributor', status: 'active' }]],
  [
    transportCompanies,
    [
      { name: 'Overland Secure', medical_license_number: 'C11-0000101-LIC', adult_use_license_number: null },
      { name: 'Coastline', medical_license_number: null, adult_use_license_number: 'C11-0000202-LIC' },
    ],
  ],
  [states, ['CA California', 'OR Oregon', 'CO Colorado', 'NV Nevada', 'WA Washington'].map(state)],
];

function state(text: string): Fields {
  const [abbr, name] = text.split(' ');
  return { abbr, name, country: { id: 1, abbr: 'US', iso_code: 'USA', name: 'United States' } };
}

/** The records of a marketplace before anybody has done anything: the seller with its staff, and the customer statuses. */
export function addBaseRecords(market: Market): void {
  const { sellerId, brand } = market.settings();
  const add = (family: Family, ...records: readonly Fields[]) => {
    for (const record of records) createRecord(market, family, record);
  };
  add(companies, { id: sellerId, name: brand.name, slug: slugOf(brand.name), seller: true, buyer: false });
  add(companies, { id: BUYER.id, name: BUYER.name, slug: slugOf(BUYER.name), seller: false, buyer: true });
  add(brands, brand);
  add(
    managedCompanies,
    { id: SELLER_UUID, dba: brand.name, marketplace_slug: slugOf(brand.name), legal_entity: null },
    { id: BUYER.uuid, dba: BUYER.name, marketplace_slug: slugOf(BUYER.name), legal_entity: null },
  );
  add(notificationGroups, ...NOTIFICATION_GROUPS);
  add(orderStatuses, ...ORDER_STATUSES.map((name) => ({ name })));
  add(companyStaff, { company: sellerId, first_name: 'Robin', last_name: 'Keller', email: 'robin@juniper.example' });
  add(customerTiers, { name: 'Standard' }, { name: 'Preferred' });
  add(licenseTypes, { name: 'Adult-Use' }, { name: 'Medical' });
  add(
    customerStatuses,
    { state: 'Prospect', order: 1, is_stock: true, hex_color: '#8899aa' },
    { state: 'Active', order: 2, is_stock: true, hex_color: '#33aa77' },
  );
  for (const [family, records] of CATALOG_BASE) add(family, ...records);
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
