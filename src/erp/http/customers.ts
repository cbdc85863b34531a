import { z } from 'zod';
import type { ErpAddress, ErpCustomer, ErpCustomerDraft, ErpCustomers } from '../connector.ts';
import type { Caller } from './call.ts';
import { listPages, listWhole } from './list.ts';
import { since } from './reads.ts';
import { identifier, marketplaceId, text, time } from './rows.ts';

/** The contract names the calls and not the fields: all but `id` may be left out, and a missing field is not known. */
export function customersOf(caller: Caller): Required<ErpCustomers> {
  return {
    listCustomers(changedSince, signal) {
      const [params, purpose] = [since(changedSince), 'list the customers'];
      return listPages(caller, { path: '/v1/customers', params, purpose, row: customerRow, idField: 'id' }, signal);
    },

    async findCustomers(id, signal) {
      const params = { marketplace_id: String(id) };
      const purpose = `find the customers with marketplace id ${id}`;
      const request = { path: '/v1/customers', params, purpose, row: customerRow, idField: 'id' } as const;
      return (await listWhole(caller, request, signal)).filter((found) => found.marketplaceId === id);
    },

    createCustomer(draft, signal) {
      const purpose = `create the customer with marketplace id ${draft.marketplaceId}`;
      const call = { method: 'POST', path: '/v1/customers', body: draftBody(draft), purpose } as const;
      return caller.call({ ...call, answer: customerRow }, signal);
    },
  };
}

/** Absent and null are not known; an empty text is empty in the ERP. */
function known<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const knownText = known(z.string());

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
    changed_at: time.nullish(),
  })
  .transform(({ id, name, email, phone, status, addresses, ...row }) => ({
    id,
    name,
    marketplaceId: row.marketplace_id ?? null,
    changedAt: row.changed_at ?? null,
    ...onlyKnown({ email, phone, licenseNumber: row.license_number, status, active: isActive(row), addresses }),
  }));

function isActive({ active, deleted }: { active: boolean | undefined; deleted: boolean | undefined }) {
  if (deleted === true) return false;
  return active ?? (deleted === false ? true : undefined);
}

type Known<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

function onlyKnown<T extends object>(fields: T): Known<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Known<T>;
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
