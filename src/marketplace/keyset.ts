import { CallFailure } from '../domain/failure.ts';
import { laterOf } from './keyset-instants.ts';
import { type KeysetFields, type KeysetPage, viewPage } from './keyset-page.ts';
import { advance, type Finding, lineFrom, type Reading } from './keyset-state.ts';

/** Five million rows. */
const MAX_PAGES = 10_000;

export interface KeysetSource<Page extends KeysetPage> extends KeysetFields {
  /**
   * Reads a page (from 1) of the rows at or after `from` (null: all), by `field`. Past the end: CallFailure
   * `not-found`.
   */
  readonly fetch: (request: { readonly from: string | null; readonly page: number }) => Promise<Page>;
  /** The cursor less the overlap; null: the beginning of the list. */
  readonly start: string | null;
  /** The stored cursor. No step moves it back. */
  readonly cursor: string | null;
}

export interface KeysetStep<Page> {
  /** A page as fetched. A page or a row may come repeatedly: only its content shows whether it is new. */
  readonly page: Page;
  /** The new cursor as sent, to be stored in one transaction with the rows. Nothing before it is unread. */
  readonly cursor: string | null;
  /** From `from` (null: the beginning) to `to`. The rows at `to` are included once the reading is done. */
  readonly covered: { readonly from: string | null; readonly to: string | null };
  readonly finding: Finding | null;
  /** Every row that existed at the start and has not changed since was read, unless `finding` is `unstable`. */
  readonly done: boolean;
}

/**
 * Reads a list page by page without gaps while its rows change (spec 1, Pagination). Stopping between steps loses
 * nothing. Page numbers drift, so the reading follows the last row's `modified`, by the server's clock only.
 * @throws CallFailure when the list does not end, or counts rows and shows none; failures of `fetch`, except
 * `not-found` for a later page: the collection shrank.
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

/** The pages read so far are stored, and a reading with a cursor continues there. */
function endless(field: string): CallFailure {
  const message = `the marketplace's list by ${field} has not ended after ${MAX_PAGES} pages`;
  return new CallFailure(message, {
    side: 'marketplace',
    kind: 'invalid-answer',
    outcome: 'not-applied',
    ofRead: true,
  });
}

function rowless(field: string, count: number): CallFailure {
  const message = `the marketplace's list by ${field} says that it has ${count} rows, and shows none`;
  return new CallFailure(message, {
    side: 'marketplace',
    kind: 'invalid-answer',
    outcome: 'not-applied',
    ofRead: true,
  });
}

async function fetchOrGone<Page extends KeysetPage>(
  source: KeysetSource<Page>,
  request: { readonly from: string | null; readonly page: number },
): Promise<Page | null> {
  try {
    const page = await source.fetch(request);
    // An empty list by mistake would make the caller create every entity again.
    if (request.from === null && request.page === 1 && page.raw.length === 0 && page.count > 0)
      throw rowless(source.field, page.count);
    return page;
  } catch (error) {
    if (request.page > 1 && error instanceof CallFailure && error.kind === 'not-found') return null;
    throw error;
  }
}
