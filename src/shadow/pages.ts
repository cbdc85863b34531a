import { CallFailure } from '../domain/failure.ts';
import type { ListPage } from '../marketplace/page.ts';

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
