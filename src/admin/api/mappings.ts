import { z } from 'zod';
import { UsageError } from '../../use/faults.ts';
import { KINDS } from '../../use/mapping/ids.ts';
import { linkEntities } from '../../use/mapping/link.ts';
import { shownMapping } from '../../use/mapping/list.ts';
import { refusePairs, shownSuggestion, suggestPairs } from '../../use/mapping/suggest.ts';
import { unlinkEntities } from '../../use/mapping/unlink.ts';
import { shownListing } from '../../use/mapping/unlinked.ts';
import { account, after, afterNumber, instant, limit, named, page, pageOf, route, whole } from './route.ts';

const kind = z.enum(KINDS);
const id = z.string().min(1).max(200);

const mapping = named('Mapping', {
  account: z.string(),
  kind,
  marketplace_id: z.string().nullable(),
  erp_id: z.string().nullable(),
  sku: z.string().nullable(),
  state: z.enum(['create-pending', 'linked']),
  how: z.string(),
  created_at: instant,
});

const listing = named('UnlinkedListing', {
  id: z.int(),
  sku: z.string().nullable(),
  name: z.string().nullable(),
  available: z.string().nullable(),
  refused: z.boolean().meta({ description: 'A person marked it as no product of the ERP' }),
});

const product = named('UnlinkedProduct', { id: z.string(), sku: z.string(), name: z.string() });

const suggestion = named('Suggestion', {
  account: z.string(),
  listing: z.object({ id: z.int(), sku: z.string().nullable(), name: z.string().nullish() }),
  product,
  by: z.array(z.string()).meta({ description: 'The signs that make them look alike' }),
  only: z.boolean().meta({ description: 'Neither looks as much like another one' }),
});

export const MAPPING_ROUTES = [
  route({
    id: 'listMappings',
    method: 'GET',
    path: '/accounts/{account}/mappings/{kind}',
    summary: 'The links, oldest first',
    parameters: account.extend({ kind }),
    query: z.strictObject({ after: afterNumber, limit }),
    answer: page(mapping),
    async run({ store }, { path, query }) {
      const rows = await store.mappings.list(path.account, path.kind, query.after ?? 0, query.limit);
      return pageOf(rows, query.limit, (row) => row.id, shownMapping);
    },
  }),
  route({
    id: 'link',
    method: 'POST',
    path: '/accounts/{account}/mappings/{kind}',
    summary: 'Links two entities that both sides know, as they are read now',
    parameters: account.extend({ kind }),
    body: z.strictObject({
      marketplace_id: id,
      erp_id: id.optional(),
      sku: id.optional().meta({ description: 'The SKU of a product, instead of its ERP id' }),
      replace: z.boolean().default(false).meta({ description: 'Replaces existing links of the two' }),
      confirm: z.boolean().default(false).meta({ description: 'Links despite a warning' }),
    }),
    answer: z.object({
      marketplace_id: z.string(),
      erp_id: z.string(),
      outcome: z.enum(['linked', 'unchanged']),
      left: z.array(z.string()).meta({ description: 'Other ERP orders with the same number, which stay as they are' }),
      left_behind: z.array(z.object({ listing: z.int().optional(), product: z.string().optional() })),
    }),
    async run(opened, { path, body, signal }) {
      const { marketplace_id: marketplaceId, erp_id: erpId, sku, replace, confirm } = body;
      const isMeant = async (against: readonly string[]) => {
        if (confirm) return true;
        throw new UsageError(`${against.join('. ')}. Nothing was linked. To link them anyway, send confirm: true`);
      };
      const linking = { ...path, marketplaceId, erpId, sku, replace };
      const done = await linkEntities(opened, linking, isMeant, signal);
      if (done === null) throw new UsageError('Nothing was linked');
      const left_behind = done.replaced.map((one) => ('listing' in one ? { listing: one.listing.id } : one));
      const { outcome, left } = done;
      return { marketplace_id: marketplaceId, erp_id: done.erpId, outcome, left, left_behind };
    },
  }),
  route({
    id: 'unlink',
    method: 'DELETE',
    path: '/accounts/{account}/mappings/{kind}',
    summary: 'Removes a link, named by one of its two ids. Both entities are then processed again',
    parameters: account.extend({ kind }),
    query: z
      .strictObject({ marketplace_id: id.optional(), erp_id: id.optional() })
      .refine((ids) => (ids.marketplace_id === undefined) !== (ids.erp_id === undefined), {
        message: 'name the link by marketplace_id or by erp_id, one of the two',
      }),
    answer: z.object({
      marketplace_id: z.string().nullable(),
      erp_id: z.string().nullable(),
      found_again_by: z.enum(['external id', 'SKU']).nullable(),
    }),
    async run(opened, { path, query }) {
      const ids = { ...path, erpId: query.erp_id, marketplaceId: query.marketplace_id };
      const { mapping: gone, foundAgainBy } = await unlinkEntities(opened, ids);
      return { marketplace_id: gone.marketplaceId, erp_id: gone.erpId, found_again_by: foundAgainBy };
    },
  }),
  route({
    id: 'listUnlinkedListings',
    method: 'GET',
    path: '/accounts/{account}/unlinked/listings',
    summary: 'Listings on sale that are not linked',
    parameters: account,
    query: z.strictObject({ after: afterNumber, limit }),
    answer: page(listing),
    async run({ store }, { path, query }) {
      const rows = await store.unlinked.listings(path.account, query.after ?? 0, query.limit);
      return pageOf(rows, query.limit, (row) => row.id, shownListing);
    },
  }),
  route({
    id: 'listUnlinkedProducts',
    method: 'GET',
    path: '/accounts/{account}/unlinked/products',
    summary: 'Products that the ERP sells and that have no listing',
    parameters: account,
    query: z.strictObject({ after: after.optional(), limit }),
    answer: page(product),
    async run({ store }, { path, query }) {
      const rows = await store.unlinked.products(path.account, query.after ?? '', query.limit);
      return pageOf(
        rows,
        query.limit,
        (row) => row.id,
        (row) => ({ id: row.id, sku: row.sku, name: row.name }),
      );
    },
  }),
  route({
    id: 'listSuggestions',
    method: 'GET',
    path: '/accounts/{account}/suggestions',
    summary: 'Similar listings and products that are not linked, the clear pairs first',
    parameters: account,
    answer: page(suggestion),
    run: async ({ store }, { path }) => whole((await suggestPairs(store, path.account)).map(shownSuggestion)),
  }),
  route({
    id: 'refuseSuggestion',
    method: 'POST',
    path: '/accounts/{account}/suggestions/refuse',
    summary: 'Marks a listing as not this product, or as no product of the ERP at all',
    parameters: account,
    body: z.strictObject({ listing: z.int().min(1), erp_id: id.nullable() }),
    answer: z.object({ listing: z.int(), erp_id: z.string().nullable() }),
    async run(opened, { path, body }) {
      await refusePairs(opened, path.account, [{ listingId: body.listing, erpId: body.erp_id }]);
      return body;
    },
  }),
];
