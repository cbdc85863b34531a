import { z } from 'zod';
import { shownSuggestion, suggestPairs } from '../../use/mapping/suggest.ts';
import { type Html, html } from './html.ts';
import { action, type Look, page } from './page.ts';
import { badge, quantity, table } from './show.ts';

const SHOWN = 50;
const SUGGESTED = 30;

/** What stands alone on either side, what it may belong to, and a form to link it. */
export const MAPPINGS = page({
  path: '/mappings',
  section: 'mappings',
  query: z.object({ suggest: z.literal('yes').optional() }),
  async show(look, { suggest }) {
    const { store } = look.opened;
    const [listings, products] = [
      await store.unlinked.listings(look.account, 0, SHOWN),
      await store.unlinked.products(look.account, '', SHOWN),
    ];
    // Looking for pairs takes a while in a large catalogue, so that it is asked for.
    const pairs =
      suggest === undefined ? null : (await suggestPairs(store, look.account)).slice(0, SUGGESTED).map(shownSuggestion);
    return { title: 'Links', body: mappings(look, listings, products, pairs) };
  },
});

type Store = Look['opened']['store'];
type Listings = Awaited<ReturnType<Store['unlinked']['listings']>>;
type Products = Awaited<ReturnType<Store['unlinked']['products']>>;
type Pairs = readonly ReturnType<typeof shownSuggestion>[] | null;

function mappings(look: Look, listings: Listings, products: Products, pairs: Pairs): Html {
  const { account } = look;
  return html`<h1>Links</h1><p class="lede">A listing and a product of the ERP that are the same are linked. What stands alone is here.</p>
${action(look, 'link', { account, kind: 'product' }, html`<label>Listing <input name="marketplaceId" required maxlength="200" inputmode="numeric"></label><label>ERP id <input name="erpId" required maxlength="200"></label><label><input type="checkbox" name="confirm" value="yes"> although something speaks against it</label><button>Link</button>`)}
<h2>Look alike</h2>
${
  pairs === null
    ? html`<form method="get" action="mappings"><input type="hidden" name="account" value="${account}"><button class="second" name="suggest" value="yes">Look for pairs</button></form>`
    : pairs.length === 0
      ? html`<p>Nothing looks alike.</p>`
      : pairTable(look, pairs)
}
<h2>Listings that are linked to nothing</h2>
${
  listings.length === 0
    ? html`<p>None.</p>`
    : table(
        'Listings that are linked to nothing',
        [
          { head: 'Listing', cell: ({ id }) => id },
          { head: 'SKU', cell: ({ sku }) => sku },
          {
            head: 'Name',
            cell: ({ name, isApart }) =>
              html`${name}${isApart ? html` ${badge('quiet', 'no product of the ERP')}` : null}`,
          },
          { head: 'Buyers can take', isFigure: true, cell: ({ figures }) => quantity(figures.available) },
        ],
        listings,
      )
}
<h2>Products without a listing</h2>
${
  products.length === 0
    ? html`<p>None.</p>`
    : table(
        'Products without a listing',
        [
          { head: 'ERP id', cell: ({ id }) => id },
          { head: 'SKU', cell: ({ sku }) => sku },
          { head: 'Name', cell: ({ name }) => name },
        ],
        products,
      )
}
${listings.length < SHOWN && products.length < SHOWN ? null : html`<p class="pages">The first ${SHOWN} of each: stockbridge map unlinked tells all.</p>`}`;
}

function pairTable(look: Look, pairs: NonNullable<Pairs>): Html {
  const { account } = look;
  return table(
    'Listings and products that look alike',
    [
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
          const ids = { account, kind: 'product', marketplaceId: String(listing.id), erpId: product.id };
          return html`${action(look, 'link', ids, html`<button>Link</button>`)} ${action(look, 'refuse', ids, html`<button class="second">Not the same</button>`)}`;
        },
      },
    ],
    pairs,
  );
}
