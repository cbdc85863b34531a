import { bareFamily } from './bare-family.ts';

const everybody = ['Orders', 'Products', 'Customers'] as const;
const companies = bareFamily('companies', everybody, { one: 'company', many: 'companies' });
const staff = bareFamily('company-staff', everybody, { one: 'member of the staff', many: 'staff of the company' });
const tiers = bareFamily('customer-tiers', ['Customers'], { one: 'customer tier', many: 'customer tiers' });
const licenseTypes = bareFamily('license-types', ['Customers'], { one: 'license type', many: 'license types' });

/** What spec 1's table of permissions grants to read about companies and customers. */
export const companyFamilyOperations = {
  'companies.list': companies.list,
  'companies.get': companies.get,
  'company-staff.list': staff.list,
  'company-staff.get': staff.get,
  'customer-tiers.list': tiers.list,
  'customer-tiers.get': tiers.get,
  'license-types.list': licenseTypes.list,
  'license-types.get': licenseTypes.get,
} as const;
