import type { Given } from '../../expressions/bundle.ts';
import type { Paging } from './paging-schema.ts';

/** The facts of one page that decide how paging continues. */
export interface PageFacts {
  readonly keys: readonly string[];
  /** The ERP's next cursor or address, whether there is more, and the total count. */
  readonly next: unknown;
  readonly more: unknown;
  readonly total: unknown;
  readonly link: string | null;
  /** The requested address, and the base of all calls. */
  readonly url: string;
  readonly base: string;
}

export interface PageAfter {
  /** Leading rows that the preceding page already had. */
  readonly drop: number;
  /** The next page's values, or its address below the ERP's; null: the end. */
  readonly next: { readonly given: Given; readonly target?: string } | null;
  /** On the last page: no row that existed throughout the read was missed. */
  readonly whole: boolean;
}

/** The ERP's paging loops or leads to another address. */
export class PagingFault extends Error {
  override readonly name = 'PagingFault';
}

export interface Pager {
  readonly first: Given;
  /** @throws PagingFault */
  after(page: PageFacts): PageAfter;
}

const MAX_CURSOR = 4_096;

/** Pages one read. Contradictory pages or counts never count as whole. */
export function pagerOf(paging: Paging): Pager {
  switch (paging.by) {
    case 'none':
      return single(paging.limit ?? null);
    case 'page':
      return numbered(paging);
    case 'offset':
      return byOffset(paging.size);
    case 'keyset':
      return byKey(paging.size);
    case 'cursor':
      return byCursor({ size: paging.size }, ({ next }) => ({ cursor: next, target: undefined }));
    case 'link':
      return byCursor({ size: paging.size }, (page) => addressed(linkTo(page.link, paging.rel), page));
    case 'next-link':
      return byCursor({ size: paging.size }, (page) => addressed(page.next, page));
  }
}

/** Whether the ERP's total differs from the rows read. */
function contradicts(total: unknown, seen: number): boolean {
  return total !== undefined && total !== null && total !== seen && total !== String(seen);
}

function end(whole: boolean, drop = 0): PageAfter {
  return { drop, next: null, whole };
}

function single(limit: number | null): Pager {
  return {
    first: {},
    after: ({ keys, total }) => end((limit === null || keys.length < limit) && !contradicts(total, keys.length)),
  };
}

/** A removed row shifts later rows to pages already read, so `reader.ts` reads such a list twice. */
function numbered({ first, size }: Extract<Paging, { by: 'page' }>): Pager {
  const seen = new Set<string>();
  let number = first;
  let rows = 0;
  let sound = true;
  let longest: number | null = null;
  let before: string | undefined;
  return {
    first: { page: number, size },
    after({ keys, more, total }) {
      if (keys.length === 0) return end(sound && !contradicts(total, rows));
      if (keys[0] === before && keys.every((key) => seen.has(key))) {
        throw new PagingFault(`page ${number} holds the rows of the page before: the number of the page is ignored`);
      }
      before = keys[0];
      // An earlier page was shorter, or a page exceeds its size.
      if (longest !== null && (keys.length > longest || rows !== longest * (number - first))) sound = false;
      if (keys.length > size) sound = false;
      longest ??= keys.length;
      for (const key of keys) sound &&= !seen.has(key);
      for (const key of keys) seen.add(key);
      rows += keys.length;
      if (more === false || (more === undefined && isReached(total, rows)))
        return end(sound && !contradicts(total, rows));
      number += 1;
      return { drop: 0, next: { given: { page: number, size } }, whole: false };
    },
  };
}

function isReached(total: unknown, rows: number): boolean {
  return (typeof total === 'number' || typeof total === 'string') && rows >= Number(total);
}

/** Each page repeats the last row of the preceding page, so a different first row shows a shift. */
function byOffset(size: number): Pager {
  const seen = new Set<string>();
  let anchor: string | null = null;
  let rows = 0;
  let sound = true;
  let starts = '';
  const ask = (): Given => ({ offset: Math.max(0, rows - 1), size });
  return {
    first: { offset: 0, size },
    after({ keys, more, total }) {
      if (keys.length === 0) return end(sound && anchor === null && !contradicts(total, rows));
      const drop = anchor !== null && keys[0] === anchor ? 1 : 0;
      if (anchor !== null && drop === 0) {
        if (keys[0] === starts) throw new PagingFault('a page begins as the one before: the offset is ignored');
        sound = false;
      }
      starts = keys[0] ?? '';
      const fresh = keys.slice(drop);
      if (keys.length > size) sound = false;
      for (const key of fresh) sound &&= !seen.has(key);
      for (const key of fresh) seen.add(key);
      rows += fresh.length;
      const isEnd = more === false || fresh.length === 0 || (more === undefined && isReached(total, rows));
      // An ERP that announces more but shows nothing new has not shown everything.
      if (isEnd) return end(sound && !(more === true && fresh.length === 0) && !contradicts(total, rows), drop);
      anchor = keys.at(-1) ?? null;
      return { drop, next: { given: ask() }, whole: false };
    },
  };
}

function byKey(size: number): Pager {
  const seen = new Set<string>();
  let sound = true;
  let last: string | null = null;
  // Text columns sort "1000" before "999", so keys rise either by value or by digits throughout the read.
  let byValue = true;
  let byDigits = true;
  return {
    first: { size },
    after({ keys, more }) {
      if (keys.length === 0) return end(sound);
      for (const key of keys) {
        if (last !== null && isNumber(key) && isNumber(last)) {
          byValue &&= BigInt(key) > BigInt(last);
          byDigits &&= key > last;
        }
        last = key;
      }
      sound &&= byValue || byDigits;
      const key = keys.at(-1) ?? '';
      if (seen.has(key)) throw new PagingFault('the list returns a key that it returned before');
      for (const one of keys) sound &&= !seen.has(one);
      for (const one of keys) seen.add(one);
      if (more === false) return end(sound);
      return { drop: 0, next: { given: { cursor: key, size } }, whole: false };
    },
  };
}

const isNumber = (key: string): boolean => /^-?\d{1,30}$/.test(key);

type Next = (page: PageFacts) => { readonly cursor: unknown; readonly target: string | undefined };

function byCursor(first: Given, nextOf: Next): Pager {
  const seen = new Set<string>();
  let rows = 0;
  return {
    first,
    after(page) {
      rows += page.keys.length;
      const { cursor, target } = nextOf(page);
      if (cursor === undefined || cursor === null || cursor === '' || cursor === false)
        return end(!contradicts(page.total, rows));
      const key = typeof cursor === 'string' ? cursor : JSON.stringify(cursor);
      if (!key.isWellFormed() || key.length > MAX_CURSOR) {
        throw new PagingFault(`the cursor is no text of at most ${MAX_CURSOR} characters`);
      }
      if (seen.has(key)) throw new PagingFault('the list comes back to a cursor it gave');
      seen.add(key);
      return {
        drop: 0,
        next: { given: { ...first, cursor }, ...(target === undefined ? {} : { target }) },
        whole: false,
      };
    },
  };
}

function addressed(
  address: unknown,
  { url: from, base }: Pick<PageFacts, 'url' | 'base'>,
): { readonly cursor: unknown; readonly target: string | undefined } {
  if (typeof address !== 'string' || address === '') return { cursor: address, target: undefined };
  const url = URL.parse(address, from);
  if (url === null) throw new PagingFault('the address of the next page is no address');
  if (url.origin !== new URL(from).origin) {
    throw new PagingFault(`the address of the next page is of ${url.origin}: only the same origin is followed`);
  }
  const below = new URL(base).pathname.replace(/\/$/, '');
  if (url.pathname !== below && !url.pathname.startsWith(`${below}/`)) {
    throw new PagingFault(
      `the address of the next page is ${url.pathname}: only addresses below ${below} are followed`,
    );
  }
  const target = url.pathname + url.search;
  return { cursor: target, target };
}

/** RFC 8288: `<https://erp.example/orders?page=2>; rel="next"`. */
function linkTo(header: string | null, rel: string): string | null {
  for (const [, address = '', parameters = ''] of (header ?? '').slice(0, 16_384).matchAll(/<([^>]*)>([^,<]*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    if ((quoted ?? bare ?? '').toLowerCase().split(/\s+/).includes(rel.toLowerCase())) return address;
  }
  return null;
}
