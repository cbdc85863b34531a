import { entriesOn, erp, marketplace, nobody, operator, withSharedParams } from './entry.ts';

export const ASSIGNMENT_CODES = entriesOn('assignments', {
  'assignments-unread': withSharedParams(
    [],
    nobody(
      'The assignments of listings to buyers have not been read from the marketplace yet',
      'Nothing to do: it continues after the first read of all assignments.',
    ),
  ),
  'assignments-problem': operator(
    ({ sku, problem }) => `Cannot determine the buyers of SKU ${sku}: ${problem}`,
    'Correct the product in the ERP, or assignments.from in the configuration.',
    { sku: 'SB-0001', problem: 'assignments.from: expected an object and got "C-1003"' },
  ),
  'assignments-invalid': marketplace(
    ({ listing, problem }) => `The assignments of listing ${listing} do not fit the documented shape: ${problem}`,
    'Report it to the marketplace.',
    { listing: 4711, problem: 'assigned_buyers: expected a list' },
  ),
  'assignment-customers': erp(
    ({ sku, customers }) =>
      `The ERP offers SKU ${sku} to ${customers.join(', ')}. ${customers.length === 1 ? 'This customer is' : 'These customers are'} not linked to a buyer of the marketplace`,
    'Correct the customer in the ERP, or link it: stockbridge map link customer ID ERP_ID',
    { sku: 'SB-0001', customers: ['C-1003'] },
  ),
  'assignment-groups': withSharedParams(
    [],
    operator(
      ({ sku, groups }) =>
        `The ERP offers SKU ${sku} to ${groups.map((name) => `"${name}"`).join(', ')}. The marketplace has no active customer group of that name, or more than one`,
      'Add the group on the marketplace, or correct its name on one of the two sides.',
      { sku: 'SB-0001', groups: ['Chain stores'] },
    ),
  ),
  'assignments-nameless': marketplace(
    "A row of the marketplace's list of assignments names no listing. Listings that are missing from the list keep their assignments",
    'Report it to the marketplace.',
  ),
  'assignments-short': nobody(
    ({ known, found }) =>
      `The marketplace's list of assignments has only ${found} of ${known} listings. The missing listings keep their assignments`,
    'Nothing to do if the next list is complete. If not, check the assignments on the marketplace.',
    { known: 40, found: 12 },
  ),
});
