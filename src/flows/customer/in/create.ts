import type { ErpAddress, ErpCustomerDraft } from '../../../erp/connector.ts';
import { parseJson } from '../../../http/json.ts';
import { field, readText } from '../../../marketplace/entities/amounts.ts';
import type { ReadContext } from '../../../shadow/context.ts';
import type { StoredCustomer } from '../../../store/marketplace.ts';
import { createOnce } from '../../engine/create-once.ts';
import type { Applied, WriteLook } from '../../engine/flow.ts';

/** Creates a marketplace customer in the ERP once, for an order or for the customer itself. */
export async function createErpCustomer(
  context: ReadContext,
  look: WriteLook,
  draft: ErpCustomerDraft,
  adoptOnly: boolean,
): Promise<Applied> {
  const { account, config, erp, store } = context;
  const key = String(draft.marketplaceId);
  return context.exclusively([`customer ${key}`], async () => {
    const known = await store.mappings.byMarketplaceId(account, 'customer', key);
    if (known?.state === 'linked') return { outcome: 'noted', answer: `linked to ${known.erpId} meanwhile` };
    return createOnce(context, {
      intent: { kind: 'customer-in', key },
      alwaysFind: true,
      // A customer deleted since is no match.
      find: async () =>
        (await erp.findCustomers(draft.marketplaceId, look.signal)).filter(({ deleted }) => deleted !== true),
      create: adoptOnly
        ? null
        : async (sending) => {
            await sending();
            return erp.createCustomer(draft, look.signal);
          },
      record: async (customer) => {
        if (config.customers !== null) await store.erp.recordCustomers(account, [customer], look.lane);
      },
      idOf: ({ id }) => id,
    });
  });
}

export function draftOf({ id, name, content }: StoredCustomer): ErpCustomerDraft {
  const fields = parseJson(content);
  const corporate = readAddress(field(fields, 'corporate_address'));
  const delivery = readAddress(field(fields, 'delivery_address'));
  return {
    name: name === '' ? `marketplace customer ${id}` : name,
    marketplaceId: id,
    ...shown({
      email: readText(field(fields, 'email')),
      phone: readText(field(fields, 'phone')),
      licenseNumber: readText(field(fields, 'license_number')),
      addresses: corporate === null && delivery === null ? null : shown({ corporate, delivery }),
    }),
  };
}

export function readAddress(there: unknown): ErpAddress | null {
  const of = (part: string) => readText(field(there, part));
  const address = shown({
    address: of('address'),
    unitNumber: of('unit_number'),
    city: of('city'),
    county: of('county'),
    state: of('state'),
    zipcode: of('zipcode'),
  });
  return Object.keys(address).length === 0 ? null : address;
}

type Shown<T> = { [Name in keyof T]?: Exclude<T[Name], null> };

function shown<T extends object>(fields: T): Shown<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Shown<T>;
}
