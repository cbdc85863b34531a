import { erp, marketplace, nobody, on, operator, sharing } from './entry.ts';

export const ASSIGNMENT_CODES = on('assignments', {
  'assignments-unread': sharing(
    [],
    nobody(
      'It is not known yet to whom the listings are assigned on the marketplace',
      'Nothing to do: it goes on when the first read of all assignments has ended.',
    ),
  ),
  'assignments-problem': operator(
    ({ sku, problem }) => `The buyers of SKU ${sku} cannot be found out: ${problem}`,
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
      `The ERP offers SKU ${sku} to ${customers.join(', ')}, and no buyer of the marketplace is known for ${customers.length === 1 ? 'this customer' : 'these customers'}`,
    'Correct the customer in the ERP, or link it: stockbridge map link customer ID ERP_ID',
    { sku: 'SB-0001', customers: ['C-1003'] },
  ),
  'assignment-groups': sharing(
    [],
    operator(
      ({ sku, groups }) =>
        `The ERP offers SKU ${sku} to ${groups.map((name) => `"${name}"`).join(', ')}, and not just one active customer group of the marketplace has such a name`,
      'Add the group on the marketplace, or correct its name on either side.',
      { sku: 'SB-0001', groups: ['Chain stores'] },
    ),
  ),
  'assignments-nameless': marketplace(
    "A row of the marketplace's list of assignments names no listing, so a listing that the list lacks stays as it was known",
    'Report it to the marketplace.',
  ),
  'assignments-short': nobody(
    ({ known, found }) =>
      `The marketplace's list of assignments has ${found} of ${known} listings, so a listing that it lacks stays as it was known`,
    'Nothing to do, if the next list is whole. Else look at the assignments on the marketplace.',
    { known: 40, found: 12 },
  ),
});
