import { z } from 'zod';
import type { ErpAddress, ErpCustomer, ErpCustomerDraft, ErpCustomers } from '../connector.ts';
import type { Caller } from './call.ts';
import { collection } from './list.ts';
import { identifier, known, knownText, marketplaceId, onlyKnown, text, time } from './rows.ts';

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
      const call = { method: 'POST', path, body: draftBody(draft), purpose, answer: customerRow } as const;
      return caller.call(call, signal);
    },
  };
}

const address = known(
  z
    .object({
      address: knownText,
      unit_number: knownText,
      city: knownText,
      county: knownText,
      state: knownText,
      zipcode: knownText,
    })
    .transform(({ unit_number, ...same }): ErpAddress => onlyKnown({ ...same, unitNumber: unit_number })),
);

const customerRow: z.ZodType<ErpCustomer> = z
  .object({
    id: identifier,
    marketplace_id: marketplaceId,
    name: text,
    email: knownText,
    phone: knownText,
    license_number: knownText,
    status: knownText,
    active: known(z.boolean()),
    deleted: known(z.boolean()),
    addresses: known(z.object({ corporate: address, delivery: address }).transform(onlyKnown)),
    attributes: known(z.record(z.string(), z.unknown())),
    changed_at: time.nullish(),
  })
  .transform(({ id, name, email, phone, status, addresses, attributes, ...row }) => ({
    id,
    name,
    marketplaceId: row.marketplace_id ?? null,
    changedAt: row.changed_at ?? null,
    ...onlyKnown({ email, phone, licenseNumber: row.license_number, status, active: isActive(row), addresses }),
    ...onlyKnown({ attributesText: attributes && JSON.stringify(attributes) }),
  }));

function isActive({ active, deleted }: { active: boolean | undefined; deleted: boolean | undefined }) {
  if (deleted === true) return false;
  return active ?? (deleted === false ? true : undefined);
}

/** JSON leaves out undefined fields. */
function draftBody({ name, marketplaceId: id, licenseNumber, addresses, ...rest }: ErpCustomerDraft) {
  return {
    name,
    marketplace_id: id,
    ...rest,
    license_number: licenseNumber,
    addresses: addresses && { corporate: addressBody(addresses.corporate), delivery: addressBody(addresses.delivery) },
  };
}

function addressBody(one: ErpAddress | undefined) {
  if (one === undefined) return undefined;
  const { unitNumber, ...same } = one;
  return { ...same, unit_number: unitNumber };
}
