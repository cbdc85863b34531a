import { z } from 'zod';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { UnlinkedListing } from '../../store/unlinked.ts';
import { listsKnown } from '../../use/lists-known.ts';
import { shownSuggestion, suggestPairs } from '../../use/mapping/suggest.ts';
import { address, type Html, html } from './html.ts';
import { action, type PageContext, page } from './page.ts';
import { type Column, table } from './rows.ts';
import { badge, entityLink, quantity } from './show.ts';

const SHOWN = 50;
const SUGGESTED = 30;

const query = z.object({
  suggest: z.literal('yes').optional(),
  /** The last listing of the page before. */
  listing: z.coerce.number().int().min(0).catch(0),
  product: z.string().max(300).default(''),
});

/** The listings and products without a link, the pairs that look alike, and forms to link them. */
export const MAPPINGS = page({
  path: '/mappings',
  section: 'mappings',
  query,
  async show(context, asked) {
    const { store } = context.opened;
    const { suggest, listing, product } = asked;
    const listings = await store.unlinked.listings(context.account, listing, SHOWN);
    const products = await store.unlinked.products(context.account, product, SHOWN);
    // Looking for pairs takes a while in a large catalogue. It is done only when somebody asks.
    const pairs =
      suggest === undefined
        ? null
        : (await suggestPairs(store, context.account)).slice(0, SUGGESTED).map(shownSuggestion);
    const { links } = await listsKnown({ account: context.account, store }, 'product');
    return { title: 'Links', body: mappings(context, asked, { listings, products, pairs, areKnown: links }) };
  },
});

type Pairs = readonly ReturnType<typeof shownSuggestion>[];

interface Alone {
  readonly listings: readonly UnlinkedListing[];
  readonly products: readonly StoredErpProduct[];
  /** null: nobody has asked for them. */
  readonly pairs: Pairs | null;
  /** Both sides were compared, so what has no link belongs to nothing. */
  readonly areKnown: boolean;
}

function mappings(
  context: PageContext,
  asked: z.output<typeof query>,
  { listings, products, pairs, areKnown }: Alone,
): Html {
  const { account } = context;
  const at = { account, listing: asked.listing === 0 ? '' : String(asked.listing), product: asked.product };
  const [lastListing, lastProduct] = [listings.at(SHOWN - 1), products.at(SHOWN - 1)];
  const next = (to: Partial<typeof at>) =>
    html`<p class="pages"><a class="button second" rel="next" href="${address('mappings', { ...at, ...to })}">Next page</a></p>`;
  return html`<h1>Links</h1><p class="lede">A listing and a product of the ERP that are the same are linked. Everything without a link is here; its page has a search for the other half.</p>${areKnown ? null : UNCOMPARED}
<h2>Look alike</h2>
${
  pairs === null
    ? html`<form method="get" action="mappings"><input type="hidden" name="account" value="${account}"><button class="second" name="suggest" value="yes">Look for pairs</button></form>`
    : pairTable(context, pairs)
}
<h2>Listings that are linked to nothing</h2>
${table(
  'Listings that are linked to nothing',
  [
    {
      head: 'Listing',
      width: 'short',
      line: 1,
      cell: ({ id }) => entityLink({ account, flow: 'product', key: String(id) }),
    },
    { head: 'SKU', width: 'wide', line: 1, cell: ({ sku }) => sku },
    {
      head: 'Name',
      isText: true,
      line: 2,
      cell: ({ name, isApart }) => html`${name}${isApart ? html` ${badge('quiet', 'no product of the ERP')}` : null}`,
    },
    {
      head: 'Buyers can take',
      isFigure: true,
      width: 'figure',
      line: 3,
      isNamed: true,
      cell: ({ figures }) => quantity(figures.available),
    },
    { head: 'Do', width: 'wide', line: 3, cell: ({ id }) => toLink(context, String(id), 'Find its product') },
  ],
  listings,
  NONE,
)}${lastListing && next({ listing: String(lastListing.id) })}
<h2>Products without a listing</h2>
${table(
  'Products without a listing',
  [
    { head: 'ERP id', width: 'wide', line: 1, cell: ({ id }) => entityLink({ account, flow: 'product', key: id }) },
    { head: 'SKU', width: 'wide', line: 1, cell: ({ sku }) => sku },
    { head: 'Name', isText: true, line: 2, cell: ({ name }) => name },
    { head: 'Do', width: 'wide', line: 3, cell: ({ id }) => toLink(context, id, 'Find its listing') },
  ],
  products,
  NONE,
)}${lastProduct && next({ product: lastProduct.id })}`;
}

function toLink({ account }: PageContext, key: string, text: string): Html {
  return html`<a class="button second" href="${address('entity', { account, key, kind: 'product' })}#link-${key}">${text}</a>`;
}

const NONE = html`<p>None.</p>`;

const UNCOMPARED = html`<p class="notice">Both sides have not been read to the end and compared yet. Most of what is here may still be linked automatically.</p>`;

/** The form of the boxes beside the pairs. */
const CHOSEN = 'chosen-pairs';

function pairTable(context: PageContext, pairs: Pairs): Html {
  const { account } = context;
  const buttons = html`<div class="chosen"><button>Link the chosen…</button><button class="second" formaction="act/refuse-pairs">The chosen are not the same</button></div>`;
  const form = pairs.length > 1 ? action(context, 'link-pairs', { account }, buttons, CHOSEN) : null;
  const choose: Column<Pairs[number]> = {
    head: 'Choose',
    cell: ({ listing, product }) =>
      html`<input type="checkbox" form="${CHOSEN}" name="pair" value="${listing.id}=${product.id}" aria-label="Choose listing ${listing.id} and product ${product.id}">`,
  };
  const shown = table(
    'Listings and products that look alike',
    [
      ...(form === null ? [] : [choose]),
      { head: 'Listing', cell: ({ listing }) => html`${listing.id} <small>${listing.sku} ${listing.name}</small>` },
      { head: 'Product', cell: ({ product }) => html`${product.id} <small>${product.sku} ${product.name}</small>` },
      {
        head: 'Alike by',
        cell: ({ by, only }) =>
          html`${by.join(', ')} ${only ? badge('good', 'a clear pair') : badge('wait', 'one of several')}`,
      },
      {
        head: 'Do',
        cell: ({ listing, product }) => {
          const ids = { account, marketplaceId: String(listing.id), erpId: product.id };
          return html`${action(context, 'link', ids, html`<button>Link</button>`)} ${action(context, 'refuse', ids, html`<button class="second">Not the same</button>`)}`;
        },
      },
    ],
    pairs,
    html`<p>Nothing looks alike.</p>`,
  );
  return html`${shown}${form}`;
}
