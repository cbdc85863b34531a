import { emailKey, licenseKey } from '../../../domain/customer.ts';
import type { ErpCustomer } from '../../../erp/connector.ts';
import type { LikeCustomer, LikeErpCustomer, StoredCustomer } from '../../../store/marketplace.ts';
import type { LikeCustomers } from '../../../store/observe.ts';
import { type Identity, type Match, matchCustomer } from './match.ts';

const ERP_SIDE = { own: 'ERP customer', other: 'marketplace customer' };
const MARKETPLACE_SIDE = { own: 'marketplace customer', other: 'ERP customer' };

/** Finds the marketplace customer that is the same as an unlinked ERP customer. */
export function matchErpCustomer(erp: ErpCustomer, { onMarketplace: others, inErp: rivals }: LikeCustomers): Match {
  const own = {
    licenseKey: licenseKey(erp.licenseNumber),
    emailKey: emailKey(erp.email),
    id: erp.id,
    name: erp.name,
    names: erp.marketplaceId === null ? null : String(erp.marketplaceId),
    linkedTo: null,
    gone: erp.active === false,
  };
  return matchCustomer(own, others.map(onMarketplace), rivals.map(inErp), ERP_SIDE);
}

/** Finds the ERP customer that is the same as an unlinked marketplace customer. */
export function matchMarketplaceCustomer(
  customer: StoredCustomer,
  { inErp: others, onMarketplace: rivals }: LikeCustomers,
): Match {
  const own = onMarketplace({ ...customer, linkedTo: null });
  return matchCustomer(own, others.map(inErp), rivals.map(onMarketplace), MARKETPLACE_SIDE);
}

function onMarketplace(row: LikeCustomer): Identity {
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

function inErp(row: LikeErpCustomer): Identity {
  const { id, name, licenseKey: license, emailKey: email, linkedTo, gone } = row;
  const names = row.marketplaceId === null ? null : String(row.marketplaceId);
  return { id, name, names, licenseKey: license, emailKey: email, linkedTo, gone };
}
