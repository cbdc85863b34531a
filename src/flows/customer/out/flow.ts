import type { AccountConfig } from '../../../config/resolve.ts';
import { type Cause, cause } from '../../../domain/causes/cause.ts';
import type { ErpCustomer } from '../../../erp/connector.ts';
import { ExpressionError } from '../../../expressions/expression-error.ts';
import { evaluateRule } from '../../../expressions/rule.ts';
import { parseJson } from '../../../http/json.ts';
import type { AccountRecords } from '../../../shadow/context.ts';
import { erpCustomerInput } from '../../../shadow/erp-input.ts';
import {
  CUSTOMER_FIELDS_KEPT,
  CUSTOMER_STATUSES,
  CUSTOMERS_KNOWN,
  customerStatusIds,
  unreadFields,
} from '../../../shadow/read-customers.ts';
import type { CustomerOutRows, Facts } from '../../../store/observe.ts';
import { invalidRowText } from '../../../store/reading.ts';
import { beforeCreate } from '../../engine/before-create.ts';
import type { WireFields } from '../../engine/fields.ts';
import type { Flow } from '../../engine/flow.ts';
import { applyCustomerOut } from './apply.ts';
import { type CustomerOutAction, type CustomerOutSnapshot, decideCustomerOut, type ShownCustomer } from './decide.ts';
import { type Match, matchErpCustomer, matchSurvivor } from './match.ts';
import { type BuiltFields, type WantedCustomer, wantedCustomer } from './wanted.ts';

/** Keeps the marketplace's customers in step with the ERP's. Key: ERP customer id. */
export const customerOutFlow: Flow<CustomerOutSnapshot, CustomerOutAction> = {
  name: 'customer-out',
  decide: decideCustomerOut,
  observe: observeCustomer,
  observeFresh: beforeCreate({
    observe: observeCustomer,
    decide: decideCustomerOut,
    create: 'customer-out.create',
    list: 'customers',
  }),
  apply: applyCustomerOut,
};

async function observeCustomer(
  { account, config, store, now }: AccountRecords,
  key: string,
): Promise<CustomerOutSnapshot> {
  const facts = [...CUSTOMERS_KNOWN, CUSTOMER_STATUSES, CUSTOMER_FIELDS_KEPT];
  const rows = await store.observe.customerOut(account, key, facts);
  const { mapping } = rows;
  const erp = config.customers === null ? null : rows.erp;
  const linkedId = mapping?.state === 'linked' ? Number(mapping.marketplaceId) : null;
  return {
    erp,
    invalidErpRow: config.customers === null ? null : invalidRowText(rows.invalidErpRow),
    linked: linkedId === null ? null : { id: linkedId, shown: shownOf(rows) },
    gone: config.customers === null || rows.gone === null ? null : { erpId: key, since: rows.gone },
    survivor: rows.customer === null || linkedId === null ? NOBODY : matchSurvivor(rows.customer, key, rows.like),
    match: erp === null || linkedId !== null ? NOBODY : matchErpCustomer(erp, rows.like),
    openCreate: erp === null || linkedId !== null ? null : waitForOpenCreate(erp, rows),
    known: CUSTOMERS_KNOWN.every((name) => rows.facts.has(name)),
    createInDoubt: rows.createInDoubt,
    wanted: erp === null ? NOTHING : await wantedOf(config, erp, rows.facts),
    createFields: { owner_id: config.marketplace.sellerId },
    echoes: mapping?.echoes ?? {},
    nowMs: now(),
    rules: { write: config.customers?.toMarketplace === true, archive: config.customers?.archive === true },
  };
}

const NOBODY: Match = { kind: 'none' };
const NOTHING: WantedCustomer = { fields: {}, problems: [] };

function shownOf({ customer, invalidRow }: CustomerOutRows): ShownCustomer | null {
  if (customer === null) return null;
  return {
    archived: customer.archived,
    invalidRow: invalidRowText(invalidRow),
    fields: parseJson(customer.content) as WireFields,
  };
}

/**
 * A customer that customer-in creates in the ERP may be read there before its answer arrives. Creating it on the
 * marketplace would duplicate it.
 */
function waitForOpenCreate(erp: ErpCustomer, { creates }: CustomerOutRows): Cause | null {
  const same = creates.find(({ customer }) => customer?.name === erp.name);
  return same === undefined ? null : cause('erp-customer-maybe-ours', { erpCustomer: erp.id, customer: same.key });
}

async function wantedOf(config: AccountConfig, erp: ErpCustomer, facts: Facts): Promise<WantedCustomer> {
  const { customers, marketplace } = config;
  return wantedCustomer(erp, {
    externalIdKey: marketplace.externalIdKey,
    addresses: customers?.addresses === true,
    statuses: customers?.statuses ?? [],
    statusIds: customerStatusIds(facts),
    made: await madeFields(config, erp),
    // Fields that were not read yet are not written.
    leftOut: [...(customers?.leftOut ?? []), ...unreadFields(config, facts)],
  });
}

/** A field that cannot be computed raises an alert. The other fields are written. */
async function madeFields({ customers }: AccountConfig, erp: ErpCustomer): Promise<BuiltFields> {
  const fields: Record<string, unknown> = {};
  const problems: Cause[] = [];
  const input = erpCustomerInput(erp);
  const rules = customers?.fields ?? [];
  const made = await Promise.allSettled(
    rules.map(({ name, rule }) => evaluateRule(rule, input, `customers.fields.${name}`)),
  );
  for (const [index, { name }] of rules.entries()) {
    const one = made[index];
    if (one?.status === 'fulfilled' && one.value !== undefined) fields[name] = one.value;
    if (one?.status !== 'rejected') continue;
    if (!(one.reason instanceof ExpressionError)) throw one.reason;
    problems.push(cause('customer-field-problem', { erpCustomer: erp.id, problem: one.reason.message }));
  }
  return { fields, problems };
}
