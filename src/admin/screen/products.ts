import { z } from 'zod';
import type { ProductChoice, ProductRow } from '../../store/browse.ts';
import { browseProducts, type Chosen, everyRow } from '../../use/browse.ts';
import { address, type Html, html } from './html.ts';
import { type Look, page } from './page.ts';
import { choiceOf, csvLines, nextLink, partlyNotice, STATES, stateOf, tableQuery } from './rows.ts';
import { badge, cut, entityLink, money, quantity, select, table } from './show.ts';

const SHOWN = 50;
const MOST_LINES = 100_000;
const LINKED = { '': null, yes: true, no: false } as const;

const query = tableQuery.extend({
  linked: z.enum(['', 'yes', 'no']).catch(''),
  sort: z.enum(['sku', 'name']).catch('sku'),
});
type Query = z.output<typeof query>;

function chosen(asked: Query): Chosen<ProductChoice> {
  return { ...choiceOf(asked), linked: LINKED[asked.linked], sort: asked.sort };
}

/** The products of the ERP, with their listings beside them. */
export const PRODUCTS = page({
  path: '/products',
  section: 'products',
  query,
  async show(look, asked) {
    const found = await browseProducts(look.opened.store, look.account, chosen(asked), SHOWN);
    return { title: 'Products', body: products(look, asked, found) };
  },
});

export const PRODUCTS_CSV = page({
  path: '/products.csv',
  section: 'products',
  query,
  async show({ opened, account }, asked) {
    const lines = csvOf(opened.store, account, chosen(asked));
    return { name: 'products.csv', type: 'text/csv; charset=utf-8', lines };
  },
});

function csvOf(store: Look['opened']['store'], account: string, choice: Chosen<ProductChoice>) {
  const head = [
    'sku',
    'name',
    'erp_id',
    'sold',
    'price',
    'currency',
    'erp_available',
    'listing',
    'archived',
    'available',
    'state',
  ];
  const rows = everyRow((after, limit) => browseProducts(store, account, { ...choice, after }, limit), MOST_LINES);
  return csvLines(head, rows, (row) => {
    const { sku, name, id, sold, price, currency, erpAvailable, listing, archived, available, state } = row;
    const figures = [erpAvailable?.toFixed(), listing, String(archived), available?.toFixed(), state];
    return [sku, name, id, String(sold), price.toFixed(), currency, ...figures];
  });
}

type Found = Awaited<ReturnType<typeof browseProducts>>;

function products({ account }: Look, asked: Query, { rows, next, isPartly }: Found): Html {
  const filter = { account, search: asked.search, linked: asked.linked, state: asked.state, sort: asked.sort };
  return html`<h1>Products</h1>
<form class="filters" method="get" action="products"><input type="hidden" name="account" value="${account}">
<label>SKU, name, ERP id, listing <input type="search" name="search" value="${asked.search}" maxlength="200"></label>
${select(
  'linked',
  'Linked',
  [
    ['', 'any'],
    ['yes', 'to a listing'],
    ['no', 'to nothing'],
  ],
  asked.linked,
)}
${select('state', 'Work', STATES, asked.state)}
${select(
  'sort',
  'Sorted by',
  [
    ['sku', 'SKU'],
    ['name', 'name'],
  ],
  asked.sort,
)}
<button>Show</button></form>
${partlyNotice(isPartly)}
${rows.length === 0 ? html`<p class="lede">No product is like this.</p>` : table('Products', columns(account), rows)}
<p class="pages">${nextLink('products', filter, next)} <a href="${address('products.csv', filter)}">As CSV</a></p>`;
}

function columns(account: string) {
  return [
    {
      head: 'SKU',
      cell: ({ sku, id }: ProductRow) => entityLink({ account, flow: 'stock', key: id }, sku === '' ? id : sku),
    },
    {
      head: 'Name',
      cell: ({ name, sold }: ProductRow) => html`${cut(name)}${sold ? null : html` ${badge('quiet', 'not sold')}`}`,
    },
    { head: 'Price', isFigure: true as const, cell: ({ price, currency }: ProductRow) => money(price, currency) },
    { head: 'In the ERP', isFigure: true as const, cell: ({ erpAvailable }: ProductRow) => quantity(erpAvailable) },
    { head: 'Buyers can take', isFigure: true as const, cell: ({ available }: ProductRow) => quantity(available) },
    {
      head: 'Listing',
      cell: ({ listing, archived }: ProductRow) =>
        listing === null
          ? html`<span class="none">none</span>`
          : html`${listing}${archived ? html` ${badge('quiet', 'archived')}` : null}`,
    },
    { head: 'Work', cell: stateOf },
  ];
}
