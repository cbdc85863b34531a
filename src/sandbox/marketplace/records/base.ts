import type { Market } from '../market.ts';
import type { Fields } from '../wire-values.ts';
import { companies, companyStaff, customerTiers, licenseTypes } from './companies.ts';
import { customerStatuses } from './crm.ts';
import { createRecord } from './crud.ts';
import type { Family } from './family.ts';

/** What a marketplace has before anybody has done anything: the seller with its staff, and what customers can be. */
export function addBaseRecords(market: Market): void {
  const { sellerId, brand } = market.settings();
  const add = (family: Family, ...records: readonly Fields[]) => {
    for (const record of records) createRecord(market, family, record);
  };
  add(companies, { id: sellerId, name: brand.name, slug: slugOf(brand.name), seller: true, buyer: false });
  add(companyStaff, { company: sellerId, first_name: 'Robin', last_name: 'Keller', email: 'robin@juniper.example' });
  add(customerTiers, { name: 'Standard' }, { name: 'Preferred' });
  add(licenseTypes, { name: 'Adult-Use' }, { name: 'Medical' });
  add(
    customerStatuses,
    { state: 'Prospect', order: 1, is_stock: true, hex_color: '#8899aa' },
    { state: 'Active', order: 2, is_stock: true, hex_color: '#33aa77' },
  );
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
