import { goneText, type Witness } from '../gone.ts';
import { entriesOn, erp, invalidErpRow, marketplace, nobody, operator, orNull, withSharedParams } from './entry.ts';

const LINK = 'Correct it, or link the right ones: stockbridge map link customer ID ERP_ID';

export const CUSTOMER_CODES = entriesOn('customers', {
  'customers-unread': withSharedParams(
    [],
    nobody(
      'The customers have not been read completely yet',
      'Nothing to do: it continues after the first read of all customers of both sides.',
    ),
  ),
  'erp-customer-invalid': invalidErpRow('customer', 'name: is missing'),
  'customer-invalid': marketplace(
    ({ problem }) => `The marketplace's customer does not fit the documented shape: ${problem}`,
    'Correct the customer on the marketplace, or report it to the marketplace.',
    { problem: 'name: is missing' },
  ),
  'customer-gone': operator(
    ({ customer, erpCustomer }) =>
      `Customer ${customer}, which is linked to ERP customer ${erpCustomer}, is not on the marketplace any more`,
    ({ customer }) =>
      `If it was erased on purpose, erase it in the ERP too, or set it inactive there. To have another one created, unlink it: stockbridge map unlink customer --marketplace ${customer}`,
    { customer: 815, erpCustomer: 'C-1003' },
  ),
  'erp-customer-gone': operator(
    ({ customer, erpCustomer, ...gone }) =>
      `ERP customer ${erpCustomer}, which is linked to customer ${customer}, is ${goneText(gone)}`,
    ({ customer }) =>
      `If another ERP customer has replaced it, link that one: stockbridge map link customer ${customer} ERP_ID --replace. If not, unlink it: stockbridge map unlink customer --marketplace ${customer}`,
    {
      customer: 815,
      erpCustomer: 'C-1003',
      since: orNull('2026-11-02T10:00:00.000Z'),
      witness: orNull<Witness>('second-list'),
    },
  ),
  'customer-claims-another': erp(
    ({ erpCustomer, claims, linked }) =>
      `ERP customer ${erpCustomer} has the marketplace_id ${claims}, but is linked to customer ${linked}`,
    'Correct the marketplace_id in the ERP, or link the right ones with "stockbridge map link customer".',
    { erpCustomer: 'C-1003', claims: 9, linked: 815 },
  ),
  'customer-unnamed': erp(
    ({ erpCustomer }) => `ERP customer ${erpCustomer} has no name`,
    'Give the customer a name in the ERP.',
    { erpCustomer: 'C-1003' },
  ),
  'address-incomplete': erp(
    ({ kind, missing }) =>
      `The ${kind} address of the customer is not written: in the ERP, its ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
    'Complete the address in the ERP.',
    { kind: 'delivery', missing: ['city', 'zipcode'] },
  ),
  'customer-field': erp(
    ({ field, value, problem }) =>
      `The marketplace does not allow the ${field} of the customer${value === null ? '' : `, ${value}`}: ${problem}`,
    'Correct the field in the ERP.',
    { field: 'phone', value: orNull('"12"'), problem: 'phone: expected at least 5 characters' },
  ),
  'customer-field-problem': operator(
    ({ erpCustomer, problem }) => `Cannot compute a field of ERP customer ${erpCustomer}: ${problem}`,
    'Correct the customer in the ERP, or the field in customers.fields of the configuration.',
    { erpCustomer: 'C-1003', problem: 'customers.fields.tier: Argument 1 of function "number" does not match' },
  ),
  'customer-status-unknown': withSharedParams(
    ['status'],
    operator(
      ({ status }) => `customers.statuses names the status "${status}", which the marketplace does not have`,
      'Correct customers.statuses, or add the status on the marketplace.',
      { status: 'Gold' },
    ),
  ),
  'customer-maybe-ours': nobody(
    ({ erpCustomer }) => `The customer may be the one that is being created for ERP customer ${erpCustomer}`,
    'Nothing to do, unless the result of that create is unknown: stockbridge jobs list',
    { erpCustomer: 'C-1003' },
  ),
  'erp-customer-maybe-ours': nobody(
    ({ erpCustomer, customer }) =>
      `ERP customer ${erpCustomer} may be the one that is being created for customer ${customer}`,
    'Nothing to do, unless the result of that create is unknown: stockbridge jobs list',
    { erpCustomer: 'C-1003', customer: '815' },
  ),
  'customer-linked-soon': nobody(
    ({ erpCustomer, sign }) =>
      `ERP customer ${erpCustomer} has the same ${sign} as the customer and is about to be linked`,
    'Nothing to do: the two are linked when the ERP customer is processed.',
    { erpCustomer: 'C-1003', sign: 'licence number' },
  ),
  'customer-set-back': withSharedParams(
    [],
    operator(
      ({ customer, erpCustomer, fields }) =>
        `Somebody changed customer ${customer} on the marketplace. The change was overwritten with the values of ERP customer ${erpCustomer}: ${fields}`,
      'If the change was intended, make it in the ERP. To let the marketplace own a field, set customers.fields: { FIELD: false }. This message disappears after a day.',
      { customer: 815, erpCustomer: 'C-1003', fields: 'email' },
    ),
  ),
  'customer-inactive': operator(
    ({ erpCustomer, sign }) => `ERP customer ${erpCustomer} has the same ${sign} as the customer and is inactive`,
    ({ erpCustomer }) => `Activate it in the ERP, or link it: stockbridge map link customer ID ${erpCustomer}`,
    { erpCustomer: 'C-1003', sign: 'e-mail address' },
  ),
  'customer-id-unknown': operator(
    ({ own, id, other }) => `${own} refers to the id ${id}, which no ${other} has`,
    LINK,
    { own: 'ERP customer C-1003 (Green Door)', id: '815', other: 'marketplace customer' },
  ),
  'customers-alike': operator(({ customers, sign }) => `${customers} have the same ${sign}`, LINK, {
    customers: 'ERP customers C-1003 (Green Door), C-1004 (Green Door 2)',
    sign: 'licence number',
  }),
  'customer-several': operator(
    ({ own, sign, others }) => `${own} has the same ${sign} as several others: ${others}`,
    LINK,
    {
      own: 'ERP customer C-1003 (Green Door)',
      sign: 'licence number',
      others: 'marketplace customers 815 (Green Door), 816 (Green Door)',
    },
  ),
  'customer-of-another': operator(
    ({ own, sign, other, owner }) => `${own} has the same ${sign} as ${other}, which belongs to ${owner}`,
    LINK,
    {
      own: 'ERP customer C-1003 (Green Door)',
      sign: 'licence number',
      other: 'marketplace customer 815 (Green Door)',
      owner: 'ERP customer C-1001',
    },
  ),
  'customer-claimed': operator(
    ({ other, claimants, sign }) => `${other} has the same ${sign} as several others: ${claimants}`,
    LINK,
    {
      other: 'marketplace customer 815 (Green Door)',
      claimants: 'ERP customers C-1003 (Green Door), C-1004 (Green Door 2)',
      sign: 'e-mail address',
    },
  ),
});
