import { decimalText } from '../http/json.ts';
import type { Answer } from '../marketplace/request.ts';
import type { StoredBatch } from '../store/marketplace.ts';
import type { Look, MarketplaceReading } from './context.ts';
import { beginRead, markListKnown, recordReadTime } from './last-read.ts';
import { eachPage, incompleteList, listQuery, readRows } from './pages.ts';
import { beginRoll, secondList } from './roll-call.ts';

/** Fact: every batch was read. Its value is the field by which batches are found. */
export const BATCHES_KNOWN = 'batches-known';

/** 50,000 batches. */
const MAX_PAGES = 100;

/**
 * Reads every batch, because the documents show no filter for changes. A batch that two full lists in a row lack is
 * gone.
 */
export async function readBatches(context: MarketplaceReading, look: Look): Promise<void> {
  const { account, config, store } = context;
  const rules = config.facilities?.batches;
  if (rules == null) return;
  const began = await beginRead(context);
  const roll = await beginRoll(context, look, 'batches');
  const ids = await listBatches(context, look, rules.match);
  roll.saw(ids);
  await roll.settle(
    true,
    secondList(() => listBatches(context, look, rules.match)),
  );
  const window = {
    account,
    collection: 'batches',
    from: null,
    to: null,
    rows: ids.length,
    finding: null,
    cursor: null,
  };
  await store.cursors.record(window);
  await recordReadTime(context, 'batches', began);
  // After a change of the field, stored batches cannot be found by the new one yet.
  if ((await store.facts.get(account, BATCHES_KNOWN)) !== rules.match) await store.facts.clear(account, BATCHES_KNOWN);
  await markListKnown(context, BATCHES_KNOWN, 'batches-unread', rules.match);
}

/**
 * Stores all batches and returns their ids.
 * @throws CallFailure if the list is incomplete
 */
async function listBatches(
  { account, client, store }: MarketplaceReading,
  look: Look,
  match: string,
): Promise<string[]> {
  const list = { of: 'batches', maxPages: MAX_PAGES, made: 'batch' } as const;
  const pages = eachPage(list, (page) => client.list('batches.list', { query: listQuery(page, 'id') }, look));
  const ids: string[] = [];
  let stored = 0;
  for await (const { rows } of pages) {
    const { rows: batches } = readRows({ rows, invalidRows: [] }, 'id', (row) => toBatch(row, match));
    for (const { id } of rows) ids.push(String(id));
    stored += await store.batches.record(account, batches, look.lane);
  }
  // A batch that is not stored would be created again.
  if (stored < ids.length) throw incompleteList(list, 'it has a row that cannot be stored');
  return ids;
}

export function toBatch(row: Pick<Answer<'batches.list'>, 'id'>, match: string): StoredBatch {
  const value = (row as Readonly<Record<string, unknown>>)[match];
  return { id: row.id, matchKey: matchKeyOf(value), content: JSON.stringify(row) };
}

/** The search text of a field's value. null: it identifies nothing. */
export function matchKeyOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value : decimalText(value);
  return text === null || text.trim() === '' ? null : text.trim();
}
