import { CallFailure } from '../domain/failure.ts';
import { instantNs } from '../domain/instant.ts';
import { decimalText } from '../http/json.ts';
import type { ListPage } from '../marketplace/page.ts';

export const PAGE_SIZE = 500;

export function listQuery(page: number, ordering: string) {
  return { ordering, page, page_size: PAGE_SIZE };
}

/** A field of a row that need not fit, as text; null where there is none. */
export function fieldOf(row: unknown, name: string): string | null {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, name)) return null;
  return decimalText((row as Record<string, unknown>)[name]);
}

/** A field that is an instant, as sent; null where it is missing or none. */
export function instantField(row: unknown, name: string): string | null {
  const text = fieldOf(row, name);
  return text === null || instantNs(text) === null ? null : text;
}

/** A list that is read whole, for the error that says that it is too long. */
interface WholeList {
  /** `payments` */
  readonly of: string;
  readonly maxPages: number;
  /** `set payments.from` */
  readonly mend?: string;
}

/**
 * The pages of a list from the first to the last, one at a time. A page that is gone when its turn comes is the end: the
 * list got shorter.
 * @throws CallFailure, and an Error when the list has not ended after `maxPages`
 */
export async function* eachPage<Row>(
  { of, maxPages, mend }: WholeList,
  fetch: (page: number) => Promise<ListPage<Row>>,
): AsyncGenerator<ListPage<Row>> {
  for (let number = 1; number <= maxPages; number += 1) {
    const page = await pageOrEnd(fetch, number);
    if (page === null) return;
    yield page;
    if (!page.more) return;
  }
  const tooLong = `the marketplace's list of ${of} has not ended after ${maxPages} pages`;
  throw new Error(mend === undefined ? tooLong : `${tooLong}: ${mend}`);
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
