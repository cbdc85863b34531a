import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailure } from '../../domain/failure.ts';
import type { CallOptions } from '../../marketplace/admit-call.ts';
import type { MarketplaceClient } from '../../marketplace/client.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import type { ListPage } from '../../marketplace/page.ts';
import { UsageError } from '../faults.ts';
import type { TypedRequest } from './request.ts';

type Client = Pick<MarketplaceClient, 'call' | 'list'>;
export type Page = ListPage<unknown>;

interface Untyped {
  call(id: string, request: TypedRequest, options: CallOptions): Promise<unknown>;
  list(id: string, request: TypedRequest, options: CallOptions): Promise<Page>;
}

/** Removes the operation's types: the request was checked against the table. */
export function untyped(client: Client): Untyped {
  return client as unknown as Untyped;
}

/**
 * Makes one call. A list returns `{count, more, results}` and its other fields, any other operation its body; null:
 * empty.
 */
export async function callOnce(
  client: Client,
  operation: Operation,
  request: TypedRequest,
  options: CallOptions,
): Promise<unknown> {
  if (operation.paging === null) return untyped(client).call(operation.id, request, options);
  const { count, more, beside, raw } = await untyped(client).list(operation.id, request, options);
  return { count, more, ...beside, results: raw };
}

const PAGE_SIZE = 500;
/** The most waits for the quota, and the longest. */
const MAX_WAITS = 10;
const MAX_WAIT_MS = 120_000;

/** The parameters for position and size of a page, and the first position. */
const WALKS = {
  page: { position: 'page', size: 'page_size', first: 1 },
  offset: { position: 'offset', size: 'limit', first: 0 },
} as const;

/**
 * Reads a list page by page. A missing page is the end, since the list got shorter.
 * @throws UsageError when the operation is no list, or the request names a page
 */
export async function* allPages(
  client: Client,
  operation: Operation,
  request: TypedRequest,
  options: CallOptions,
): AsyncGenerator<Page> {
  const { id, paging } = operation;
  if (paging === null) throw new UsageError(`${id} answers one entity: --all is for lists`);
  if (paging === 'array') {
    yield await patiently(options, () => untyped(client).list(id, request, options));
    return;
  }
  const { position, size, first } = WALKS[paging];
  if (request.query[position] !== undefined) throw new UsageError(`--all prints every page: leave ${position} out`);
  const sized = { [size]: PAGE_SIZE, ...request.query };
  for (let at: number = first; ; ) {
    const page = await patiently(options, () =>
      untyped(client).list(id, { ...request, query: { ...sized, [position]: at } }, options),
    ).catch((error: unknown) => {
      if (at > first && error instanceof CallFailure && error.kind === 'not-found') return null;
      throw error;
    });
    if (page === null) return;
    yield page;
    if (!page.more) return;
    at += paging === 'page' ? 1 : page.raw.length;
  }
}

/** Repeats a read that finds the quota used up. */
async function patiently<T>({ signal }: CallOptions, read: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CallFailure) || error.kind !== 'rate-limited' || waits >= MAX_WAITS) throw error;
      await sleep(Math.min(error.retryAfterMs ?? 1_000, MAX_WAIT_MS), undefined, { signal });
    }
  }
}
