import { isAhead } from '../../domain/ahead.ts';
import { earlier } from '../../domain/instant.ts';
import type { ErpPage } from '../connector.ts';
import { rowsOf, type Shape } from '../rows/page.ts';
import { withoutFuture } from '../rows/times.ts';
import { listAnswer } from './answers.ts';
import type { Caller } from './call.ts';

/** A list of the contract. */
export interface Collection<T> extends Shape<T> {
  /** `/v1/products` */
  readonly path: string;
}

interface ListRequest<T> extends Collection<T> {
  readonly params: Readonly<Record<string, string>>;
  readonly purpose: string;
}

/** The two ways to read a list of the contract: the changes, and the rows that carry a reference. */
export function collection<T>(caller: Caller, about: Collection<T> & { readonly name: string }) {
  const { name } = about;
  return {
    list(changedSince: string | null, signal?: AbortSignal): AsyncGenerator<ErpPage<T>> {
      const params = changedSince === null ? {} : { changed_since: changedSince };
      return listPages(caller, { ...about, params, purpose: `list the ${name}` }, signal);
    },
    /** A server that does not know the field answers with every row there is, so each row has to fit here as well. */
    async find(
      [field, value]: readonly [field: string, value: string],
      fits: (row: T) => boolean,
      signal?: AbortSignal,
    ): Promise<T[]> {
      const purpose = `find the ${name} with ${field.replace('_', ' ')} ${value}`;
      return (await listWhole(caller, { ...about, params: { [field]: value }, purpose }, signal)).filter(fits);
    },
  };
}

const PAGE_LIMIT = '500';
const MAX_PAGES = 20_000;
/** A reference is that of one order, or by mistake of several. A server that ignores the filter shows many. */
const MAX_FOUND = 20_000;
const MAX_CURSOR = 4_096;

/**
 * The pages of one list, read through `cursor=` alone: `next` is opaque and never followed as an address. `complete` is
 * true on the last page only, when the ERP said so there and every row that did not fit could at least be told apart
 * (its id is known): otherwise nothing may be concluded from what is absent. `asOf` is the earliest the ERP named.
 *
 * @throws CallFailure of kind `misfit` when the cursors go round in a circle or never end.
 */
export async function* listPages<T>(
  caller: Caller,
  request: ListRequest<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ErpPage<T>> {
  const call = { method: 'GET', purpose: request.purpose, answer: listAnswer } as const;
  const seen = new Set<string>();
  let cursor: string | null = null;
  let asOf: string | null = null;
  let allKnown = true;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = queryOf({ ...request.params, ...(cursor === null ? {} : { cursor }), limit: PAGE_LIMIT });
    const { answer, servedAt, isDated } = await caller.list({ ...call, path: `${request.path}?${query}` }, signal);
    const late = isAhead(answer.as_of, servedAt, true);
    if (late && !isDated) throw caller.misfit(call, { path: 'as_of', message: 'it lies in the future' });
    const began = late ? servedAt : answer.as_of;
    const { items: rows, misfits } = await rowsOf(answer.items, request);
    const dated = rows.map((row) => withoutFuture(row, servedAt, began));
    const items = dated.map(({ row }) => row);
    const ahead = [...(late ? [{ row: 'as_of', stamp: answer.as_of }] : []), ...dated.flatMap((one) => one.ahead)];
    allKnown &&= misfits.every((misfit) => misfit.id !== null);
    asOf = asOf === null ? began : earlier(asOf, began);
    cursor = answer.next ? answer.next : null;
    if (cursor !== null && (!cursor.isWellFormed() || cursor.length > MAX_CURSOR))
      throw caller.misfit(call, { path: 'next', message: `the cursor is no text of at most ${MAX_CURSOR} characters` });
    yield { items, misfits, asOf, complete: cursor === null && answer.complete === true && allKnown, ahead };
    if (cursor === null) return;
    if (seen.has(cursor))
      throw caller.misfit(call, { path: 'next', message: 'the list comes back to a cursor it gave' });
    seen.add(cursor);
  }
  throw caller.misfit(call, { path: 'next', message: `the list has not ended after ${MAX_PAGES} pages` });
}

/**
 * Every row of a small list, all or nothing.
 *
 * @throws CallFailure of kind `misfit` when a row does not fit, and `incomplete` when the ERP does not say that this is all:
 * "none" would be a guess.
 */
async function listWhole<T>(caller: Caller, request: ListRequest<T>, signal: AbortSignal | undefined): Promise<T[]> {
  const call = { method: 'GET', purpose: request.purpose } as const;
  const rows: T[] = [];
  let complete = false;
  for await (const page of listPages(caller, request, signal)) {
    const [misfit] = page.misfits;
    if (misfit !== undefined) {
      const path = `items.${misfit.path}`;
      throw caller.misfit(call, { path, message: `${misfit.what}: ${misfit.message}` });
    }
    for (const row of page.items) rows.push(row);
    if (rows.length > MAX_FOUND) {
      throw caller.misfit(call, { path: 'items', message: `more than ${MAX_FOUND} rows where a few were asked for` });
    }
    complete = page.complete;
  }
  if (!complete) throw caller.incomplete(call);
  return rows;
}

/** Commas between values stay bare, so that a server may split before it decodes. */
function queryOf(params: Readonly<Record<string, string>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${name === 'sku' ? value : encodeURIComponent(value)}`)
    .join('&');
}
