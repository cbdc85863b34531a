import { earlier, isBefore } from '../domain/instant.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { evaluateNamed } from '../expressions/rule.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Answer } from '../marketplace/request.ts';
import type { StoredTransport } from '../store/marketplace.ts';
import type { FoundInvalidRow } from '../store/reading.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { asInput } from './erp-input.ts';
import { eachPage, fieldOf, instantField, readRows } from './pages.ts';
import { beginRoll, secondList } from './roll-call.ts';

type Row = Answer<'transport-orders.list'>;
type Rules = NonNullable<MarketplaceReading['config']['orders']['transports']>;

const PAGE_SIZE = 500;
/** 100,000 transport orders. */
const MAX_PAGES = 200;

/**
 * Reads every transport order made since `orders.transports.from`, because the documents show no filter for changes.
 * Newest first. A row that moves to a later page meanwhile is read twice. One that moves to an earlier page is missed,
 * and the next read finds it.
 */
export async function readTransportOrders(context: MarketplaceReading, look: Look): Promise<void> {
  const rules = context.config.orders.transports;
  if (rules === null) return;
  const earliest = await earliestFrom(context, rules);
  await noteRead(context, earliest, await listTransports(context, look, rules, rules.from));
}

/** As `readTransportOrders`, and removes stored transport orders that two full lists in a row lack. */
export async function sweepTransportOrders(context: MarketplaceReading, look: Look): Promise<void> {
  const rules = context.config.orders.transports;
  if (rules === null) return;
  const roll = await beginRoll(context, look, 'transport-orders');
  // The store has rows from before `from` was set to a later time.
  const earliest = await earliestFrom(context, rules);
  const first = await listTransports(context, look, rules, earliest);
  roll.saw(first.ids);
  const again = async () => {
    const second = await listTransports(context, look, rules, earliest);
    return second.isWhole ? second.ids : null;
  };
  await roll.settle(first.isWhole, secondList(again));
  await noteRead(context, earliest, first);
}

/** Fact: the earliest `from` since which transport orders were read. Empty: all. */
const READ_FROM = 'transports-from';

async function earliestFrom({ account, store }: MarketplaceReading, { from }: Rules): Promise<string | null> {
  const before = await store.facts.get(account, READ_FROM);
  // Earlier versions did not store the fact.
  const isFirst = before === null && (await store.transports.orderKeys(account, '', 1)).length === 0;
  if (isFirst || from === null) return from;
  return before === null || before === '' ? null : earlier(before, from);
}

async function noteRead(
  { account, store }: MarketplaceReading,
  earliest: string | null,
  { rows }: Listed,
): Promise<void> {
  await store.facts.set(account, READ_FROM, earliest ?? '');
  const window = { from: null, to: null, rows, finding: null, cursor: null };
  await store.cursors.record({ account, collection: 'transport-orders', ...window });
}

interface Listed {
  readonly ids: readonly string[];
  readonly rows: number;
  /** Every row was read once and names its transport order. */
  readonly isWhole: boolean;
}

/** @param from the list may end at rows made earlier */
async function listTransports(
  { account, client, store, now }: MarketplaceReading,
  look: Look,
  rules: Rules,
  from: string | null,
): Promise<Listed> {
  const beganMs = now();
  const isOld = olderThan(from);
  const ids: string[] = [];
  let rows = 0;
  let isAtEnd = false;
  const list = { of: 'transport orders', maxPages: MAX_PAGES, mend: 'set orders.transports.from' };
  const pages = eachPage(list, () => {
    const query = { limit: PAGE_SIZE, offset: rows, sort_by: ['-created_on' as const] };
    return client.list('transport-orders.list', { query }, look);
  });
  for await (const page of pages) {
    await recordPage({ account, store }, look, rules, page);
    ids.push(...page.raw.flatMap((row) => idOf(row) ?? []));
    rows += page.raw.length;
    const isOldEnough = isOld(page);
    isAtEnd = isOldEnough || rows >= page.count;
    if (isOldEnough || page.raw.length === 0) break;
  }
  await store.invalidRows.clear(account, 'transport-orders', beganMs);
  return { ids, rows, isWhole: isAtEnd && new Set(ids).size === rows };
}

async function recordPage(
  { account, store }: Pick<MarketplaceReading, 'account' | 'store'>,
  look: Look,
  rules: Rules,
  page: ListPage<Row>,
): Promise<void> {
  const made = await Promise.allSettled(page.rows.map((row) => readTransport(rules, row)));
  const results = new Map(page.rows.map((row, index) => [row, made[index]]));
  const read = readRows(page, 'transport_order_id', (row) => valueOf(results.get(row)));
  const rows = read.rows.filter((row) => row !== null);
  const fit = rows.flatMap((row) => (isUnfit(row) ? [] : [row]));
  await store.transports.record(account, fit, look.lane);
  await store.invalidRows.record(account, 'transport-orders', [...read.invalidRows, ...rows.filter(isUnfit)]);
}

function idOf(row: unknown): string | null {
  return fieldOf(row, 'transport_order_id') || fieldOf(row, 'number') || null;
}

/** Returns whether the page, and so every later one, is older. Valid only while the list is sorted as requested. */
function olderThan(from: string | null): (page: ListPage<Row>) => boolean {
  let last: string | null = null;
  let isSorted = true;
  return ({ raw }) => {
    for (const row of raw) {
      const at = instantField(row, 'created_on');
      if (at === null || (last !== null && isBefore(last, at))) isSorted = false;
      last = at;
    }
    return isSorted && from !== null && last !== null && isBefore(last, from);
  };
}

/** @throws the reason why a row could not be read */
function valueOf<T>(result: PromiseSettledResult<T> | undefined): T | null {
  if (result?.status === 'rejected') throw result.reason;
  return result?.value ?? null;
}

const isUnfit = (row: StoredTransport | FoundInvalidRow): row is FoundInvalidRow => 'what' in row;

/** null: no id, or made too early. A row whose rule fails is set aside. */
async function readTransport(rules: Rules, row: Row): Promise<StoredTransport | FoundInvalidRow | null> {
  const id = idOf(row);
  const madeAt = row.created_on ?? null;
  if (id === null || (rules.from !== null && madeAt !== null && isBefore(madeAt, rules.from))) return null;
  const made: Record<'order' | 'tracking', string | null> = { order: null, tracking: null };
  for (const name of ['order', 'tracking'] as const) {
    const text = await textOf(rules[name], row, `orders.transports.${name}`);
    if (text !== null && typeof text === 'object') return { what: id, ...text };
    made[name] = text;
  }
  return {
    id,
    orderKey: made.order,
    status: row.status ?? '',
    shippedAt: instantField(row, 'actual_pickup_datetime'),
    deliveredAt: instantField(row, 'actual_delivery_datetime'),
    expectedAt: instantField(row, 'expected_delivery_datetime'),
    requestedOn: dayOf(row, 'requested_delivery_date'),
    tracking: made.tracking,
  };
}

/** null: the result is no text. */
async function textOf(rule: Rules['tracking'], row: Row, path: string): Promise<string | Unmade | null> {
  if (rule === null) return null;
  try {
    const made = await evaluateNamed(rule, asInput(JSON.stringify(row)), path);
    return typeof made === 'string' && made.trim() !== '' ? made.trim() : null;
  } catch (error) {
    if (error instanceof ExpressionError) return { path, message: `${error.message}. Correct ${path}.` };
    throw error;
  }
}

type Unmade = Pick<FoundInvalidRow, 'path' | 'message'>;

const DAY = /^\d{4}-\d{2}-\d{2}/;

function dayOf(row: Row, name: string): string | null {
  return DAY.exec(fieldOf(row, name) ?? '')?.[0] ?? null;
}
