import { isDeepStrictEqual } from 'node:util';
import { isSold } from '../../domain/product.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { parseJson } from '../../http/json.ts';
import type { Assigned, Assignments } from '../../marketplace/entities/assignments.ts';
import type { Body } from '../../marketplace/request.ts';
import type { AccountRecords, MarketplaceReading } from '../../shadow/context.ts';
import { ASSIGNMENT_FACTS, assignedTo, groupOf, readAssignmentsOf } from '../../shadow/read-assignments.ts';
import type { Facts, LinkedCustomer } from '../../store/observe.ts';
import { invalidRowText } from '../../store/reading.ts';
import { runAfterWrite } from '../engine/after-write.ts';
import type { Applied, Flow, WriteLook } from '../engine/flow.ts';
import { type AssignmentsSnapshot, decideAssignments, type WriteAssignments } from './decide.ts';
import { type Offered, offeredBy } from './wanted.ts';

/** Keeps in step which customers and groups may buy a product. Key: ERP product id. */
export const assignmentsFlow: Flow<AssignmentsSnapshot, WriteAssignments> = {
  name: 'assignments',
  decide: decideAssignments,
  observe: observeAssignments,
  apply: (context, look, action) => writeAssignments(context, look, action),
};

async function observeAssignments(context: AccountRecords, key: string): Promise<AssignmentsSnapshot> {
  const { account, config, store } = context;
  if (config.assignments === null) return null;
  const rows = await store.observe.assignments(account, key, ASSIGNMENT_FACTS);
  const { erp, listing, content, invalidRow, facts } = rows;
  if (erp === null || listing === null || listing.archived || !isSold(erp)) return null;
  const shown = assignedTo(content, facts);
  const known = {
    sku: erp.sku,
    listingId: listing.id,
    invalidRow: invalidRowText(invalidRow),
    written: rows.latestWrites[0]?.after ?? null,
    shown: shown === null ? null : (parseJson(shown) as Assignments),
  };
  try {
    const offered = await offeredBy(config, erp);
    return { ...known, problem: null, wanted: offered === null ? null : await knownThere(context, offered, facts) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ...known, problem: error.message, wanted: null };
  }
}

async function knownThere({ account, config, store }: AccountRecords, offered: Offered, facts: Facts) {
  const { exclusive, customers, groups } = offered;
  const linked = await store.observe.linkedCustomers(account, customers ?? []);
  const buyerOf = (erpId: string) => {
    const customer = linked.get(erpId);
    return customer === undefined ? null : buyerIdOf(customer, config.assignments?.buyers);
  };
  return {
    exclusive,
    buyers: customers?.map((name) => ({ name, id: buyerOf(name) })) ?? null,
    groups: groups?.map((name) => ({ name, id: groupOf(name, facts) })) ?? null,
  };
}

function buyerIdOf({ id, stored }: LinkedCustomer, as: 'customer' | 'partner' | undefined): number | null {
  if (as === 'customer') return id;
  const { partner_id: partner } = parseJson(stored?.content ?? '{}') as { readonly partner_id?: unknown };
  return typeof partner === 'number' ? partner : null;
}

/** The write replaces all assignments of the listing, so they are read right before it. */
async function writeAssignments(
  context: MarketplaceReading,
  look: WriteLook,
  { listingId, assumed, wanted }: WriteAssignments,
): Promise<Applied> {
  const { account, client, config, store } = context;
  await readAssignmentsOf(context, look, listingId);
  const shown = parseJson((await store.assignments.get(account, listingId)) ?? 'null');
  if (!isDeepStrictEqual(shown, parseJson(JSON.stringify(assumed)))) {
    return { outcome: 'superseded', answer: 'the assignments have changed on the marketplace' };
  }
  const query = { company_id: config.marketplace.sellerId };
  await client.call('product-assignments.replace', { query, body: bodyOf(listingId, wanted) }, look);
  return runAfterWrite(`listing ${listingId} assigned`, () => readAssignmentsOf(context, look, listingId));
}

function bodyOf(listingId: number, { exclusive, buyers, groups }: Assignments): Body<'product-assignments.replace'> {
  const as = <Id extends string>(name: Id, { id, terms }: Assigned) => ({ [name]: id, ...terms }) as Record<Id, number>;
  return {
    product_ids: [listingId],
    assigned_buyers: buyers.map((one) => as('buyer_id', one)),
    assigned_groups: groups.map((one) => as('customer_group_id', one)),
    is_exclusive: exclusive,
  };
}
