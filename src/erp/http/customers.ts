import type { ErpCustomers } from '../connector.ts';
import { customerBody } from '../rows/bodies.ts';
import { customerRow } from '../rows/customers.ts';
import type { Caller } from './call.ts';
import { collection } from './list.ts';

/** All fields but `id` may be left out: a missing field is unknown. */
export function customersOf(caller: Caller): Required<ErpCustomers> {
  const path = '/v1/customers';
  const { list, find } = collection(caller, { path, name: 'customers', row: customerRow });
  return {
    listCustomers: list,
    findCustomers: (id, signal) =>
      find(['marketplace_id', String(id)], (customer) => customer.marketplaceId === id, signal),

    createCustomer(draft, signal) {
      const purpose = `create the customer with marketplace id ${draft.marketplaceId}`;
      const call = { method: 'POST', path, body: customerBody(draft), purpose, answer: customerRow } as const;
      return caller.call(call, signal);
    },
  };
}
