import { emailKey, licenseKey } from '../../../domain/customer.ts';
import type { ErpCustomer } from '../../../erp/connector.ts';
import type { StoredCustomer } from '../../../store/marketplace.ts';
import type { Store } from '../../../store/store.ts';
import type { AccountContext } from '../../engine/context.ts';
import { type Identity, type Match, matchCustomer } from './match.ts';

const ERP_SIDE = { own: 'ERP customer', other: 'marketplace customer' };
const MARKETPLACE_SIDE = { own: 'marketplace customer', other: 'ERP customer' };

/** Who on the marketplace an ERP customer without a link is. */
export async function matchErpCustomer({ account, store }: AccountContext, erp: ErpCustomer): Promise<Match> {
  const signs = { licenseKey: licenseKey(erp.licenseNumber), emailKey: emailKey(erp.email) };
  const like = { ...signs, erpId: erp.id, marketplaceId: erp.marketplaceId };
  const others = await store.customers.customersLike(account, like);
  const rivals = await store.customers.erpCustomersLike(account, like);
  const own = {
    ...signs,
    id: erp.id,
    name: erp.name,
    names: erp.marketplaceId === null ? null : String(erp.marketplaceId),
    linkedTo: null,
    gone: erp.active === false,
  };
  return matchCustomer(own, others.map(onMarketplace), rivals.map(inErp), ERP_SIDE);
}

/** Who in the ERP a marketplace customer without a link is. */
export async function matchMarketplaceCustomer(
  { account, store }: AccountContext,
  customer: StoredCustomer,
): Promise<Match> {
  const like = { ...customer, marketplaceId: customer.id, erpId: customer.externalId };
  const others = await store.customers.erpCustomersLike(account, like);
  const rivals = await store.customers.customersLike(account, like);
  const own = onMarketplace({ ...customer, linkedTo: null });
  return matchCustomer(own, others.map(inErp), rivals.map(onMarketplace), MARKETPLACE_SIDE);
}

type Alike = Store['customers'];

function onMarketplace(row: Awaited<ReturnType<Alike['customersLike']>>[number]): Identity {
  const { name, licenseKey: license, emailKey: email, linkedTo } = row;
  return {
    id: String(row.id),
    name,
    names: row.externalId,
    licenseKey: license,
    emailKey: email,
    linkedTo,
    gone: row.archived,
  };
}

function inErp(row: Awaited<ReturnType<Alike['erpCustomersLike']>>[number]): Identity {
  const { id, name, licenseKey: license, emailKey: email, linkedTo, gone } = row;
  const names = row.marketplaceId === null ? null : String(row.marketplaceId);
  return { id, name, names, licenseKey: license, emailKey: email, linkedTo, gone };
}
