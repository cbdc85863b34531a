import { contentOf } from '../domain/shadow/payments.ts';
import type { ErpCustomer, ErpPayment } from '../erp/connector.ts';
import type { GoneFrom } from '../store/gone.ts';
import type { AccountRecords } from './context.ts';

/*
 * An ERP that reimports its records gives them new ids. A row claims to be a known entity by its marketplace id or by
 * its content.
 */

export function claimsOfCustomer({ marketplaceId }: Pick<ErpCustomer, 'marketplaceId'>): string[] {
  return named(marketplaceId);
}

export function claimsOfPayment(payment: ErpPayment): string[] {
  return [...named(payment.marketplaceId), contentOf(payment)];
}

function named(marketplaceId: string | number | null): string[] {
  return marketplaceId === null ? [] : [`names ${marketplaceId}`];
}

/** The claims that would identify this entity under another id. */
const CLAIMS_OF: Readonly<Partial<Record<GoneFrom, (context: AccountRecords, id: string) => Promise<string[]>>>> = {
  'erp-customers': async ({ account, store }, id) => {
    const customer = await store.erp.customer(account, id);
    const linked = named(await store.mappings.linkedTo(account, 'customer', id));
    return customer === null ? linked : [...linked, ...claimsOfCustomer(customer)];
  },
  'erp-payments': async ({ account, store }, id) => {
    const payment = await store.erp.payment(account, id);
    const linked = named(await store.mappings.linkedTo(account, 'payment', id));
    return payment === null ? linked : [...linked, ...claimsOfPayment(payment)];
  },
};

/** Returns how many of the missing entities a list contains under other ids. */
export async function countClaimed(
  context: AccountRecords,
  collection: GoneFrom,
  missing: ReadonlySet<string>,
  claims: ReadonlySet<string>,
): Promise<number> {
  const claimsOf = CLAIMS_OF[collection];
  if (claimsOf === undefined || claims.size === 0) return 0;
  let count = 0;
  for (const id of missing) {
    if ((await claimsOf(context, id)).some((claim) => claims.has(claim))) count += 1;
  }
  return count;
}
