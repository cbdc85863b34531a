import { on } from './entry.ts';

const LINK = 'Correct it, or link the right ones: stockbridge map link customer ID ERP_ID';

export const CUSTOMER_CODES = on('customers', {
  'customers-unread': {
    turn: 'nobody',
    text: () => 'The customers are not completely read yet',
    next: 'Nothing to do: it goes on when the first read of all customers of both sides has ended.',
    example: {},
  },
  'erp-customer-misfit': {
    turn: 'erp',
    text: ({ problem }: { problem: string }) => `The ERP's customer does not fit the contract: ${problem}`,
    next: "Correct the customer in the ERP, or the ERP's answer.",
    example: { problem: 'name: is missing' },
  },
  'customer-misfit': {
    turn: 'marketplace',
    text: ({ problem }: { problem: string }) =>
      `The marketplace's customer does not fit the documented shape: ${problem}`,
    next: 'Correct the customer on the marketplace, or tell the marketplace.',
    example: { problem: 'name: is missing' },
  },
  'customer-gone': {
    turn: 'operator',
    text: ({ customer, erpCustomer }: { customer: number; erpCustomer: string }) =>
      `Customer ${customer} is linked to ERP customer ${erpCustomer}, and the marketplace does not show the customer`,
    next: ({ customer }) =>
      `Unlink it to have another one created: stockbridge map unlink customer --marketplace ${customer}`,
    example: { customer: 815, erpCustomer: 'C-1003' },
  },
  'customer-claims-another': {
    turn: 'erp',
    text: ({ erpCustomer, claims, linked }: { erpCustomer: string; claims: number; linked: number }) =>
      `The ERP says that ${erpCustomer} is customer ${claims}, and it is linked to ${linked}`,
    next: 'Correct the marketplace_id in the ERP, or link the right ones with "stockbridge map link customer".',
    example: { erpCustomer: 'C-1003', claims: 9, linked: 815 },
  },
  'customer-unnamed': {
    turn: 'erp',
    text: ({ erpCustomer }: { erpCustomer: string }) => `ERP customer ${erpCustomer} has no name`,
    next: 'Give the customer a name in the ERP.',
    example: { erpCustomer: 'C-1003' },
  },
  'address-incomplete': {
    turn: 'erp',
    text: ({ kind, missing }: { kind: string; missing: string[] }) =>
      `The ${kind} address of the customer is not written, because the ERP does not tell ${missing.join(' and ')}`,
    next: 'Complete the address in the ERP.',
    example: { kind: 'delivery', missing: ['city', 'zipcode'] },
  },
  'customer-field': {
    turn: 'erp',
    text: ({ field, value, problem }: { field: string; value: string | null; problem: string }) =>
      `The ${field} of the customer${value === null ? '' : `, ${value},`} cannot be written: ${problem}`,
    next: 'Correct the field in the ERP.',
    example: { field: 'phone', value: '"12"', problem: 'phone: expected at least 5 characters' },
  },
  'customer-status-unknown': {
    turn: 'operator',
    text: ({ status }: { status: string }) =>
      `The marketplace has no customer status "${status}", which customers.statuses names`,
    next: 'Correct customers.statuses, or add the status on the marketplace.',
    example: { status: 'Gold' },
  },
  'customer-maybe-ours': {
    turn: 'nobody',
    text: ({ erpCustomer }: { erpCustomer: string }) =>
      `The customer may be the one that is being created for ERP customer ${erpCustomer}`,
    next: 'Nothing to do, unless that create is in doubt: stockbridge jobs list',
    example: { erpCustomer: 'C-1003' },
  },
  'erp-customer-maybe-ours': {
    turn: 'nobody',
    text: ({ erpCustomer, customer }: { erpCustomer: string; customer: string }) =>
      `ERP customer ${erpCustomer} may be the one that is being created for customer ${customer}`,
    next: 'Nothing to do, unless that create is in doubt: stockbridge jobs list',
    example: { erpCustomer: 'C-1003', customer: '815' },
  },
  'customer-linked-soon': {
    turn: 'nobody',
    text: ({ erpCustomer, sign }: { erpCustomer: string; sign: string }) =>
      `ERP customer ${erpCustomer} has the same ${sign} as the customer and is about to be linked`,
    next: 'Nothing to do: the two are linked when the ERP customer is looked at.',
    example: { erpCustomer: 'C-1003', sign: 'licence number' },
  },
  'customer-inactive': {
    turn: 'operator',
    text: ({ erpCustomer, sign }: { erpCustomer: string; sign: string }) =>
      `ERP customer ${erpCustomer} has the same ${sign} as the customer and is inactive`,
    next: ({ erpCustomer }) => `Activate it in the ERP, or link it: stockbridge map link customer ID ${erpCustomer}`,
    example: { erpCustomer: 'C-1003', sign: 'e-mail address' },
  },
  'customer-id-unknown': {
    turn: 'operator',
    text: ({ own, id, other }: { own: string; id: string; other: string }) =>
      `${own} carries the id ${id}, and no ${other} has that id`,
    next: LINK,
    example: { own: 'ERP customer C-1003 (Green Door)', id: '815', other: 'marketplace customer' },
  },
  'customers-alike': {
    turn: 'operator',
    text: ({ customers, sign }: { customers: string; sign: string }) => `${customers} have the same ${sign}`,
    next: LINK,
    example: { customers: 'ERP customers C-1003 (Green Door), C-1004 (Green Door 2)', sign: 'licence number' },
  },
  'customer-several': {
    turn: 'operator',
    text: ({ own, sign, others }: { own: string; sign: string; others: string }) =>
      `${own} has the ${sign} of several: ${others}`,
    next: LINK,
    example: {
      own: 'ERP customer C-1003 (Green Door)',
      sign: 'licence number',
      others: 'marketplace customers 815 (Green Door), 816 (Green Door)',
    },
  },
  'customer-of-another': {
    turn: 'operator',
    text: ({ own, sign, other, owner }: { own: string; sign: string; other: string; owner: string }) =>
      `${own} has the ${sign} of ${other}, which belongs to ${owner}`,
    next: LINK,
    example: {
      own: 'ERP customer C-1003 (Green Door)',
      sign: 'licence number',
      other: 'marketplace customer 815 (Green Door)',
      owner: 'ERP customer C-1001',
    },
  },
  'customer-claimed': {
    turn: 'operator',
    text: ({ other, claimants, sign }: { other: string; claimants: string; sign: string }) =>
      `${other} is like several by ${sign}: ${claimants}`,
    next: LINK,
    example: {
      other: 'marketplace customer 815 (Green Door)',
      claimants: 'ERP customers C-1003 (Green Door), C-1004 (Green Door 2)',
      sign: 'e-mail address',
    },
  },
});
