import { CallFailure } from '../domain/failure.ts';
import { laterOf } from './keyset-instants.ts';
import { type KeysetFields, type KeysetPage, viewPage } from './keyset-page.ts';
import { advance, type Finding, lineFrom, type Reading } from './keyset-state.ts';

/** Five million rows. */
const MAX_PAGES = 10_000;

export interface KeysetSource<Page extends KeysetPage> extends KeysetFields {
  /** Page 1 and up, rows at or after `from` (null: all), ordered by `field`. Beyond the last page: CallFailure `not-found`. */
  readonly fetch: (request: { readonly from: string | null; readonly page: number }) => Promise<Page>;
  /** Where to begin: the cursor less the overlap, or null for the beginning. */
  readonly start: string | null;
  /** The cursor as it is stored, behind which no step goes; null when there is none. */
  readonly cursor: string | null;
}

export interface KeysetStep<Page> {
  /**
   * A page as `fetch` gave it, again where the next one was gone. A row may come several times: only its content shows
   * whether it is new.
   */
  readonly page: Page;
  /** The new cursor as the server sent it, to be stored in one transaction with the rows: nothing before it is unread. */
  readonly cursor: string | null;
  /**
   * The stretch that this reading has covered so far: `from` to `to`, and all rows at `to` itself once it is done. null: the
   * beginning.
   */
  readonly covered: { readonly from: string | null; readonly to: string | null };
  readonly finding: Finding | null;
  /**
   * The last step. A row that was there when the reading began, and rests since, has come by now, unless `finding` is
   * `unstable`.
   */
  readonly done: boolean;
}

/**
 * Reads a list without gaps while its rows change (spec 1, Pagination), a page at a time. A caller that stops between
 * two steps has lost nothing. Page numbers drift as rows move, so the reading goes by the last row's `modified`
 * instead. No clock but the server's is used.
 * @throws CallFailure when the list does not end, or counts rows and shows none; and whatever `fetch` throws, except `not-found` for a page after the first: the collection shrank
 */
export async function* readKeyset<Page extends KeysetPage>(
  source: KeysetSource<Page>,
): AsyncGenerator<KeysetStep<Page>, void, undefined> {
  const { start, cursor } = source;
  let reading: Reading = lineFrom(start, start);
  let page: Page | null = null;
  for (let pages = 1; reading.at !== 'end'; pages += 1) {
    if (pages > MAX_PAGES) throw endless(source.field);
    const request = { from: reading.from, page: reading.at === 'line' ? 1 : reading.page };
    const answer = await fetchOrGone(source, request);
    const view = answer && viewPage(answer, request.from, source);
    const { next, finding }: ReturnType<typeof advance> = advance(reading, view);
    page = answer ?? page;
    const covered = { from: start, to: next.from };
    if (page !== null) yield { page, cursor: laterOf(cursor, next.from), covered, finding, done: next.at === 'end' };
    reading = next;
  }
}

/** What was read up to here is kept: a reading that has a cursor goes on from it. */
function endless(field: string): CallFailure {
  const message = `the marketplace's list by ${field} has not ended after ${MAX_PAGES} pages`;
  return new CallFailure(message, { side: 'marketplace', kind: 'misfit', outcome: 'not-applied', ofRead: true });
}

function rowless(field: string, count: number): CallFailure {
  const message = `the marketplace's list by ${field} says that it has ${count} rows, and shows none`;
  return new CallFailure(message, { side: 'marketplace', kind: 'misfit', outcome: 'not-applied', ofRead: true });
}

async function fetchOrGone<Page extends KeysetPage>(
  source: KeysetSource<Page>,
  request: { readonly from: string | null; readonly page: number },
): Promise<Page | null> {
  try {
    const page = await source.fetch(request);
    // Of the whole list: whoever takes it for empty makes everything a second time.
    if (request.from === null && request.page === 1 && page.raw.length === 0 && page.count > 0)
      throw rowless(source.field, page.count);
    return page;
  } catch (error) {
    if (request.page > 1 && error instanceof CallFailure && error.kind === 'not-found') return null;
    throw error;
  }
}
