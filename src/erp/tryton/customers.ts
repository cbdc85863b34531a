import { z } from 'zod';
import type { ErpAddress, ErpCustomer, ErpCustomerDraft, ErpCustomers, ErpOrderCustomer } from '../connector.ts';
import { customerRow } from '../rows/customers.ts';
import type { Tryton } from './books.ts';
import { WITH_ARCHIVED } from './products.ts';
import { createdId, findRows, listOf, type Mapping, searchId } from './records.ts';
import type { RpcCallOptions } from './rpc.ts';
import { marketplaceCode, marketplaceIdOf } from './sales.ts';
import { changedAt, stamps } from './values.ts';

const addressRecord = z.object({
  street: z.string().nullable(),
  city: z.string().nullable(),
  postal_code: z.string().nullable(),
  ...stamps,
});
const partyRecord = z.object({
  id: z.int(),
  code: z.string().nullable(),
  name: z.string().nullable(),
  active: z.boolean(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  'identifiers.': z.array(z.object({ code: z.string().nullable(), ...stamps })),
  'addresses.': z.array(addressRecord),
  'contact_mechanisms.': z.array(z.object(stamps)),
  ...stamps,
});

const mapping: Mapping<z.output<typeof partyRecord>, ErpCustomer> = {
  row: customerRow,
  model: 'party.party',
  domain: [],
  context: WITH_ARCHIVED,
  record: partyRecord,
  placesOfChange: ['', 'identifiers.', 'addresses.', 'contact_mechanisms.'],
  toRow: ({ 'identifiers.': codes, 'addresses.': addresses, 'contact_mechanisms.': ways, ...party }) => ({
    id: String(party.id),
    marketplace_id: marketplaceIdOf(codes),
    name: party.name,
    email: party.email || undefined,
    phone: party.phone || undefined,
    active: party.active,
    addresses: addresses[0] && { delivery: addressRow(addresses[0]) },
    attributes: { code: party.code },
    changed_at: changedAt([party, ...codes, ...addresses, ...ways]),
  }),
};

/** Without state and county, which are separate records that few installations have. */
function addressRow({ street, city, postal_code }: z.output<typeof addressRecord>) {
  return { address: street ?? undefined, city: city ?? undefined, zipcode: postal_code ?? undefined };
}

/** Customers are parties. The identifier `marketplace:4711` marks the marketplace's customer 4711. */
export function customersOf(tryton: Tryton): Required<ErpCustomers> {
  const { rpc } = tryton;
  return {
    listCustomers: (since, signal) => listOf(rpc, mapping, since, { purpose: 'list the customers', signal }),
    findCustomers: (id, signal) =>
      partiesOf(tryton, id, { purpose: `find the customer with marketplace id ${id}`, signal }),
    async createCustomer(draft, signal) {
      const purpose = `create the customer with marketplace id ${draft.marketplaceId}`;
      const asked = { purpose, write: true, signal };
      await rpc.call('model.party.party.create', [[valuesOf(draft)]], asked);
      const [made] = await partiesOf(tryton, draft.marketplaceId, { purpose, signal });
      if (made === undefined) throw rpc.undone(asked, 'it is not there afterwards.');
      return made;
    },
  };
}

async function partiesOf({ rpc }: Tryton, marketplaceId: number, asked: RpcCallOptions): Promise<ErpCustomer[]> {
  const condition = [['identifiers.code', '=', marketplaceCode(marketplaceId)]];
  const parties = await findRows(rpc, mapping, condition, asked);
  return parties.filter((customer) => customer.marketplaceId === marketplaceId);
}

/** The values of a new party, with an address, since Tryton quotes no sale without one. */
function valuesOf({ name, marketplaceId, email, phone, addresses }: ErpCustomerDraft) {
  const ways = [
    { type: 'email', value: email },
    { type: 'phone', value: phone },
  ].filter(({ value }) => value !== undefined && value !== '');
  return {
    name,
    identifiers: [['create', [{ type: null, code: marketplaceCode(marketplaceId) }]]],
    addresses: [['create', [addressValues(addresses?.delivery ?? addresses?.corporate ?? {})]]],
    contact_mechanisms: [['create', ways]],
  };
}

function addressValues({ address, unitNumber, city, zipcode }: ErpAddress) {
  const street = [address, unitNumber].filter((part) => part !== undefined && part !== '').join('\n');
  return { street, city, postal_code: zipcode };
}

/** The id of the party's address, created if missing. */
export async function addressFor(
  { rpc }: Tryton,
  party: number,
  address: ErpAddress,
  asked: RpcCallOptions,
): Promise<number> {
  const values = { party, ...addressValues(address) };
  const domain = Object.entries(values).map(([field, value]) => [field, '=', value ?? null]);
  const found = await searchId(rpc, 'party.address', domain, asked);
  return found ?? createdId(rpc, 'party.address', values, 'an address', asked);
}

/**
 * The party of a sale: the one named by the order, the one with the customer's marketplace id, or the default of the
 * settings.
 * @throws CallFailure `refused`, `not-applied`, when there is none
 */
export async function findParty(tryton: Tryton, customer: ErpOrderCustomer, asked: RpcCallOptions): Promise<number> {
  const { rpc, settings } = tryton;
  if (customer.id !== undefined && /^\d{1,9}$/.test(customer.id)) return Number(customer.id);
  if (customer.marketplaceId !== undefined) {
    const [own] = await partiesOf(tryton, customer.marketplaceId, { ...asked, write: false });
    if (own !== undefined) return Number(own.id);
  }
  const who = customer.name ?? 'its customer';
  if (settings.customer === undefined) {
    throw rpc.refuse(
      asked,
      `${who} is not known there. Give its party the identifier marketplace:ID, or name one for all in erp.settings.customer.`,
    );
  }
  const id = await searchId(rpc, 'party.party', [['code', '=', settings.customer]], asked);
  if (id !== undefined) return id;
  throw rpc.refuse(asked, `there is no party with the code ${settings.customer}. Correct erp.settings.customer.`);
}
