import { z } from 'zod';
import type { OrderChoice, OrderRow } from '../../store/browse.ts';
import { browseOrders, type Chosen, everyRow } from '../../use/browse.ts';
import { address, type Html, html } from './html.ts';
import { type Look, page } from './page.ts';
import { choiceOf, csvLines, nextLink, partlyNotice, STATES, stateOf, tableQuery } from './rows.ts';
import { cut, entityLink, money, select, sentTime, table } from './show.ts';

const SHOWN = 50;
const MOST_LINES = 100_000;
const SORTS = [
  ['newest', 'newest change'],
  ['oldest', 'oldest change'],
  ['number', 'number'],
] as const;

const query = tableQuery.extend({
  status: z.string().max(300).default(''),
  sort: z.enum(['newest', 'oldest', 'number']).catch('newest'),
});
type Query = z.output<typeof query>;

function chosen(asked: Query): Chosen<OrderChoice> {
  return { ...choiceOf(asked), status: asked.status === '' ? null : asked.status, sort: asked.sort };
}

/** The orders of the marketplace, with the ERP's beside them. */
export const ORDERS = page({
  path: '/orders',
  section: 'orders',
  query,
  async show(look, asked) {
    const { store } = look.opened;
    const found = await browseOrders(store, look.account, chosen(asked), SHOWN);
    const statuses = (await store.orders.byStatus(look.account)).map(({ status }) => status);
    return { title: 'Orders', body: orders(look, asked, statuses, found) };
  },
});

export const ORDERS_CSV = page({
  path: '/orders.csv',
  section: 'orders',
  query,
  async show({ opened, account }, asked) {
    return { name: 'orders.csv', type: 'text/csv; charset=utf-8', lines: csvOf(opened.store, account, chosen(asked)) };
  },
});

function csvOf(store: Look['opened']['store'], account: string, choice: Chosen<OrderChoice>) {
  const head = ['number', 'status', 'customer', 'total', 'currency', 'modified', 'erp_id', 'erp_status', 'state'];
  const rows = everyRow((after, limit) => browseOrders(store, account, { ...choice, after }, limit), MOST_LINES);
  return csvLines(head, rows, ({ number, status, customer, total, currency, modified, erpId, erpStatus, state }) => {
    return [number, status, customer, total?.toFixed(), currency, modified, erpId, erpStatus, state];
  });
}

type Found = Awaited<ReturnType<typeof browseOrders>>;

function orders(look: Look, asked: Query, statuses: readonly string[], { rows, next, isPartly }: Found): Html {
  const { account } = look;
  const filter = { account, search: asked.search, status: asked.status, state: asked.state, sort: asked.sort };
  const any = [['', 'any'] as const];
  return html`<h1>Orders</h1>
<form class="filters" method="get" action="orders"><input type="hidden" name="account" value="${account}">
<label>Number, customer, SKU, ERP id <input type="search" name="search" value="${asked.search}" maxlength="200"></label>
${select('status', 'Status', [...any, ...statuses.map((one) => [one, one] as const)], asked.status)}
${select('state', 'Work', STATES, asked.state)}
${select('sort', 'Sorted by', SORTS, asked.sort)}
<button>Show</button></form>
${partlyNotice(isPartly)}
${rows.length === 0 ? html`<p class="lede">No order is like this.</p>` : table('Orders', columns(look), rows)}
<p class="pages">${nextLink('orders', filter, next)} <a href="${address('orders.csv', filter)}">As CSV</a></p>`;
}

function columns({ account }: Look) {
  return [
    { head: 'Order', cell: ({ number }: OrderRow) => entityLink({ account, flow: 'order-in', key: number }) },
    { head: 'Customer', cell: ({ customer }: OrderRow) => cut(customer) ?? html`<span class="none">–</span>` },
    { head: 'Status', cell: ({ status }: OrderRow) => status },
    { head: 'Total', isFigure: true as const, cell: ({ total, currency }: OrderRow) => money(total, currency) },
    {
      head: 'In the ERP',
      cell: ({ erpId, erpStatus }: OrderRow) =>
        erpId === null ? html`<span class="none">not there</span>` : html`${erpId} <small>${erpStatus}</small>`,
    },
    { head: 'Changed', cell: ({ modified }: OrderRow) => sentTime(modified) },
    { head: 'Work', cell: stateOf },
  ];
}
