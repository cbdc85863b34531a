import { cause } from '../domain/causes/cause.ts';
import { CallFailure } from '../domain/failure.ts';
import { instantNs } from '../domain/instant.ts';
import { decimalText } from '../http/json.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { FoundInvalidRow } from '../store/reading.ts';
import { PageError } from '../store/store-error.ts';

export const PAGE_SIZE = 500;

export function listQuery(page: number, ordering: string) {
  return { ordering, page, page_size: PAGE_SIZE };
}

/** A field of a possibly malformed row, as text. null: none. */
export function fieldOf(row: unknown, name: string): string | null {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, name)) return null;
  return decimalText((row as Record<string, unknown>)[name]);
}

/** An instant as sent. null: missing or invalid. */
export function instantField(row: unknown, name: string): string | null {
  const text = fieldOf(row, name);
  return text === null || instantNs(text) === null ? null : text;
}

/**
 * Converts the rows of a page. Rows on which our own code fails are set aside with the invalid ones, so that the others
 * are read.
 * @param name the field that names a row
 * @throws PageError if our own code fails on all of several rows, so that no row is at fault
 */
export function readRows<Row, Read>(
  page: Pick<ListPage<Row>, 'rows' | 'invalidRows'>,
  name: string,
  read: (row: Row) => Read,
): { readonly rows: Read[]; readonly invalidRows: FoundInvalidRow[] } {
  const rows: Read[] = [];
  const invalidRows = foundInvalidRows(page.invalidRows);
  let failure: Error | null = null;
  for (const row of page.rows) {
    try {
      rows.push(read(row));
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      const problem = cause('row-not-understood', { problem: failure.message });
      invalidRows.push({ what: fieldOf(row, name) ?? '', path: '', message: '', cause: problem });
    }
  }
  if (failure !== null && rows.length === 0 && page.rows.length > 1) throw new PageError(failure);
  return { rows, invalidRows };
}

export function foundInvalidRows(invalidRows: ListPage<unknown>['invalidRows']): FoundInvalidRow[] {
  return invalidRows.map(({ id, index, path, message }) => ({ what: id ?? `row ${index}`, path, message }));
}

/** For error messages. */
interface WholeList {
  /** `payments` */
  readonly of: string;
  readonly maxPages: number;
  /** `set payments.from` */
  readonly mend?: string;
  /** What is created if the list lacks it. A row missed by the read would be created again. */
  readonly made?: 'batch' | 'product line';
}

/**
 * Yields the pages of a list. A page that no longer exists is the end: the list got shorter.
 * @throws CallFailure; with `made`, also at the end if a row was unreadable or missing. An Error if the list has not
 * ended after `maxPages`
 */
export async function* eachPage<Row>(
  list: WholeList,
  fetch: (page: number) => Promise<ListPage<Row>>,
): AsyncGenerator<ListPage<Row>> {
  const { of, maxPages, mend } = list;
  /** Rows read, and the row count that the last page states. */
  const read = { rows: 0, unfit: 0, count: 0 };
  for (let number = 1; number <= maxPages; number += 1) {
    const page = await pageOrEnd(fetch, number);
    if (page === null) return requireWhole(list, read);
    read.rows += page.raw.length;
    read.unfit += page.invalidRows.length;
    read.count = page.count;
    yield page;
    if (!page.more) return requireWhole(list, read);
  }
  const tooLong = `the marketplace's list of ${of} has not ended after ${maxPages} pages`;
  throw new Error(mend === undefined ? tooLong : `${tooLong}: ${mend}`);
}

function requireWhole(
  { of, made }: WholeList,
  { rows, unfit, count }: { readonly rows: number; readonly unfit: number; readonly count: number },
): void {
  if (made === undefined || (unfit === 0 && rows >= count)) return;
  throw incompleteList({ of, made }, unfit > 0 ? 'it has a row that cannot be read' : 'it is short of rows');
}

export function incompleteList({ of, made }: Required<Pick<WholeList, 'of' | 'made'>>, why: string): CallFailure {
  const message = `the marketplace's list of ${of} is not whole: ${why}. No ${made} is made meanwhile.`;
  return new CallFailure(message, {
    side: 'marketplace',
    kind: 'invalid-answer',
    outcome: 'not-applied',
    ofRead: true,
  });
}

async function pageOrEnd<Row>(
  fetch: (page: number) => Promise<ListPage<Row>>,
  number: number,
): Promise<ListPage<Row> | null> {
  try {
    return await fetch(number);
  } catch (error) {
    if (number > 1 && error instanceof CallFailure && error.kind === 'not-found') return null;
    throw error;
  }
}

/** Returns whether too many rows are missing for a list to be credible: more than one, and more than a tenth. */
export function isTooIncomplete(known: number, missing: number): boolean {
  return missing > Math.max(1, known / 10);
}
