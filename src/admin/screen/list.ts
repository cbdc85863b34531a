import { z } from 'zod';
import { sentenceOf } from '../../domain/causes/cause.ts';
import { sentenceInShop } from '../../domain/causes/in-shop.ts';
import type { OrderRow, PageKey, ProductRow, WorkState } from '../../store/browse.ts';
import { accountsFor } from '../../use/accounts.ts';
import type { AdminContext } from '../../use/admin-context.ts';
import { everyRow, keyText, parseKey, type TablePage } from '../../use/browse.ts';
import { dayOf } from '../../use/day.ts';
import { type ListsKnown, listsKnown } from '../../use/lists-known.ts';
import { csvLine } from '../../use/mapping/csv.ts';
import { readsOf } from '../../use/status.ts';
import { freshStrip } from './freshness.ts';
import { address, type Content, type Html, html } from './html.ts';
import { action, type Page, type PageContext, page } from './page.ts';
import { type Column, table } from './rows.ts';
import { badge, cut, select, timed } from './show.ts';

/* A list of entities: searched by typing, filtered, sorted by its heads, and with rows to choose. Also as a file of CSV. */

const SHOWN = 50;
const MOST_LINES = 100_000;

export const search = z.string().trim().max(200).default('');
export const state = z.enum(['', 'stopped', 'held', 'failed', 'pending']).catch('');
/** The last row of the page before. */
export const after = z
  .string()
  .max(2_000)
  .transform((text) => parseKey(text))
  .nullable()
  .default(null);

const STATES = [
  ['', 'any'],
  ['stopped', 'held or failed'],
  ['held', 'held'],
  ['failed', 'failed'],
  ['pending', 'waiting'],
] as const;

const STATES_OF: Readonly<Record<z.output<typeof state>, readonly WorkState[]>> = {
  '': [],
  stopped: ['held', 'failed'],
  held: ['held'],
  failed: ['failed'],
  pending: ['pending'],
};

/** The parameters of every table. Each table has one filter of its own besides. */
interface Asked {
  readonly search: string;
  readonly state: z.output<typeof state>;
  readonly sort: string;
  readonly after: PageKey | null;
}

type Options = readonly (readonly [string, string])[];

interface Table<Query extends Asked, Row> {
  readonly name: 'orders' | 'products';
  readonly title: string;
  /** The names by which a row is found. */
  readonly searchedBy: string;
  readonly none: string;
  readonly filter: readonly [name: 'status' | 'linked', label: string, chosen: (asked: Query) => string];
  readonly sorts: Options;
  /** The lists that the rows are made of. */
  readonly lists: readonly string[];
  /** The kind and the key of a row, by which it is chosen. */
  readonly entity: readonly [kind: 'order' | 'product', key: (row: Row) => string];
  /** @param known what the records can say of rows that one side lacks */
  readonly columns: (account: string, known: ListsKnown) => readonly Column<Row>[];
  readonly heads: readonly string[];
  readonly cells: (row: Row) => readonly (string | null | undefined)[];
  /** The choices of its own filter, besides any. */
  options(opened: AdminContext, account: string): Options | Promise<Options>;
  browse(
    opened: AdminContext,
    account: string,
    asked: Query,
    limit: number,
    from?: PageKey | null,
  ): Promise<TablePage<Row>>;
}

export function choiceOf({ search: begin, state: wanted, after: asked }: Asked, from: PageKey | null | undefined) {
  return { search: begin, states: STATES_OF[wanted], after: from === undefined ? asked : from };
}

export function pagesOf<Query extends z.ZodObject, Row extends Worked>(
  query: Query,
  of: Table<z.output<Query> & Asked, Row>,
): Page[] {
  const { name: section } = of;
  const onScreen = page({
    path: `/${section}`,
    section,
    query,
    show: async (context, given) => ({
      title: of.title,
      body: await tableBody(context, of, given as z.output<Query> & Asked),
    }),
  });
  const asFile = page({
    path: `/${section}.csv`,
    section,
    query,
    async show({ opened, account }, given) {
      const asked = inFile(given as z.output<Query> & Asked, of.sorts);
      const rows = everyRow((from, limit) => of.browse(opened, account, asked, limit, from), MOST_LINES);
      return { name: `${section}.csv`, type: 'text/csv; charset=utf-8', lines: csvLines(of, rows) };
    },
  });
  return [onScreen, asFile];
}

/** A sort by what the other side has reads every order for each page, so a file has the usual order instead. */
function inFile<Query extends Asked>(asked: Query, [usual]: Options): Query {
  return usual !== undefined && asked.sort.startsWith('erp-') ? { ...asked, sort: usual[0] } : asked;
}

async function* csvLines<Row>(
  { heads, cells }: Pick<Table<never, Row>, 'heads' | 'cells'>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  yield `${csvLine(heads)}\n`;
  for await (const row of rows) yield `${csvLine(cells(row).map((cell) => cell ?? ''))}\n`;
}

async function tableBody<Query extends Asked, Row extends Worked>(
  context: PageContext,
  of: Table<Query, Row>,
  asked: Query,
): Promise<Html> {
  const { opened, account } = context;
  const { name, title, searchedBy, none, filter, sorts } = of;
  const { rows, next, isPartly } = await of.browse(opened, account, asked, SHOWN);
  const [filterName, label, chosenOf] = filter;
  const options: Options = [['', 'any'], ...(await of.options(opened, account))];
  const choice = { account, search: asked.search, [filterName]: chosenOf(asked), state: asked.state, sort: asked.sort };
  const sorting = { now: asked.sort, to: (sort: string) => address(name, { ...choice, sort }) };
  const nothing = html`<p class="lede">${none}</p>`;
  const columns = of.columns(account, await listsKnown({ account, store: opened.store }, of.entity[0]));
  return html`<h1>${title}</h1>
${await freshOf(context, of.lists)}
<form class="filters" method="get" action="${name}" data-finds="found"><input type="hidden" name="account" value="${account}">
<label class="search">${searchedBy} <input type="search" name="search" value="${asked.search}" maxlength="200"></label>
${select(filterName, label, options, chosenOf(asked))}
${select('state', 'Work', STATES, asked.state)}
<span class="of-phone">${select('sort', 'Sorted by', sorts, asked.sort)}</span>
<button>Show</button></form>
<div id="found">${isPartly ? html`<p class="notice">Very many names begin like this, and only some of them were looked at: type more of it.</p>` : null}
${choosing(context, of, rows, (more) => table(title, [...more, ...columns], rows, nothing, sorting))}
<p class="pages">${asked.after && html`<a class="button second" href="${address(name, choice)}">First page</a> `}${next && html`<a class="button second" rel="next" href="${address(name, { ...choice, after: keyText(next) })}">Next page</a>`} <a href="${address(`${name}.csv`, choice)}">As CSV</a></p></div>`;
}

/** How fresh the lists behind the rows are. */
async function freshOf({ opened, account, nowMs }: PageContext, lists: readonly string[]): Promise<Content> {
  const [config] = accountsFor(opened.config, account);
  if (config === undefined) return null;
  const [reads, day] = await Promise.all([readsOf(config, opened.store, nowMs), dayOf(opened.store, account)]);
  return freshStrip(reads, day, nowMs, lists);
}

interface Worked {
  readonly state: WorkState | null;
}

/** The table with a box beside each row that does not go on, and what can be done with those that are ticked. */
function choosing<Query extends Asked, Row extends Worked>(
  context: PageContext,
  { entity: [kind, keyOf] }: Table<Query, Row>,
  rows: readonly Row[],
  shown: (more: readonly Column<Row>[]) => Html,
): Content {
  const isStopped = ({ state: reached }: Row) => reached === 'held' || reached === 'failed';
  const choose: Column<Row> = {
    head: 'Choose',
    width: 'tick',
    line: 1,
    cell: (row) =>
      isStopped(row) &&
      html`<input type="checkbox" name="row" value="${keyOf(row)}" aria-label="Choose ${keyOf(row)}">`,
  };
  const inside = html`${shown([choose])}<div class="chosen"><button>Look at the chosen afresh</button></div>`;
  const form = rows.some(isStopped) ? action(context, 'look-again', { account: context.account, kind }, inside) : null;
  return form ?? shown([]);
}

/** How far the work of a row is, and why it does not go on. */
export function workOf({ state: reached, heldFor }: OrderRow | ProductRow): Content {
  if (reached === null) return badge('good', 'done');
  if (reached === 'pending') return badge('quiet', 'waiting');
  const [first] = heldFor;
  return html`${badge(reached === 'failed' ? 'bad' : 'wait', reached)}${first === undefined ? null : html` <small>${timed(cut(sentenceInShop({ ...first, text: sentenceOf(first) }, { product: null })))}</small>`}`;
}
