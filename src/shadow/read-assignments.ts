import { type Cause, cause } from '../domain/causes/cause.ts';
import { nameKey } from '../domain/name.ts';
import { readAssignments, UNASSIGNED } from '../marketplace/entities/assignments.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer } from '../marketplace/request.ts';
import type { Facts } from '../store/observe.ts';
import type { FoundInvalidRow } from '../store/reading.ts';
import { recordFullRead } from './alerts.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { markListKnown } from './last-read.ts';
import { eachPage, fieldOf, isTooIncomplete, listQuery } from './pages.ts';

/** Fact: all listings' assignments were read at least once, so a listing without a row has none. */
const ASSIGNMENTS_READ = 'assignments-read';
/** Fact: active customer groups by normalized name. null: several groups have the name. */
const CUSTOMER_GROUPS = 'customer-groups';
export const ASSIGNMENT_FACTS: readonly string[] = [ASSIGNMENTS_READ, CUSTOMER_GROUPS];

/** 100,000 listings. */
const MAX_PAGES = 200;
/** 10,000 groups. */
const MAX_GROUP_PAGES = 20;

type Row = Answer<'product-assignments.list'>;

const NOBODY = JSON.stringify(UNASSIGNED);

export async function readAllAssignments(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, config, store, now } = context;
  if (config.assignments === null) return;
  await readGroups(context, look);
  const beganMs = now();
  const tick = await store.cursors.tick(account);
  const read = newRead();
  let shown = 0;
  for await (const page of pagesOf(context, look, {})) {
    addPage(read, page);
    shown = page.count;
  }
  const known = await store.assignments.count(account, NOBODY);
  const doubt = read.nameless ? cause('assignments-nameless') : shortfall(read, { known, shown });
  await record(context, look, read, { of: null, absenceCounts: doubt === null, tick });
  const window = { collection: 'assignments', to: null, rows: read.count, cursor: null };
  await recordFullRead(context, window, doubt, 'marketplace:assignments');
  if (doubt !== null) return;
  await store.invalidRows.clear(account, 'assignments', beganMs);
  await markListKnown(context, ASSIGNMENTS_READ, 'assignments-unread');
}

export async function readAssignmentsOf(context: MarketplaceReading, look: Look, listingId: number): Promise<void> {
  const tick = await context.store.cursors.tick(context.account);
  const read = newRead();
  for await (const page of pagesOf(context, look, { product_ids: String(listingId) })) addPage(read, page);
  await record(context, look, read, { of: [listingId], absenceCounts: !read.nameless, tick });
}

/** The listing's assignments as JSON. null: unknown. */
export function assignedTo(content: string | null, facts: Facts): string | null {
  return content ?? (facts.has(ASSIGNMENTS_READ) ? NOBODY : null);
}

/** The active group with this name. null: none or several. */
export function groupOf(name: string, facts: Facts): number | null {
  const groups = JSON.parse(facts.get(CUSTOMER_GROUPS) ?? '[]') as [string, number | null][];
  return new Map(groups).get(nameKey(name)) ?? null;
}

type Read = ReturnType<typeof newRead>;

/** `nameless`: a row does not name its listing. */
const newRead = () => ({
  contents: new Map<number, string>(),
  invalidRows: new Map<number, FoundInvalidRow>(),
  nameless: false,
  count: 0,
});

function pagesOf({ client, config }: MarketplaceReading, look: Look, filter: { readonly product_ids?: string }) {
  return eachPage({ of: 'product assignments', maxPages: MAX_PAGES }, (page) => {
    const query = { ...listQuery(page, 'product_id'), company_id: config.marketplace.sellerId, ...filter };
    return client.list('product-assignments.list', { query }, look);
  });
}

function addPage(read: Read, { rows, invalidRows, raw }: ListPage<Row>): void {
  read.count += raw.length;
  for (const { raw: row, path, message } of invalidRows) {
    const id = Number(fieldOf(row, 'product_id') ?? '');
    if (Number.isSafeInteger(id) && id > 0) read.invalidRows.set(id, { what: String(id), path, message });
    else read.nameless = true;
  }
  for (const row of rows) {
    const { product_id: id } = row;
    const shown = readAssignments(row);
    const unfit = (path: string, message: string) => read.invalidRows.set(id, { what: String(id), path, message });
    if (shown === null) unfit('assigned_buyers', 'is_exclusive, the buyers and the groups have to be shown');
    else if (read.contents.has(id)) unfit('product_id', 'is in the list twice');
    else read.contents.set(id, JSON.stringify(shown));
  }
}

async function record(
  { account, store }: MarketplaceReading,
  { lane }: Look,
  { contents, invalidRows }: Read,
  { of, absenceCounts, tick }: { of: readonly number[] | null; absenceCounts: boolean; tick: number },
): Promise<void> {
  await store.invalidRows.record(account, 'assignments', [...invalidRows.values()]);
  const fit = [...contents].filter(([listingId]) => !invalidRows.has(listingId));
  const rows = fit.map(([listingId, content]) => ({ listingId, content }));
  const absent = absenceCounts ? { of, except: new Set(invalidRows.keys()), content: NOBODY } : null;
  await store.assignments.record({ account, rows, absent, tick, lane });
}

/**
 * Returns why the list is not credible. It is also short if it returns fewer rows than it counts: it may have changed
 * between pages.
 */
function shortfall(
  { contents, invalidRows, count }: Read,
  { known, shown }: { readonly known: number; readonly shown: number },
): Cause | null {
  const found = contents.size + invalidRows.size;
  const isShort = isTooIncomplete(known, known - found) || count < shown;
  return isShort ? cause('assignments-short', { known: Math.max(known, shown), found }) : null;
}

async function readGroups({ account, client, config, store }: MarketplaceReading, look: Look): Promise<void> {
  const path = { company_id: config.marketplace.sellerId };
  const groups = new Map<string, number | null>();
  const list = { of: 'customer groups', maxPages: MAX_GROUP_PAGES };
  const pages = eachPage(list, (page) =>
    client.list('customer-groups.list', { path, query: listQuery(page, 'id') }, look),
  );
  for await (const { rows } of pages) {
    for (const { id, name, status } of rows) {
      if (typeof name !== 'string' || status === 'archived') continue;
      groups.set(nameKey(name), groups.has(nameKey(name)) ? null : id);
    }
  }
  await store.facts.set(account, CUSTOMER_GROUPS, JSON.stringify([...groups]));
}
