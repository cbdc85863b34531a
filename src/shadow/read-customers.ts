import type { AccountConfig } from '../config/resolve.ts';
import { readCustomer, readCustomerFields } from '../marketplace/entities/customer.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer } from '../marketplace/request.ts';
import type { Facts } from '../store/observe.ts';
import type { Window } from '../store/reading.ts';
import type { AccountRecords, Look, MarketplaceReading } from './context.ts';
import { type KeysetList, readChangedRows, sweepList, windowOf } from './keyset-list.ts';
import { beginRead, markListKnown, recordReadTime } from './last-read.ts';
import { eachPage, fieldOf, listQuery, PAGE_SIZE, readRows } from './pages.ts';
import { existingIds } from './roll-call.ts';

/** Fact: every marketplace customer was read at least once. */
const CUSTOMERS_READ = 'customers-read';
/** Fact: every ERP customer was read at least once. */
export const ERP_CUSTOMERS_READ = 'erp-customers-read';
/** Fact: ids of the marketplace's customer statuses by lower-case name. */
export const CUSTOMER_STATUSES = 'customer-statuses';

/** Fact: the additional fields stored by the last read of every customer. */
export const CUSTOMER_FIELDS_KEPT = 'customer-fields';

/** 10,000 statuses. */
const MAX_STATUS_PAGES = 20;

type Row = Answer<'customers.list'>;

export async function readCustomers(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, config, store } = context;
  if (config.customers === null) return;
  const cursor = (await store.cursors.get(account, 'customers'))?.value ?? null;
  const facts = new Map([[CUSTOMER_FIELDS_KEPT, (await store.facts.get(account, CUSTOMER_FIELDS_KEPT)) ?? '']]);
  if (cursor === null || unreadFields(config, facts).length > 0) return sweepCustomers(context, look);
  await readStatuses(context, look);
  const began = await beginRead(context);
  const list = customers(context, look);
  await readChangedRows(context, list, cursor, (step) => list.record(step.page, windowOf(account, 'customers', step)));
  await recordReadTime(context, 'customers', began);
}

/** Reads every customer, including archived ones, which deployments may omit from the list. */
export async function sweepCustomers(context: MarketplaceReading, look: Look): Promise<void> {
  if (context.config.customers === null) return;
  await readStatuses(context, look);
  const began = await beginRead(context);
  await sweepList(context, look, customers(context, look));
  await recordReadTime(context, 'customers', began);
  const { account, config, store } = context;
  await store.facts.set(account, CUSTOMER_FIELDS_KEPT, JSON.stringify(furtherFields(config)));
  await markListKnown(context, CUSTOMERS_READ, 'customers-unread');
}

function furtherFields(config: AccountConfig): string[] {
  const made = (config.customers?.fields ?? []).map(({ name }) => name);
  return config.assignments?.buyers === 'partner' ? [...new Set([...made, 'partner_id'])] : made;
}

/** Configured fields that no read of every customer has stored yet. */
export function unreadFields(config: AccountConfig, facts: Facts): string[] {
  const kept = facts.get(CUSTOMER_FIELDS_KEPT) || '[]';
  return furtherFields(config).filter((name) => !(JSON.parse(kept) as string[]).includes(name));
}

export const CUSTOMERS_KNOWN: readonly string[] = [CUSTOMERS_READ, ERP_CUSTOMERS_READ];

export async function recordCustomerPage(
  { account, config, store }: AccountRecords,
  page: Pick<ListPage<Row>, 'rows' | 'invalidRows' | 'askedAtMs'>,
  how: { readonly window: Window | null; readonly lane: Look['lane'] },
): Promise<void> {
  const key = config.marketplace.externalIdKey;
  const found = readRows(page, 'id', (row) => ({
    customer: readCustomer(row, key),
    content: JSON.stringify(readCustomerFields(row, key, furtherFields(config))),
  }));
  await store.customers.record({ account, ...found, askedAtMs: page.askedAtMs, ...how });
}

/** Ids of customer statuses by lower-case name. null: not read yet. */
export function customerStatusIds(facts: Facts): Map<string, number> | null {
  const fact = facts.get(CUSTOMER_STATUSES);
  return fact === undefined ? null : new Map(JSON.parse(fact) as [string, number][]);
}

async function readStatuses(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, client, config, store } = context;
  if ((config.customers?.statuses.length ?? 0) === 0) return;
  const ids = new Map<string, number>();
  const list = { of: 'customer statuses', maxPages: MAX_STATUS_PAGES };
  const pages = eachPage(list, (page) => client.list('customer-statuses.list', { query: listQuery(page, 'id') }, look));
  for await (const { rows } of pages) for (const { id, state } of rows) ids.set(state.toLowerCase(), id);
  await store.facts.set(account, CUSTOMER_STATUSES, JSON.stringify([...ids]));
}

function customers(context: MarketplaceReading, look: Look): KeysetList<Row> {
  return {
    collection: 'customers',
    // Spec 2, Customer: rows name the fields of filters and ordering differently.
    rowFields: { modified: 'modified_date', created_on: 'created_date' },
    fetch: (query, archived) =>
      context.client.list('customers.list', { query: archived ? { ...query, is_archived: true } : query }, look),
    record: (page, window) => recordCustomerPage(context, page, { window, lane: look.lane }),
    shownAsArchived: (row) => ({ ...row, is_archived: row.is_archived ?? true }),
    byIds: (ids) => shownCustomers(context, look, ids),
  };
}

/** Reads customers by id, including archived ones. Returns the ids found. */
export async function shownCustomers(
  context: MarketplaceReading,
  look: Look,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return existingIds(ids, async (id, archived) => {
    const query = { id, ...(archived ? { is_archived: true } : {}), page: 1, page_size: PAGE_SIZE };
    const page = await context.client.list('customers.list', { query }, look);
    await recordCustomerPage(context, page, { window: null, lane: look.lane });
    return page.raw.map((row) => fieldOf(row, 'id') ?? '');
  });
}
