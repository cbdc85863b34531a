import { type Cause, cause } from '../../../domain/causes/cause.ts';
import type { AccountRecords } from '../../../shadow/context.ts';
import { CUSTOMERS_KNOWN } from '../../../shadow/read-customers.ts';
import type { CustomerInRows } from '../../../store/observe.ts';
import { invalidRowText } from '../../../store/reading.ts';
import { beforeCreate } from '../../engine/before-create.ts';
import type { Flow } from '../../engine/flow.ts';
import { matchMarketplaceCustomer } from '../out/match.ts';
import { createErpCustomer, draftOf } from './create.ts';
import { type CreateErpCustomer, type CustomerInSnapshot, decideCustomerIn } from './decide.ts';

/** Creates customers in the ERP that only the marketplace has. Key: marketplace customer id. */
export const customerInFlow: Flow<CustomerInSnapshot, CreateErpCustomer> = {
  name: 'customer-in',
  decide: decideCustomerIn,
  apply: (context, look, { draft, adoptOnly }) => createErpCustomer(context, look, draft, adoptOnly),

  observe: observeCustomer,
  observeFresh: beforeCreate({
    observe: observeCustomer,
    decide: decideCustomerIn,
    create: 'customer-in.create',
    list: 'erp-customers',
  }),
};

async function observeCustomer({ account, config, store }: AccountRecords, key: string): Promise<CustomerInSnapshot> {
  const rows = await store.observe.customerIn(account, Number(key), CUSTOMERS_KNOWN);
  const { customer } = rows;
  return {
    customer: customer === null ? null : { draft: draftOf(customer), archived: customer.archived },
    invalidRow: invalidRowText(rows.invalidRow),
    linked: rows.mapping?.state === 'linked',
    match: customer === null ? { kind: 'none' } : matchMarketplaceCustomer(customer, rows.like),
    openCreate: waitForOpenCreate(rows),
    known: CUSTOMERS_KNOWN.every((name) => rows.facts.has(name)),
    createInDoubt: rows.createInDoubt,
    create: config.customers?.toErp === true,
  };
}

/**
 * A customer that customer-out creates on the marketplace may be read there before its answer arrives. Creating it in
 * the ERP would duplicate it.
 */
function waitForOpenCreate({ customer, creates }: CustomerInRows): Cause | null {
  const same = creates.find(({ erp }) => erp !== null && erp.name === customer?.name);
  return same === undefined ? null : cause('customer-maybe-ours', { erpCustomer: same.key });
}
