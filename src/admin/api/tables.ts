import { z } from 'zod';
import { shownCause as shown } from '../../domain/causes/cause.ts';
import { ORDER_SORTS, type OrderRow, PRODUCT_SORTS, type ProductRow } from '../../store/browse.ts';
import { ARCHIVED_CHOICES, decideArchived } from '../../use/archived.ts';
import { browseOrders, browseProducts, keyText, parseKey, type TablePage } from '../../use/browse.ts';
import { shownCause } from '../../use/shapes.ts';
import { account, afterAs, limit, named, page, route } from './route.ts';

const after = afterAs(parseKey);

const query = z.strictObject({
  search: z.string().trim().max(200).default('').meta({ description: 'The beginning of any name or id of it' }),
  state: z.enum(['pending', 'held', 'failed']).optional().meta({ description: 'How far its work is' }),
  after: after.optional(),
  limit,
});

const work = {
  state: z.string().nullable().meta({ description: 'null: nothing is left to do' }),
  held_for: z.array(shownCause),
};

const amount = z.string().nullable().meta({ description: 'A decimal; null: not known' });

const order = named('Order', {
  number: z.string(),
  status: z.string(),
  modified: z.string().meta({ description: 'As the marketplace sent it' }),
  customer: z.string().nullable(),
  total: amount,
  currency: z.string().nullable(),
  erp_id: z.string().nullable(),
  erp_status: z.string().nullable(),
  ...work,
});

const product = named('Product', {
  id: z.string(),
  sku: z.string(),
  name: z.string(),
  sold: z.boolean().meta({ description: 'The ERP sells it' }),
  price: z.string(),
  currency: z.string(),
  erp_available: amount,
  listing: z.string().nullable(),
  archived: z.boolean(),
  available: amount,
  ...work,
});

export const TABLE_ROUTES = [
  route({
    id: 'listOrders',
    method: 'GET',
    path: '/accounts/{account}/orders',
    summary: "The marketplace's orders, with the ERP's beside them",
    parameters: account,
    query: query.extend({
      status: z.string().max(300).optional(),
      sort: z.enum(ORDER_SORTS).default('newest'),
    }),
    answer: page(order),
    async run({ store }, { path, query: { status = null, sort, limit: asked, ...choice } }) {
      return pageOf(await browseOrders(store, path.account, { ...chosen(choice), status, sort }, asked), shownOrder);
    },
  }),
  route({
    id: 'listProducts',
    method: 'GET',
    path: '/accounts/{account}/products',
    summary: "The ERP's products, with their listings",
    parameters: account,
    query: query.extend({
      linked: z.stringbool().optional(),
      sort: z.enum(PRODUCT_SORTS).default('sku'),
    }),
    answer: page(product),
    async run({ store }, { path, query: { linked = null, sort, limit: asked, ...choice } }) {
      return pageOf(
        await browseProducts(store, path.account, { ...chosen(choice), linked, sort }, asked),
        shownProduct,
      );
    },
  }),
  route({
    id: 'decideArchived',
    method: 'PUT',
    path: '/accounts/{account}/listings/{listing}/archived',
    summary: 'Decides about a listing that somebody archived on the marketplace',
    parameters: account.extend({ listing: z.coerce.number().int().min(1) }),
    body: z.strictObject({
      decision: z.enum(ARCHIVED_CHOICES).meta({
        description: 'asked-back: it is restored. left: it stays archived. open: an earlier decision is undone',
      }),
    }),
    answer: z.object({ listing: z.int(), decision: z.enum(ARCHIVED_CHOICES) }),
    async run(opened, { path: { account: of, listing }, body: { decision } }) {
      await decideArchived(opened, of, listing, decision);
      return { listing, decision };
    },
  }),
];

function chosen({ search, state, after: key }: Omit<z.output<typeof query>, 'limit'>) {
  return { search, states: state === undefined ? [] : [state], after: key ?? null };
}

function pageOf<Row, Item>({ rows, next }: TablePage<Row>, show: (row: Row) => Item) {
  return { items: rows.map(show), next: next && keyText(next) };
}

function shownOrder({ erpId, erpStatus, total, heldFor, ...row }: OrderRow) {
  const held = heldFor.map(shown);
  return { ...row, total: total?.toFixed() ?? null, erp_id: erpId, erp_status: erpStatus, held_for: held };
}

function shownProduct({ erpAvailable, available, price, heldFor, ...row }: ProductRow) {
  return {
    ...row,
    price: price.toFixed(),
    erp_available: erpAvailable?.toFixed() ?? null,
    available: available?.toFixed() ?? null,
    held_for: heldFor.map(shown),
  };
}
