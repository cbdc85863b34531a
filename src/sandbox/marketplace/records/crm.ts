import { isCompany, ofSeller } from './companies.ts';
import { type Family, field } from './family.ts';

/** Spec 2, Customer status. */
export const customerStatuses: Family = {
  name: 'customer-statuses',
  initial: { order: 1, description: null, owner: null, is_stock: false, hex_color: null },
  refers: { owner: isCompany },
  searched: [field('state'), field('description')],
  filters: { company_slug: ofSeller },
};

/** Spec 2, Contact. One that is marked deleted is not listed any more. */
export const contacts: Family = {
  name: 'contacts',
  times: ['created_date', 'modified_date'],
  initial: { delete: false },
  refers: { owner: isCompany },
  searched: [field('first_name'), field('last_name'), field('email'), field('secondary_email'), field('role')],
  hidden: field('delete'),
};

/** Spec 2, Activity entries. Lists filter by `customer` and by `customer_id`: they are the same. */
const PARTIES = ['author', 'brand', 'company', 'contact', 'customer', 'owner', 'staff'] as const;
export const activityEntries: Family = {
  name: 'activity-entries',
  times: ['created_on', 'modified'],
  initial: { is_deleted: false },
  refers: { customer: 'customers', contact: 'contacts', brand: 'brands', company: isCompany, staff: 'company-staff' },
  attributes: {
    ...Object.fromEntries(PARTIES.map((name) => [`${name}_id`, field(name)])),
    delete: field('is_deleted'),
  },
  searched: [field('entry'), field('type')],
  filters: { company_slug: ofSeller },
};
