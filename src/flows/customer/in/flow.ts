import { areCustomersKnown } from '../../../shadow/read-customers.ts';
import type { StoredCustomer } from '../../../store/marketplace.ts';
import type { AccountContext } from '../../engine/context.ts';
import type { Flow } from '../../engine/flow.ts';
import { matchMarketplaceCustomer } from '../out/identify.ts';
import { createErpCustomer, draftOf } from './create.ts';
import { type CreateErpCustomer, type CustomerInSnapshot, decideCustomerIn } from './decide.ts';

/** Creates customers in the ERP that only the marketplace has. Its key is the marketplace's customer id. */
export const customerInFlow: Flow<CustomerInSnapshot, CreateErpCustomer> = {
  name: 'customer-in',
  decide: decideCustomerIn,
  apply: (context, look, { draft, adoptOnly }) => createErpCustomer(context, look, draft, adoptOnly),

  async observe(context, { key }) {
    const { account, config, store } = context;
    const customer = await store.customers.get(account, Number(key));
    const mapping = await store.mappings.byMarketplaceId(account, 'customer', key);
    const misfit = await store.misfits.get(account, 'customers', key);
    return {
      customer: customer === null ? null : { draft: draftOf(customer), archived: customer.archived },
      misfit: misfit === null ? null : `${misfit.path}: ${misfit.message}`,
      linked: mapping?.state === 'linked',
      match: customer === null ? { kind: 'none' } : await matchMarketplaceCustomer(context, customer),
      maybeOurOwn: customer === null ? null : await maybeOurOwn(context, customer),
      known: await areCustomersKnown(context),
      createInDoubt: (await store.intents.unsettled({ account, kind: 'customer-in', key })) !== null,
      create: config.customers?.toErp === true,
    };
  },
};

/** The poller may see what we create on the marketplace before its answer is here; made in the ERP, it would be two. */
async function maybeOurOwn({ account, store }: AccountContext, { name }: StoredCustomer): Promise<string | null> {
  for (const { key } of await store.intents.listUnsettled(account, 'customer-out')) {
    const erp = await store.erp.customer(account, key);
    if (erp?.name === name) return `it may be the customer we are creating for ERP customer ${key}`;
  }
  return null;
}
