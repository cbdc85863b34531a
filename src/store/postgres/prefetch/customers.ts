import { findLikeCustomers, findLikeErpCustomers } from '../../sql/alike-customers.ts';
import { findFact } from '../../sql/cursors.ts';
import { findCustomer, findErpCustomer } from '../../sql/customers.ts';
import { GONE } from '../../sql/gone.ts';
import { findByErpId, findByMarketplaceId } from '../../sql/mappings.ts';
import { type Ask, asNumber, asText, type ColumnOf } from '../prefetch-plan.ts';
import { all, findIntentsOfKind, type Of, prefetchAnyInvalid, prefetchFacts, prefetchUnsettled } from './questions.ts';

const findThere = all(findLikeCustomers);
const findHere = all(findLikeErpCustomers);

/** Further customers are asked for one by one. */
const MOST_PREFETCHED = 50;

interface Signs {
  readonly marketplaceId: ColumnOf<number | null>;
  readonly erpId: ColumnOf<string | null>;
  readonly licenseKey: ColumnOf<string | null>;
  readonly emailKey: ColumnOf<string | null>;
}

export const customerIn: Of<'customerIn'> = (ask, account, id, facts) => {
  const what = String(id);
  const signs = prefetchCustomerSigns(ask, account, id);
  prefetchAlikeCustomers(ask, account, signs);
  ask(findErpCustomer, { account, id: signs.erpId });
  ask(findFact, { account, name: signs.erpId.as((column) => `'${GONE}erp-customers:' || ${column}`) });
  ask(findByMarketplaceId, { account, kind: 'customer', marketplaceId: what });
  prefetchAnyInvalid(ask, account, 'customers');
  ask(findErpCustomer, { account, id: ask(findIntentsOfKind, { account, kind: 'customer-out' }).key });
  prefetchUnsettled(ask, account, 'customer-in', what);
  prefetchFacts(ask, account, facts);
};

export const customerOut: Of<'customerOut'> = (ask, account, id, facts) => {
  const { id: erpId, marketplaceId, licenseKey, emailKey } = ask(findErpCustomer, { account, id });
  prefetchAlikeCustomers(ask, account, { marketplaceId, erpId, licenseKey, emailKey });
  const linked = ask(findByErpId, { account, kind: 'customer', erpId: id }).marketplaceId;
  ask(findCustomer, { account, id: asNumber(linked) });
  prefetchAnyInvalid(ask, account, 'customers', 'erp-customers');
  ask(findCustomer, { account, id: asNumber(ask(findIntentsOfKind, { account, kind: 'customer-in' }).key) });
  prefetchUnsettled(ask, account, 'customer-out', id);
  prefetchFacts(ask, account, facts);
};

export const linkedCustomers: Of<'linkedCustomers'> = (ask, account, erpIds) => {
  for (const erpId of erpIds.slice(0, MOST_PREFETCHED)) {
    const { marketplaceId } = ask(findByErpId, { account, kind: 'customer', erpId });
    ask(findCustomer, { account, id: asNumber(marketplaceId) });
  }
};

/** Returns the signs that identify similar customers. */
export function prefetchCustomerSigns(ask: Ask, account: string, given: number | ColumnOf<number | null>): Signs {
  const { id, externalId, licenseKey, emailKey } = ask(findCustomer, { account, id: given });
  return { marketplaceId: id, erpId: externalId, licenseKey, emailKey };
}

export function prefetchAlikeCustomers(ask: Ask, account: string, signs: Signs): void {
  const given = {
    account,
    marketplaceId: signs.marketplaceId.orNull(),
    erpId: signs.erpId.orNull(),
    licenseKey: signs.licenseKey.orNull(),
    emailKey: signs.emailKey.orNull(),
  };
  const there = ask(findThere, given);
  ask(findByMarketplaceId, { account, kind: 'customer', marketplaceId: asText(there.id) });
  const here = ask(findHere, given);
  ask(findByErpId, { account, kind: 'customer', erpId: here.id });
}
