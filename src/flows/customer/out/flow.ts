import type { ErpCustomer } from '../../../erp/connector.ts';
import { parseJson } from '../../../http/json.ts';
import { erpMisfitOf } from '../../../shadow/erp-misfits.ts';
import { readBeforeCreate } from '../../../shadow/last-read.ts';
import { areCustomersKnown, customerStatusIds } from '../../../shadow/read-customers.ts';
import type { AccountContext } from '../../engine/context.ts';
import type { Flow } from '../../engine/flow.ts';
import type { Echoes, WireFields } from '../../product/fields.ts';
import { applyCustomerOut } from './apply.ts';
import { type CustomerOutAction, type CustomerOutSnapshot, decideCustomerOut, type ShownCustomer } from './decide.ts';
import { matchErpCustomer } from './identify.ts';
import type { Match } from './match.ts';
import { type WantedCustomer, wantedCustomer } from './wanted.ts';

/** Keeps the marketplace's customers in step with the ERP's. Its key is the ERP's customer id. */
export const customerOutFlow: Flow<CustomerOutSnapshot, CustomerOutAction> = {
  name: 'customer-out',
  decide: decideCustomerOut,
  async observe(context, look, fresh) {
    const snapshot = await observeCustomer(context, look.key);
    if (!fresh || !isToBeCreated(snapshot)) return snapshot;
    await readBeforeCreate(context, look, 'customers');
    return observeCustomer(context, look.key);
  },
  apply: applyCustomerOut,
};

/** One whose create is in doubt is looked up by itself. */
function isToBeCreated(snapshot: CustomerOutSnapshot): boolean {
  if (snapshot.createInDoubt) return false;
  return decideCustomerOut(snapshot).actions.some(({ action }) => action === 'customer-out.create');
}

async function observeCustomer(context: AccountContext, key: string): Promise<CustomerOutSnapshot> {
  const { account, config, store } = context;
  const erp = config.customers === null ? null : await store.erp.customer(account, key);
  const mapping = await store.mappings.byErpId(account, 'customer', key);
  const linkedId = mapping?.state === 'linked' ? Number(mapping.marketplaceId) : null;
  return {
    erp,
    erpMisfit: config.customers === null ? null : await erpMisfitOf(context, 'erp-customers', key),
    linked: linkedId === null ? null : { id: linkedId, shown: await findShown(context, linkedId) },
    match: erp === null || linkedId !== null ? NOBODY : await matchErpCustomer(context, erp),
    maybeOurOwn: erp === null || linkedId !== null ? null : await maybeOurOwn(context, erp),
    known: await areCustomersKnown(context),
    createInDoubt: (await store.intents.unsettled({ account, kind: 'customer-out', key })) !== null,
    wanted: erp === null ? NOTHING : await wantedOf(context, erp),
    createFields: { owner_id: config.marketplace.sellerId },
    echoes: mapping === null ? {} : (JSON.parse(mapping.echoes) as Echoes),
    rules: { write: config.customers?.toMarketplace === true, archive: config.customers?.archive === true },
  };
}

const NOBODY: Match = { kind: 'none' };
const NOTHING: WantedCustomer = { fields: {}, problems: [] };

async function findShown({ account, store }: AccountContext, id: number): Promise<ShownCustomer | null> {
  const stored = await store.customers.get(account, id);
  if (stored === null) return null;
  const misfit = await store.misfits.get(account, 'customers', String(id));
  return {
    archived: stored.archived,
    misfit: misfit === null ? null : `${misfit.path}: ${misfit.message}`,
    fields: parseJson(stored.content) as WireFields,
  };
}

/** The ERP may show what we create there before its answer is here; made on the marketplace, it would come back. */
async function maybeOurOwn({ account, store }: AccountContext, erp: ErpCustomer): Promise<string | null> {
  for (const { key } of await store.intents.listUnsettled(account, 'customer-in')) {
    const customer = await store.customers.get(account, Number(key));
    if (customer?.name === erp.name) return `it may be the ERP customer we are creating for customer ${key}`;
  }
  return null;
}

async function wantedOf(context: AccountContext, erp: ErpCustomer): Promise<WantedCustomer> {
  const { customers, marketplace } = context.config;
  return wantedCustomer(erp, {
    externalIdKey: marketplace.externalIdKey,
    addresses: customers?.addresses === true,
    statuses: customers?.statuses ?? [],
    statusIds: await customerStatusIds(context),
  });
}
