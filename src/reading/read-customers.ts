import { readCustomer, readCustomerFields } from '../marketplace/entities/customer.ts';
import { type KeysetStep, readKeyset } from '../marketplace/keyset.ts';
import { overlapStart } from '../marketplace/keyset-instants.ts';
import { stringifyJson } from '../marketplace/operations/wire.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer, Query } from '../marketplace/request.ts';
import type { AccountContext, Look } from '../reconcile/context.ts';
import type { Window } from '../store/cursors.ts';
import { HOLE, readHole } from './holes.ts';
import { instantField, listQuery } from './list.ts';
import { FREE_OVERLAP_ROWS } from './read-orders.ts';
import { foundMisfits } from './shadow.ts';

/** Fact that says that every customer of the marketplace has been read at least once. */
const CUSTOMERS_READ = 'customers-read';
/** Fact that says the same of the ERP's. */
export const ERP_CUSTOMERS_READ = 'erp-customers-read';
/** Fact: the marketplace's customer statuses, their ids by name in small letters. */
const CUSTOMER_STATUSES = 'customer-statuses';

const MAX_STATUS_PAGES = 20;

type Row = Answer<'customers.list'>;
type Filter = Omit<Query<'customers.list'>, 'page' | 'page_size' | 'ordering'>;

/** Reads the customers that changed since the cursor into the shadow. */
export async function readCustomers(context: AccountContext, look: Look): Promise<void> {
  const { account, config, store } = context;
  if (config.customers === null) return;
  const cursor = (await store.cursors.get(account, 'customers'))?.value ?? null;
  if (cursor === null) return sweepCustomers(context, look);
  await readStatuses(context, look);
  const nth = await store.customers.nthNewestModified(account, FREE_OVERLAP_ROWS);
  const start = overlapStart(cursor, config.marketplace.poll.overlapMs, nth);
  for await (const step of read(context, look, 'modified', {}, start, cursor)) {
    await record(context, look, step, 'customers', step.cursor);
  }
  await readHole(
    context,
    'customers',
    (from) => read(context, look, 'modified', {}, from, cursor),
    (step) => record(context, look, { ...step, finding: HOLE }, 'customers', step.cursor),
  );
}

/** Reads every customer there is, archived ones too, which deployments may leave out of the list unless asked for. */
export async function sweepCustomers(context: AccountContext, look: Look): Promise<void> {
  const { account, config, store } = context;
  if (config.customers === null) return;
  await readStatuses(context, look);
  // What changes from here on is later than this: it is where reading changes begins.
  const newest = (await store.cursors.get(account, 'customers')) === null ? await newestModified(context, look) : null;
  const live = new Set<number>();
  for await (const step of read(context, look, 'created_on', {}, null, null)) {
    await record(context, look, step, 'all-customers', null);
    for (const { id } of step.page.rows) live.add(id);
  }
  // What only the filter shows is archived, even where its row does not say so.
  for await (const step of read(context, look, 'created_on', { is_archived: true }, null, null)) {
    const rows = step.page.rows.map((row) =>
      live.has(row.id) ? row : { ...row, is_archived: row.is_archived ?? true },
    );
    await record(context, look, { ...step, page: { ...step.page, rows } }, 'archived-customers', null);
  }
  if (newest !== null) {
    const window = { account, collection: 'customers', from: null, to: newest, rows: 0, finding: 'all were read' };
    await store.cursors.record({ ...window, cursor: newest });
  }
  await nowRead(context, CUSTOMERS_READ);
}

/** From now on, who is not there is known not to be there. */
export async function nowRead({ account, store }: AccountContext, fact: string): Promise<void> {
  if ((await store.facts.get(account, fact)) !== null) return;
  await store.facts.set(account, fact, 'yes');
  for (const flow of ['customer', 'new-customer', 'order']) await store.work.release({ account, flow });
}

/** Has every customer of both sides been read at least once? */
export async function areCustomersKnown({ account, store }: AccountContext): Promise<boolean> {
  const facts = [CUSTOMERS_READ, ERP_CUSTOMERS_READ].map((fact) => store.facts.get(account, fact));
  return (await Promise.all(facts)).every((fact) => fact !== null);
}

/** Customers as a list or a write of ours showed them go into the shadow. */
export async function recordCustomerPage(
  { account, config, store }: AccountContext,
  { rows, misfits }: Pick<ListPage<Row>, 'rows' | 'misfits'>,
  how: { readonly window: Window | null; readonly lane: Look['lane'] },
): Promise<void> {
  const key = config.marketplace.externalIdKey;
  const found = rows.map((row) => ({
    customer: readCustomer(row, key),
    content: stringifyJson(readCustomerFields(row, key)),
  }));
  await store.customers.record({ account, rows: found, misfits: foundMisfits(misfits), ...how });
}

/** The ids of the marketplace's customer statuses by their names in small letters; null before they are read. */
export async function customerStatusIds({ account, store }: AccountContext): Promise<Map<string, number> | null> {
  const fact = await store.facts.get(account, CUSTOMER_STATUSES);
  return fact === null ? null : new Map(JSON.parse(fact) as [string, number][]);
}

async function readStatuses(context: AccountContext, look: Look): Promise<void> {
  const { account, client, config, store } = context;
  if ((config.customers?.statuses.length ?? 0) === 0) return;
  const ids = new Map<string, number>();
  for (let page = 1; page <= MAX_STATUS_PAGES; page += 1) {
    const answer = await client.list('customer-statuses.list', { query: listQuery(page, 'id') }, look);
    for (const { id, state } of answer.rows) ids.set(state.toLowerCase(), id);
    if (!answer.more) break;
  }
  await store.facts.set(account, CUSTOMER_STATUSES, JSON.stringify([...ids]));
}

async function newestModified({ client }: AccountContext, look: Look): Promise<string | null> {
  const query = { ordering: '-modified', page: 1, page_size: 1 };
  const { raw } = await client.list('customers.list', { query }, look);
  return instantField(raw[0], ROW_FIELD.modified);
}

/** What is filtered and ordered by has another name in the rows (spec 2, Customer). */
const ROW_FIELD = { modified: 'modified_date', created_on: 'created_date' } as const;

function read(
  { client }: AccountContext,
  look: Look,
  field: keyof typeof ROW_FIELD,
  filter: Filter,
  start: string | null,
  cursor: string | null,
) {
  return readKeyset({
    start,
    cursor,
    field: ROW_FIELD[field],
    key: 'id',
    fetch: async ({ from, page }) => {
      const since = from === null ? {} : field === 'modified' ? { modified__gte: from } : { created_on__gte: from };
      return client.list('customers.list', { query: { ...listQuery(page, field), ...filter, ...since } }, look);
    },
  });
}

async function record(
  context: AccountContext,
  look: Look,
  { page, covered, finding }: Pick<KeysetStep<ListPage<Row>>, 'page' | 'covered'> & { finding: string | null },
  collection: string,
  cursor: string | null,
): Promise<void> {
  const window = { account: context.account, collection, ...covered, rows: page.raw.length, finding, cursor };
  await recordCustomerPage(context, page, { window, lane: look.lane });
}
