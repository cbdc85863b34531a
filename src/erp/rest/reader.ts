import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, type Expression } from '../../expressions/expression.ts';
import { withTexts } from '../../http/json.ts';
import { Unfit } from '../../http/rows.ts';
import type { Answer, Call } from './caller.ts';
import { PagingFault, pagerOf } from './paging.ts';
import type { Paging } from './paging-schema.ts';
import type { Request } from './request.ts';
import type { ListSection } from './schema.ts';
import { ALWAYS } from './texts.ts';

/** A list's request, the path to its rows, and its paging. */
export interface Listing {
  readonly request: Request;
  readonly section: Pick<ListSection, 'items' | 'empty'>;
  readonly paging: Paging;
  /** Its path in the description, for messages: `lists.orders`. */
  readonly at: string;
}

export interface RawPage {
  readonly rows: readonly unknown[];
  readonly answer: Answer;
  readonly last: boolean;
  /** On the last page: no row that existed throughout the read was missed, as far as paging shows. */
  readonly whole: boolean;
}

export type ReadPages = (call: Call, given: Given) => AsyncGenerator<RawPage>;

const MAX_PAGES = 20_000;

/** The names of `data.orders.edges`; empty: the answer itself. */
export function pathOf(items: string | undefined): readonly string[] {
  return items === undefined || items === '$' ? [] : items.split('.').filter((name) => name !== VALUES);
}

/** Ends a path to an object whose values are the rows. */
const VALUES = '*';

function areValues(items: string | undefined): boolean {
  return items?.split('.').at(-1) === VALUES;
}

/** @throws ExpressionError for an invalid expression */
export function compileListing({ request, section, paging, at }: Listing): ReadPages {
  const { empty } = section;
  const items = pathOf(section.items);
  const isNone = empty === undefined ? null : compileExpression(empty, [...ALWAYS, 'status']);
  const tells = compileTells(paging, at);
  const keyOf = compileKey(paging, at);

  async function rowsOf(call: Call, { found, beside, status }: Answer): Promise<readonly unknown[]> {
    if (Array.isArray(found)) return found as unknown[];
    if (areValues(section.items) && typeof found === 'object' && found !== null)
      return Object.values(found) as unknown[];
    const none = found === undefined || found === null ? isNone : null;
    if (none !== null && (await call.tell(none, beside, { status }, `${at}.empty`)) === true) return [];
    throw call.invalidAnswer(items.join('.'), found === undefined ? 'is missing' : 'expected a list of rows');
  }

  async function* once(call: Call, given: Given): AsyncGenerator<RawPage & { readonly keys: readonly string[] }> {
    const pager = pagerOf(paging);
    let ask: { readonly given: Given; readonly target?: string } = { given: pager.first };
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const own = { ...given, ...ask.given };
      const answer = await call.ask({ request, given: own, items, none: isNone, target: ask.target });
      const rows = await rowsOf(call, answer);
      const keys = await keyOf(call, rows);
      const told = await tells(call, answer, rows);
      const link = answer.headers['link'];
      const facts = {
        keys,
        ...told,
        link: Array.isArray(link) ? link.join(', ') : (link ?? null),
        url: answer.url,
        base: answer.base,
      };
      try {
        const { drop, next, whole } = pager.after(facts);
        yield { rows: rows.slice(drop), keys: keys.slice(drop), answer, last: next === null, whole };
        if (next === null) return;
        ask = next;
      } catch (error) {
        if (!(error instanceof PagingFault)) throw error;
        throw call.invalidAnswer('next', error.message);
      }
    }
    throw call.invalidAnswer('next', `the list has not ended after ${MAX_PAGES} pages`);
  }

  return async function* read(call, given) {
    const firstKeys: string[] = [];
    let pages = 0;
    for await (const page of once(call, given)) {
      if (page.rows.length > 0) pages += 1;
      for (const key of page.keys) firstKeys.push(key);
      const isDoubtful = page.last && page.whole && paging.by === 'page' && pages > 1;
      yield isDoubtful ? { ...page, whole: await isSame(firstKeys, once(call, given)) } : page;
    }
  };
}

/** A row removed during a read shifts later rows to pages already read. Two equal reads prove that none was missed. */
async function isSame(
  keys: readonly string[],
  pages: AsyncGenerator<RawPage & { readonly keys: readonly string[] }>,
): Promise<boolean> {
  let at = 0;
  let whole = false;
  for await (const page of pages) {
    for (const key of page.keys) {
      if (keys[at] !== key) return false;
      at += 1;
    }
    whole = page.whole;
  }
  return whole && at === keys.length;
}

type PageFacts = { readonly next: unknown; readonly more: unknown; readonly total: unknown };

/** Compiles the paging expressions over the answer without its rows. */
function compileTells(paging: Paging, at: string) {
  const texts: Readonly<Record<string, unknown>> = paging;
  const compiled = (['next', 'more', 'total'] as const).map((name) => {
    const text = texts[name];
    return {
      name,
      tell: typeof text === 'string' ? compileExpression(text, [...ALWAYS, 'last', 'rowcount', 'headers']) : null,
    };
  });
  return async (call: Call, answer: Answer, rows: readonly unknown[]): Promise<PageFacts> => {
    const own = { last: lastOf(rows), rowcount: rows.length, headers: answer.headers };
    const told = compiled.map(async ({ name, tell }): Promise<[string, unknown]> => {
      if (tell === null) return [name, undefined];
      return [name, await call.tell(tell, answer.beside, own, `${at}.paging.${name}`)];
    });
    return Object.fromEntries(await Promise.all(told)) as PageFacts;
  };
}

export function lastOf(rows: readonly unknown[]): unknown {
  const last = rows.at(-1);
  return last instanceof Unfit ? last.row : withTexts(last);
}

/** A row without a key is identified by all its fields, except in keyset paging. */
function compileKey(paging: Paging, at: string) {
  const text = 'key' in paging ? paging.key : null;
  const key: Expression | null = text === null ? null : compileExpression(text, [...ALWAYS]);
  return async (call: Call, rows: readonly unknown[]): Promise<readonly string[]> => {
    if (key === null) return rows.map(() => '');
    const found = rows.map(async (row) => {
      const plain = row instanceof Unfit ? row.row : withTexts(row);
      return call.tell(key, plain, {}, `${at}.paging.key`);
    });
    return (await Promise.all(found)).map((one, index) => {
      if (typeof one === 'string' || typeof one === 'number') return String(one);
      if (paging.by !== 'keyset') return JSON.stringify(rows[index]);
      throw call.invalidAnswer(`${at}.paging.key`, `row ${index + 1} has no key`);
    });
  };
}
