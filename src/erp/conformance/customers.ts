import { deepStrictEqual, ok } from 'node:assert/strict';
import type { ErpConnector, ErpCustomer, ErpCustomerDraft } from '../connector.ts';
import { asOf, type Checks, idsOf } from './probe.ts';

export function customerChecks(erp: ErpConnector): Checks {
  const { listCustomers } = erp;
  return {
    'a customer is found by the id it has on the marketplace once it was made, and not before': async () => {
      const marketplaceId = madeUpId();
      deepStrictEqual(await erp.findCustomers(marketplaceId), []);
      const made = await erp.createCustomer({ name: 'conformance check', marketplaceId });
      deepStrictEqual(await erp.findCustomers(marketplaceId), [made]);
      deepStrictEqual([made.marketplaceId, made.name], [marketplaceId, 'conformance check']);
    },
    'what is told of a new customer is kept as it was told, or not known afterwards': async () => {
      const draft = { ...DETAILS, marketplaceId: madeUpId() };
      deepStrictEqual(changedDetails(await erp.createCustomer(draft), draft), []);
      const [found] = await erp.findCustomers(draft.marketplaceId);
      ok(found !== undefined, `customer ${draft.marketplaceId} is not found`);
      deepStrictEqual(changedDetails(found, draft), []);
    },
    ...(listCustomers === undefined ? {} : listChecks(erp, listCustomers)),
  };
}

function listChecks(erp: ErpConnector, list: NonNullable<ErpConnector['listCustomers']>): Checks {
  return {
    'a listing of all customers has every customer once and says at its end, and only there, that it is complete':
      async () => {
        const made = await erp.createCustomer({ name: 'conformance check', marketplaceId: madeUpId() });
        const pages = await Array.fromAsync(list(null));
        const ids = idsOf(pages);
        deepStrictEqual(new Set(ids).size, ids.length, 'a customer came twice');
        ok(ids.includes(made.id), `customer ${made.id} is not in the listing`);
        const complete = pages.map((page) => page.complete).indexOf(true);
        deepStrictEqual(complete, pages.length - 1, 'complete is said elsewhere');
      },
    'a customer that was made since the time of a listing is listed since then': async () => {
      const before = asOf(await Array.fromAsync(list(null)));
      const made = await erp.createCustomer({ name: 'conformance check', marketplaceId: madeUpId() });
      const since = idsOf(await Array.fromAsync(list(before)));
      ok(since.includes(made.id), `customer ${made.id} was made after ${before} and is not listed since then`);
    },
  };
}

const DETAILS = {
  name: 'conformance check',
  email: 'check@conformance.example',
  phone: '5035550100',
  licenseNumber: 'CONFORMANCE-1',
  addresses: { delivery: { address: '1 Check Street', city: 'Portland', state: 'OR', zipcode: '97201' } },
} satisfies Omit<ErpCustomerDraft, 'marketplaceId'>;

/** An ERP need not keep every field; a kept field must come back. */
function changedDetails(customer: ErpCustomer, draft: ErpCustomerDraft): string[] {
  const told = (name: keyof ErpCustomerDraft) => JSON.stringify(draft[name]);
  const names = ['name', 'marketplaceId', 'email', 'phone', 'licenseNumber'] as const;
  return names.filter((name) => customer[name] !== undefined && JSON.stringify(customer[name]) !== told(name));
}

function madeUpId(): number {
  return 900_000_000 + Math.floor(Math.random() * 99_999_999);
}
