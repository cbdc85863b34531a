import { text } from 'node:stream/consumers';
import { json, onLoopback } from '../contract/answering-server.ts';

/**
 * A back office with GraphQL only, of the common kind: relay connections, ids that are addresses, amounts as objects, variants
 * as the things that are sold, refusals as `userErrors` of a mutation, other errors as `errors` beside 200. The name of the
 * operation decides the answer; documents are not parsed.
 */
interface Made {
  readonly id: string;
  readonly tag: string;
  state: 'DRAFT' | 'OPEN' | 'FULFILLED' | 'CANCELED';
  items: readonly Item[];
  discount: string;
  freight: string;
  readonly note: string;
  readonly customer: string | null;
  updatedAt: string;
}

interface Item {
  readonly code: string;
  readonly count: string;
  readonly price: string;
}

interface Asked {
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const gid = (kind: string, id: number): string => `gid://office/${kind}/${id}`;
const money = (amount: string | number) => ({ amount: String(amount), currencyCode: 'USD' });

export async function startOffice(products: number) {
  const began = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const catalogue = Array.from({ length: products }, (_, index) => ({
    id: gid('Product', index + 1),
    title: `Thing ${index + 1}`,
    isPublished: true,
    updatedAt: began,
    variants: ['S', 'L'].map((size, at) => ({
      id: gid('Variant', index * 2 + at + 1),
      code: `T${index + 1}-${size}`,
      size,
      price: money(`${index + 1}.25`),
      onHand: 500,
    })),
  }));
  const variants = catalogue.flatMap((product) => product.variants);
  const orders: Made[] = [];
  const committed = (code: string): number =>
    orders
      .filter(({ state }) => state === 'OPEN')
      .flatMap(({ items }) => items)
      .filter((item) => item.code === code)
      .reduce((sum, { count }) => sum + Number(count), 0);

  function connection(nodes: readonly object[], { first, after }: Asked['variables']) {
    const from = typeof after === 'string' ? Number(Buffer.from(after, 'base64').toString()) : 0;
    const size = Math.min(50, Number(first ?? 50));
    const edges = nodes.slice(from, from + size).map((node) => ({ node }));
    const end = from + edges.length;
    const endCursor = edges.length === 0 ? null : Buffer.from(String(end)).toString('base64');
    return { edges, pageInfo: { hasNextPage: end < nodes.length, endCursor } };
  }
  const changedSince = <T extends { readonly updatedAt: string }>(rows: readonly T[], since: unknown): readonly T[] =>
    typeof since === 'string' ? rows.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since)) : rows;
  const stocked = () =>
    catalogue.map((one) => ({ ...one, variants: one.variants.map((v) => ({ ...v, committed: committed(v.code) })) }));
  const shown = ({ items, ...order }: Made) => {
    const worth = items.reduce((sum, { count, price }) => sum + Math.round(Number(count) * Number(price) * 100), 0);
    const total = Math.round(worth + (Number(order.freight) - Number(order.discount)) * 100) / 100;
    return {
      ...order,
      items: items.map(({ price, ...item }) => ({ ...item, price: money(price) })),
      total: money(total),
    };
  };

  function changed(id: unknown, change: (order: Made) => string | null) {
    const order = orders.find((one) => one.id === id);
    const message =
      order === undefined ? 'Order not found' : order.state === 'FULFILLED' ? 'Order is fulfilled' : change(order);
    if (message !== null) return { order: null, userErrors: [{ message }] };
    if (order !== undefined) order.updatedAt = new Date().toISOString();
    return { order: { id }, userErrors: [] };
  }
  const strange = (items: readonly Item[]): string | null => {
    const one = items.find(({ code }) => !variants.some((variant) => variant.code === code));
    return one === undefined ? null : `Unknown code ${one.code}`;
  };

  const OPERATIONS: Readonly<Record<string, (given: Asked['variables']) => unknown>> = {
    Shop: () => ({ shop: { name: 'Back office', apiVersion: '2030-01' } }),
    Products: (given) => ({ products: connection(changedSince(stocked(), given['since']), given) }),
    ProductsByCode: (given) => {
      const codes = given['codes'] as readonly string[];
      return {
        products: connection(
          stocked().filter((one) => one.variants.some(({ code }) => codes.includes(code))),
          given,
        ),
      };
    },
    Orders: (given) => {
      const rows = orders.map(shown).filter(({ tag }) => given['tag'] === undefined || tag === given['tag']);
      return { orders: connection(changedSince(rows, given['since']), given) };
    },
    Order: ({ id }) => ({ node: orders.map(shown).find((one) => one.id === id) ?? null }),
    OrderCreate: ({ input }) => {
      const { tag, items, note, customer, discount, freight } = input as Made;
      const message = strange(items);
      if (message !== null) return { orderCreate: { order: null, userErrors: [{ message }] } };
      const id = gid('Order', orders.length + 1);
      const updatedAt = new Date().toISOString();
      orders.push({ id, tag, items, discount, freight, note, customer: customer ?? null, state: 'DRAFT', updatedAt });
      return { orderCreate: { order: { id }, userErrors: [] } };
    },
    OrderItems: ({ id, items }) => ({
      change: changed(id, (order) => strange(items as readonly Item[]) ?? (Object.assign(order, { items }), null)),
    }),
    OrderCharges: ({ id, ...charges }) => ({ change: changed(id, (order) => (Object.assign(order, charges), null)) }),
    OrderConfirm: ({ id }) => ({ change: changed(id, (order) => (Object.assign(order, { state: 'OPEN' }), null)) }),
    OrderCancel: ({ id }) => ({ change: changed(id, (order) => (Object.assign(order, { state: 'CANCELED' }), null)) }),
  };

  const server = await onLoopback((request, response) => {
    void text(request).then((sent) => {
      const { operationName, variables } = JSON.parse(sent) as Asked;
      const known = new URL(request.url ?? '', 'http://office').searchParams.get('access_token') === 'a token & more';
      const operation = OPERATIONS[operationName];
      const answer = !known
        ? { errors: [{ message: 'Not signed in', extensions: { code: 'UNAUTHENTICATED' } }] }
        : operation === undefined
          ? { errors: [{ message: `Unknown operation ${operationName}` }] }
          : { data: operation(variables) };
      json(response, 200, answer);
    });
  });
  return {
    ...server,
    ship(id: string): void {
      const order = orders.find((one) => one.id === id);
      for (const { code, count } of order?.items ?? []) {
        const variant = variants.find((one) => one.code === code);
        if (variant !== undefined) variant.onHand -= Number(count);
      }
      Object.assign(order ?? {}, { state: 'FULFILLED', updatedAt: new Date().toISOString() });
    },
  };
}
