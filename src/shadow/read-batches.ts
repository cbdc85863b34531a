import { decimalText } from '../http/json.ts';
import type { Answer } from '../marketplace/request.ts';
import type { StoredBatch } from '../store/marketplace.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { beginRead, noteRead, nowKnown } from './last-read.ts';
import { eachPage, listQuery, notWhole } from './pages.ts';

/** Fact: every batch of the marketplace has been read. The value is the field by which batches are found. */
export const BATCHES_KNOWN = 'batches-known';

/** Fifty thousand batches. */
const MAX_PAGES = 100;

/** Reads every batch: the documents show no filter for changes. A batch that the list lacks stays unchanged. */
export async function readBatches(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, client, config, store } = context;
  const rules = config.facilities?.batches;
  if (rules == null) return;
  const began = await beginRead(context);
  const list = { of: 'batches', maxPages: MAX_PAGES, made: 'batch' } as const;
  const pages = eachPage(list, (page) => client.list('batches.list', { query: listQuery(page, 'id') }, look));
  let [count, stored] = [0, 0];
  for await (const { rows } of pages) {
    const batches = rows.map((row) => toBatch(row, rules.match));
    count += batches.length;
    stored += await store.batches.record(account, batches, look.lane);
  }
  // A batch that is not stored would be made a second time.
  if (stored < count) throw notWhole(list, 'it has a row that cannot be stored');
  const window = { account, collection: 'batches', from: null, to: null, rows: count, finding: null, cursor: null };
  await store.cursors.record(window);
  await noteRead(context, 'batches', began);
  // After a change of the field, batches from the last read are not found by the new field yet.
  if ((await store.facts.get(account, BATCHES_KNOWN)) !== rules.match) await store.facts.clear(account, BATCHES_KNOWN);
  await nowKnown(context, BATCHES_KNOWN, 'batches-unread', rules.match);
}

/** A batch as the marketplace showed it. */
export function toBatch(row: Pick<Answer<'batches.list'>, 'id'>, match: string): StoredBatch {
  const value = (row as Readonly<Record<string, unknown>>)[match];
  return { id: row.id, matchKey: matchKeyOf(value), content: JSON.stringify(row) };
}

/** The text by which a value of the field is found; null for a value that identifies nothing. */
export function matchKeyOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value : decimalText(value);
  return text === null || text.trim() === '' ? null : text.trim();
}
