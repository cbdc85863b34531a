import { z } from 'zod';
import { ORDER_SORTS, type OrderRow, PRODUCT_SORTS, type ProductRow } from '../../store/browse.ts';
import { browseOrders, browseProducts } from '../../use/browse.ts';
import { type Content, html } from './html.ts';
import { after, choiceOf, pagesOf, search, state, workOf } from './list.ts';
import { badge, briefTime, cut, entityLink, money, quantity, shortId } from './show.ts';

/* The orders of the marketplace and the products of the ERP. */

const NOTHING = html`<span class="none">–</span>`;

const orderQuery = z.object({
  search,
  status: z.string().max(300).default(''),
  state,
  sort: z.enum(ORDER_SORTS).catch('newest'),
  after,
});

export const ORDERS = pagesOf<typeof orderQuery, OrderRow>(orderQuery, {
  name: 'orders',
  title: 'Orders',
  searchedBy: 'Number, customer, SKU, ERP id',
  none: 'No order is like this.',
  filter: ['status', 'Status', ({ status }) => status],
  lists: ['orders', 'erp-orders'],
  entity: ['order', ({ number }) => number],
  options: async ({ store }, account) => (await store.orders.byStatus(account)).map(({ status }) => [status, status]),
  sorts: [
    ['newest', 'newest change'],
    ['oldest', 'oldest change'],
    ['number', 'number'],
    ['number-down', 'number, from the last'],
    ['customer', 'customer'],
    ['customer-down', 'customer, from Z'],
    ['status', 'status'],
    ['status-down', 'status, from Z'],
    ['total-down', 'total, largest first'],
    ['total', 'total, smallest first'],
    ['erp-status', 'status in the ERP'],
    ['erp-status-down', 'status in the ERP, from Z'],
  ],
  browse: ({ store }, account, asked, limit, from) =>
    browseOrders(store, account, { ...choiceOf(asked, from), status: asked.status || null, sort: asked.sort }, limit),
  columns: (account, known) => [
    {
      head: 'Order',
      width: 'id',
      line: 1,
      sorts: { up: 'number', down: 'number-down' },
      cell: (row) => orderName(account, row),
    },
    {
      head: 'Changed',
      width: 'short',
      line: 1,
      sorts: { up: 'oldest', down: 'newest', isDownFirst: true },
      cell: ({ modified }) => briefTime(modified),
    },
    {
      head: 'Customer',
      line: 2,
      sorts: { up: 'customer', down: 'customer-down' },
      isText: true,
      cell: ({ customer }) => cut(customer) ?? NOTHING,
    },
    {
      head: 'Total',
      isFigure: true,
      width: 'short',
      line: 2,
      sorts: { up: 'total', down: 'total-down', isDownFirst: true },
      cell: ({ total, currency }) => money(total, currency),
    },
    { head: 'Lines', isFigure: true, width: 'count', cell: ({ lines }) => lines },
    {
      head: 'Status',
      width: 'short',
      line: 2,
      sorts: { up: 'status', down: 'status-down' },
      cell: ({ status }) => status,
    },
    {
      head: 'In the ERP',
      width: 'short',
      sorts: { up: 'erp-status', down: 'erp-status-down' },
      cell: ({ erpId, erpStatus }) =>
        erpId === null ? html`<span class="none">${known.erp ? 'not there' : 'not read yet'}</span>` : erpStatus,
    },
    { head: 'Work', isText: true, width: 'text', line: 3, cell: workOf },
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
  sort: z.enum(PRODUCT_SORTS).catch('sku'),
  after,
});

export const PRODUCTS = pagesOf<typeof productQuery, ProductRow>(productQuery, {
  name: 'products',
  title: 'Products',
  searchedBy: 'SKU, name, ERP id, listing',
  none: 'No product is like this.',
  filter: ['linked', 'Linked', ({ linked }) => linked],
  lists: ['products', 'erp-products', 'erp-stock'],
  entity: ['product', ({ id }) => id],
  options: () => [
    ['yes', 'to a listing'],
    ['no', 'to nothing'],
  ],
  sorts: [
    ['sku', 'SKU'],
    ['sku-down', 'SKU, from Z'],
    ['name', 'name'],
    ['name-down', 'name, from Z'],
    ['price-down', 'price, highest first'],
    ['price', 'price, lowest first'],
  ],
  browse: ({ store }, account, asked, limit, from) =>
    browseProducts(store, account, { ...choiceOf(asked, from), linked: LINKED[asked.linked], sort: asked.sort }, limit),
  columns: (account, known) => [
    {
      head: 'SKU',
      width: 'wide',
      line: 1,
      sorts: { up: 'sku', down: 'sku-down' },
      cell: ({ sku, id }) => entityLink({ account, flow: 'stock', key: id }, sku === '' ? id : sku),
    },
    {
      head: 'Name',
      line: 1,
      isText: true,
      sorts: { up: 'name', down: 'name-down' },
      cell: ({ name, sold }) => html`${cut(name)}${sold ? null : html` ${badge('quiet', 'not sold')}`}`,
    },
    {
      head: 'Price',
      isFigure: true,
      width: 'short',
      line: 2,
      sorts: { up: 'price', down: 'price-down', isDownFirst: true },
      cell: ({ price, currency }) => money(price, currency),
    },
    {
      head: 'In the ERP',
      isFigure: true,
      width: 'short',
      line: 2,
      isNamed: true,
      cell: ({ erpAvailable }) => quantity(erpAvailable),
    },
    {
      head: 'Buyers can take',
      isFigure: true,
      width: 'figure',
      line: 2,
      isNamed: true,
      cell: ({ available }) => quantity(available),
    },
    {
      head: 'Listing',
      width: 'short',
      cell: ({ listing, archived }) =>
        listing === null
          ? html`<span class="none">${known.links ? 'none' : 'not known yet'}</span>`
          : html`${listing}${archived ? html` ${badge('quiet', 'archived')}` : null}`,
    },
    { head: 'Work', isText: true, width: 'text', line: 3, cell: workOf },
  ],
  heads: 'sku name erp_id sold price currency erp_available listing archived available state'.split(' '),
  cells: ({ sku, name, id, sold, price, currency, erpAvailable, listing, archived, available, state: work }) => {
    const figures = [erpAvailable?.toFixed(), listing, String(archived), available?.toFixed(), work];
    return [sku, name, id, String(sold), price.toFixed(), currency, ...figures];
  },
});
