import { z } from 'zod';
import { sentenceOf } from '../../domain/causes/cause.ts';
import { sentenceInShop } from '../../domain/causes/in-shop.ts';
import type { OrderRow, PageKey, ProductRow, WorkState } from '../../store/browse.ts';
import type { AdminContext } from '../../use/admin-context.ts';
import { browseOrders, browseProducts, everyRow, type TablePage } from '../../use/browse.ts';
import { csvLine } from '../../use/mapping/csv.ts';
import { address, type Content, type Html, html } from './html.ts';
import { type Look, type Page, page } from './page.ts';
import {
  badge,
  type Column,
  cut,
  entityLink,
  money,
  quantity,
  select,
  sentTime,
  shortId,
  table,
  timed,
} from './show.ts';

/* The orders of the marketplace and the products of the ERP, each as a page and as a file of CSV. */

const SHOWN = 50;
const MOST_LINES = 100_000;

const search = z.string().trim().max(200).default('');
const state = z.enum(['', 'stopped', 'held', 'failed', 'pending']).catch('');
/** The last row of the page before. */
const last = { sorted: z.string().max(1_000).optional(), id: z.string().max(300).optional() };

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
interface Asked extends Readonly<Record<string, string | undefined>> {
  readonly search: string;
  readonly state: z.output<typeof state>;
  readonly sort: string;
  readonly sorted?: string | undefined;
  readonly id?: string | undefined;
}

type Options = readonly (readonly [string, string])[];

interface Table<Query extends Asked, Row> {
  readonly name: 'orders' | 'products';
  readonly title: string;
  /** The names by which a row is found. */
  readonly searchedBy: string;
  readonly none: string;
  readonly filter: readonly [name: string, label: string];
  readonly sorts: Options;
  readonly columns: (account: string) => readonly Column<Row>[];
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

/** @param from the last row of the page before; null: the first page; undefined: as it is asked */
function choiceOf({ search: begin, state: wanted, sorted, id }: Asked, from: PageKey | null | undefined) {
  const passed = sorted === undefined || id === undefined ? null : { sorted, id };
  return { search: begin, states: STATES_OF[wanted], after: from === undefined ? passed : from };
}

function pagesOf<Query extends z.ZodObject, Row>(query: Query, of: Table<z.output<Query> & Asked, Row>): Page[] {
  const { name: section } = of;
  const onScreen = page({
    path: `/${section}`,
    section,
    query,
    show: async (look, given) => ({
      title: of.title,
      body: await tableBody(look, of, given as z.output<Query> & Asked),
    }),
  });
  const asFile = page({
    path: `/${section}.csv`,
    section,
    query,
    async show({ opened, account }, given) {
      const asked = given as z.output<Query> & Asked;
      const rows = everyRow((after, limit) => of.browse(opened, account, asked, limit, after), MOST_LINES);
      return { name: `${section}.csv`, type: 'text/csv; charset=utf-8', lines: csvLines(of, rows) };
    },
  });
  return [onScreen, asFile];
}

async function* csvLines<Row>(
  { heads, cells }: Pick<Table<never, Row>, 'heads' | 'cells'>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  yield `${csvLine(heads)}\n`;
  for await (const row of rows) yield `${csvLine(cells(row).map((cell) => cell ?? ''))}\n`;
}

async function tableBody<Query extends Asked, Row>(look: Look, of: Table<Query, Row>, asked: Query): Promise<Html> {
  const { opened, account } = look;
  const { name, title, searchedBy, none, filter, sorts } = of;
  const { rows, next, isPartly } = await of.browse(opened, account, asked, SHOWN);
  const options: Options = [['', 'any'], ...(await of.options(opened, account))];
  const to = (path: string, from: PageKey | null) =>
    address(path, { account, ...asked, sorted: from?.sorted, id: from?.id });
  return html`<h1>${title}</h1>
<form class="filters" method="get" action="${name}"><input type="hidden" name="account" value="${account}">
<label>${searchedBy} <input type="search" name="search" value="${asked.search}" maxlength="200"></label>
${select(filter[0], filter[1], options, asked[filter[0]] ?? '')}
${select('state', 'Work', STATES, asked.state)}
${select('sort', 'Sorted by', sorts, asked.sort)}
<button>Show</button></form>
${isPartly ? html`<p class="notice">Very many names begin like this, and only some of them were looked at: type more of it.</p>` : null}
${table(title, of.columns(account), rows, html`<p class="lede">${none}</p>`)}
<p class="pages">${next && html`<a class="button second" rel="next" href="${to(name, next)}">Next page</a>`} <a href="${to(`${name}.csv`, null)}">As CSV</a></p>`;
}

/** How far the work of a row is, and why it does not go on. */
function workOf({ state: reached, heldFor }: OrderRow | ProductRow): Content {
  if (reached === null) return badge('good', 'done');
  if (reached === 'pending') return badge('quiet', 'waiting');
  const [first] = heldFor;
  return html`${badge(reached === 'failed' ? 'bad' : 'wait', reached)}${first === undefined ? null : html` <small>${timed(cut(sentenceInShop({ ...first, text: sentenceOf(first) }, { product: null })))}</small>`}`;
}

const NOTHING = html`<span class="none">–</span>`;

const orderQuery = z.object({
  search,
  status: z.string().max(300).default(''),
  state,
  sort: z.enum(['newest', 'oldest', 'number']).catch('newest'),
  ...last,
});

export const ORDERS = pagesOf<typeof orderQuery, OrderRow>(orderQuery, {
  name: 'orders',
  title: 'Orders',
  searchedBy: 'Number, customer, SKU, ERP id',
  none: 'No order is like this.',
  filter: ['status', 'Status'],
  options: async ({ store }, account) => (await store.orders.byStatus(account)).map(({ status }) => [status, status]),
  sorts: [
    ['newest', 'newest change'],
    ['oldest', 'oldest change'],
    ['number', 'number'],
  ],
  browse: ({ store }, account, asked, limit, from) =>
    browseOrders(store, account, { ...choiceOf(asked, from), status: asked.status || null, sort: asked.sort }, limit),
  columns: (account) => [
    { head: 'Order', cell: (row) => orderName(account, row) },
    { head: 'Customer', cell: ({ customer }) => cut(customer) ?? NOTHING },
    { head: 'Status', cell: ({ status }) => status },
    { head: 'Lines', isFigure: true, cell: ({ lines }) => lines },
    { head: 'Total', isFigure: true, cell: ({ total, currency }) => money(total, currency) },
    {
      head: 'In the ERP',
      cell: ({ erpId, erpStatus }) => (erpId === null ? html`<span class="none">not there</span>` : erpStatus),
    },
    { head: 'Changed', cell: ({ modified }) => sentTime(modified) },
    { head: 'Work', isText: true, cell: workOf },
  ],
  heads: ['number', 'status', 'customer', 'total', 'currency', 'modified', 'erp_id', 'erp_status', 'state'],
  cells: ({ number, status, customer, total, currency, modified, erpId, erpStatus, state: work }) => {
    return [number, status, customer, total?.toFixed(), currency, modified, erpId, erpStatus, work];
  },
});

/** The ERP's number comes first: people know an order by it. */
function orderName(account: string, { number, erpId }: OrderRow): Content {
  const key = { account, flow: 'order-in', key: number };
  if (erpId === null) return entityLink(key);
  return html`${entityLink(key, shortId(erpId))} <small>${shortId(number)}</small>`;
}

const LINKED = { '': null, yes: true, no: false } as const;

const productQuery = z.object({
  search,
  linked: z.enum(['', 'yes', 'no']).catch(''),
  state,
  sort: z.enum(['sku', 'name']).catch('sku'),
  ...last,
});

export const PRODUCTS = pagesOf<typeof productQuery, ProductRow>(productQuery, {
  name: 'products',
  title: 'Products',
  searchedBy: 'SKU, name, ERP id, listing',
  none: 'No product is like this.',
  filter: ['linked', 'Linked'],
  options: () => [
    ['yes', 'to a listing'],
    ['no', 'to nothing'],
  ],
  sorts: [
    ['sku', 'SKU'],
    ['name', 'name'],
  ],
  browse: ({ store }, account, asked, limit, from) =>
    browseProducts(store, account, { ...choiceOf(asked, from), linked: LINKED[asked.linked], sort: asked.sort }, limit),
  columns: (account) => [
    { head: 'SKU', cell: ({ sku, id }) => entityLink({ account, flow: 'stock', key: id }, sku === '' ? id : sku) },
    { head: 'Name', cell: ({ name, sold }) => html`${cut(name)}${sold ? null : html` ${badge('quiet', 'not sold')}`}` },
    { head: 'Price', isFigure: true, cell: ({ price, currency }) => money(price, currency) },
    { head: 'In the ERP', isFigure: true, cell: ({ erpAvailable }) => quantity(erpAvailable) },
    { head: 'Buyers can take', isFigure: true, cell: ({ available }) => quantity(available) },
    {
      head: 'Listing',
      cell: ({ listing, archived }) =>
        listing === null
          ? html`<span class="none">none</span>`
          : html`${listing}${archived ? html` ${badge('quiet', 'archived')}` : null}`,
    },
    { head: 'Work', isText: true, cell: workOf },
  ],
  heads: 'sku name erp_id sold price currency erp_available listing archived available state'.split(' '),
  cells: ({ sku, name, id, sold, price, currency, erpAvailable, listing, archived, available, state: work }) => {
    const figures = [erpAvailable?.toFixed(), listing, String(archived), available?.toFixed(), work];
    return [sku, name, id, String(sold), price.toFixed(), currency, ...figures];
  },
});
