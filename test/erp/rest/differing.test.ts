import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ZERO } from '../../../src/domain/decimal.ts';
import type { ErpOrderDraft } from '../../../src/erp/connector.ts';
import type { Wire } from '../../../src/erp/wire.ts';
import { exact } from '../../support/units.ts';
import { answering, json } from '../contract/answering-server.ts';
import { restErp } from './opened.ts';

const draft: ErpOrderDraft = {
  reference: 'R-1',
  status: 'reserved',
  customer: { name: 'Shop' },
  currency: 'USD',
  lines: [{ sku: 'A', quantity: exact('2.5000'), unitPrice: exact('12.10') }],
  discount: ZERO,
  shipping: ZERO,
  tax: ZERO,
  total: exact('30.25'),
  note: '',
};

/** JSON-RPC with a session: errors come as 200, a call that does not fit the state answers null. */
const RPC = `
auth:
  scheme: session
  user: bridge
  password: open-sesame
  login: { method: POST, path: /login, body: { user: '{{ $user }}', password: '{{ $password }}' } }
  token: result.session
  header: X-Session
  prefix: ''
  expired: { status: [], body: error.code = 100 }
lists:
  orders:
    request: { method: POST, path: /rpc, body: { method: order.search, params: ['{{ $offset }}', '{{ $size }}'] } }
    items: result
    paging: { by: offset, size: 50 }
    with:
      lines:
        request: { method: POST, path: /rpc, body: { method: line.read, params: ['{{ $rows.lines }}'] } }
        items: result
        of: id
        is: lines
    row: &order
      id: $string(id)
      reference: origin
      origin: '"marketplace"'
      status: '$lookup({"draft": "draft", "confirmed": "reserved", "cancel": "cancelled"}, state)'
      currency: '"USD"'
      lines: '$lines.{"sku": code, "quantity": qty, "unit_price": price}'
      discount: '"0"'
      shipping: '"0"'
      tax: '"0"'
      total: '$total($lines.$times(qty, price))'
      changed_at: $instant(written, "Europe/Berlin")
finds:
  orders-by-reference:
    request: { method: POST, path: /rpc, body: { method: order.search, params: ['{{ $offset }}', '{{ $size }}', '{{ $reference }}'] } }
  order-by-id:
    request: { method: POST, path: /rpc, body: { method: order.read, params: ['{{ $id }}'] } }
    items: result
writes:
  order-create:
    steps:
      - name: create
        request:
          method: POST
          path: /rpc
          body:
            method: order.create
            params:
              - origin: '{{ $draft.reference }}'
                lines: '{{ [$draft.lines.{"code": sku, "qty": $exact(quantity), "price": $exact(unit_price)}] }}'
        keep: { id: result }
      - name: confirm
        when: $draft.status = "reserved"
        done: $row.state = "confirmed"
        request: { method: POST, path: /rpc, body: { method: order.confirm, params: ['{{ $kept.id }}'] } }
  order-update:
    steps:
      - name: confirm
        when: $change.status = "reserved"
        done: $order.status = "reserved"
        request: { method: POST, path: /rpc, body: { method: order.confirm, params: ['{{ $id }}'] } }
      - name: cancel
        when: $change.status = "cancelled"
        done: $order.status = "cancelled"
        request: { method: POST, path: /rpc, body: { method: order.cancel, params: ['{{ $id }}'] } }
errors:
  - when: { status: 200, body: error.code = 404 }
    kind: not-found
    applied: no
    message: error.message
  - when: { status: 200, body: $exists(error) }
    kind: refused
    applied: unknown
    message: error.message
`;

interface Order {
  readonly id: number;
  readonly origin: string;
  readonly lines: readonly number[];
  state: string;
}

function rpcErp() {
  const state = {
    logins: 0,
    session: '',
    orders: [] as Order[],
    lines: [] as string[],
    calls: [] as string[],
    blocked: false,
  };
  const call = (method: string, params: readonly unknown[], body: string): unknown => {
    const order = state.orders.find(({ id }) => String(id) === String(params[0]));
    const shown = (one: Order) => ({ ...one, written: '2029-07-01 08:30:00' });
    switch (method) {
      case 'order.search': {
        const found = state.orders.filter(({ origin }) => params[2] === undefined || origin === params[2]);
        return found.slice(Number(params[0])).slice(0, Number(params[1])).map(shown);
      }
      case 'order.read':
        return order === undefined ? null : shown(order);
      case 'order.create': {
        const written = /"lines":(\[.*\])\}/.exec(body)?.[1] ?? '[]';
        const from = state.lines.length;
        for (const [line] of written.matchAll(/\{[^}]*\}/g)) state.lines.push(line);
        const lines = state.lines.slice(from).map((_, index) => from + index + 1);
        const { origin } = params[0] as { origin: string };
        state.orders.push({ id: state.orders.length + 1, origin, lines, state: 'draft' });
        return state.orders.length;
      }
      case 'order.confirm':
        if (order?.state === 'draft' && !state.blocked) order.state = 'confirmed';
        return null;
      case 'order.cancel':
        if (order !== undefined && order.state !== 'shipped') order.state = 'cancel';
        return null;
      default:
        return undefined;
    }
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const { method = '', params = [] } = JSON.parse(body) as { method?: string; params?: unknown[] };
    if (request.url === '/login') {
      state.logins += 1;
      state.session = `session-${state.logins}`;
      return json(response, 200, { result: { session: state.session } });
    }
    if (request.headers['x-session'] !== state.session)
      return json(response, 200, { error: { code: 100, message: 'log in' } });
    state.calls.push(method);
    if (method === 'line.read') {
      const ids = params[0] as number[] | number;
      const rows = [ids].flat().map((id) => state.lines[id - 1]?.replace('{', `{"id":${id},`));
      return void response.writeHead(200).end(`{"result":[${rows.join(',')}]}`);
    }
    json(response, 200, { result: call(method, params, body) ?? null });
  };
  return { state, answer: (request: IncomingMessage, response: ServerResponse) => void answer(request, response) };
}

describe('an ERP that speaks JSON-RPC, with a session and errors as 200', () => {
  const secrets = { password: 'open-sesame' };

  it('an ERP with JSON-RPC takes an order in two steps with every digit, and returns it with its lines', async () => {
    const { state, answer } = rpcErp();
    await using server = await answering(answer);
    await using erp = restErp(server.url, RPC, secrets);
    const made = await erp.createOrder(draft);
    expect(made).toMatchObject({ id: '1', reference: 'R-1', status: 'reserved', changedAt: '2029-07-01T06:30:00Z' });
    expect(made.lines.map(({ sku, quantity, unitPrice }) => [sku, quantity.toFixed(), unitPrice.toFixed()])).toEqual([
      ['A', '2.5', '12.1'],
    ]);
    expect(state.lines).toEqual(['{"code":"A","qty":2.5,"price":12.1}']);
    expect(made.total.toFixed()).toBe('30.25');
    expect((await erp.findOrders('R-1')).map(({ id }) => id)).toEqual(['1']);
    expect(await erp.getOrder('7')).toBeNull();
    expect(state.logins).toBe(1);
  });

  it('an ERP with JSON-RPC sessions is logged in again once for a read, and repeats no write', async () => {
    const { state, answer } = rpcErp();
    await using server = await answering(answer);
    await using erp = restErp(server.url, RPC, secrets);
    await erp.createOrder(draft);
    state.session = 'over';
    expect(await erp.findOrders('R-1')).toHaveLength(1);
    expect(state.logins).toBe(2);
    state.session = 'over again';
    await expect(erp.createOrder(draft)).rejects.toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
    expect(state.calls.filter((method) => method === 'order.create')).toHaveLength(1);
  });

  it.each(['not-applied', 'answer-lost'] as const)(
    'a create in an ERP with JSON-RPC that breaks in the middle is in doubt, is found, and goes on: %s',
    async (cut) => {
      for (const at of [1, 2]) {
        const { state, answer } = rpcErp();
        let writes = 0;
        const wire: Wire = { cut: () => (++writes === at ? cut : null) };
        await using server = await answering(answer);
        await using erp = restErp(server.url, RPC, secrets, { wire });
        await expect(erp.createOrder(draft)).rejects.toMatchObject({ outcome: 'unknown' });
        const [found] = await erp.findOrders('R-1');
        const isThere = !(at === 1 && cut === 'not-applied');
        expect(found?.id).toBe(isThere ? '1' : undefined);
        if (found !== undefined)
          expect((await erp.updateOrder(found.id, { status: 'reserved' })).status).toBe('reserved');
        expect(state.orders).toHaveLength(isThere ? 1 : 0);
        expect(state.calls.filter((method) => method === 'order.create').length).toBeLessThanOrEqual(1);
      }
    },
  );

  it('an ERP that answers a write as done, and has not done it, has refused it', async () => {
    const { state, answer } = rpcErp();
    await using server = await answering(answer);
    await using erp = restErp(server.url, RPC, secrets);
    await erp.createOrder({ ...draft, status: 'draft' });
    state.blocked = true;
    await expect(erp.updateOrder('1', { status: 'reserved' })).rejects.toMatchObject({
      kind: 'refused',
      outcome: 'not-applied',
    });
    state.blocked = false;
    expect((await erp.updateOrder('1', { status: 'cancelled' })).status).toBe('cancelled');
    expect((await erp.updateOrder('1', { status: 'cancelled' })).status).toBe('cancelled');
    expect(state.calls.filter((method) => method === 'order.cancel')).toHaveLength(1);
  });
});

it('an ERP with GraphQL lists its stock page by page, with a cursor in the body', async () => {
  const asked: unknown[] = [];
  await using server = await answering((request, response) => {
    void text(request).then((body) => {
      const { variables } = JSON.parse(body) as { variables: { after?: string } };
      asked.push(variables);
      const second = variables.after === 'c1';
      const edges = [
        { node: { sku: second ? 'B' : 'A', product: { id: second ? 2 : 1 }, available: 3, committed: 1 } },
      ];
      json(response, 200, { data: { stock: { edges, pageInfo: { hasNextPage: !second, endCursor: 'c1' } } } });
    });
  });
  await using erp = restErp(
    server.url,
    `
lists:
  stock:
    request:
      method: POST
      path: /graphql
      body:
        query: 'query($after: String) { stock(after: $after) { edges { node { sku } } pageInfo { hasNextPage endCursor } } }'
        variables: { after: '{{ $cursor }}' }
    items: data.stock.edges
    paging: { by: cursor, next: 'data.stock.pageInfo.hasNextPage ? data.stock.pageInfo.endCursor' }
    row:
      sku: node.sku
      product_id: node.product.id
      on_hand: $plus(node.available, node.committed)
      reserved: node.committed
      available: node.available
      as_of: $as_of
`,
  );
  const pages = await Array.fromAsync(erp.listStock(null));
  expect(pages.flatMap((page) => page.items.map(({ sku, onHand }) => [sku, onHand.toFixed()]))).toEqual([
    ['A', '4'],
    ['B', '4'],
  ]);
  expect(pages.map((page) => page.complete)).toEqual([false, true]);
  expect(asked).toEqual([{}, { after: 'c1' }]);
});

it('rows from before the overlap are left out where a witness states the time of the filter', async () => {
  const rows = [1, 2, 3].map((id) => ({ id, name: `P${id}`, modified: `2029-01-0${id} 00:00:00` }));
  await using server = await answering((_request, response) => json(response, 200, rows));
  await using erp = restErp(
    server.url,
    `
lists:
  products:
    request: { path: /products, query: { since: '{{ $since }}' } }
    since: { format: local, zone: Europe/Berlin, overlap: 1h, witness: '$instant(modified, "Europe/Berlin")' }
    row:
      id: $string(id)
      sku: name
      active: true
      deleted: false
      price: { amount: '"1"', currency: '"USD"' }
      unit_multiplier: 1
      changed_at: $instant(modified, "Europe/Berlin")
`,
  );
  const [page] = await Array.fromAsync(erp.listProducts('2029-01-01T23:30:00Z'));
  expect(page?.items.map(({ id }) => id)).toEqual(['2', '3']);
  expect(server.asked).toEqual(['/products?since=2029-01-01T23%3A30%3A00']);
});

it('a login page with status 200 is no list, and a call waits for its turn', async () => {
  await using server = await answering((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
  );
  await using erp = restErp(
    server.url,
    `
limits: { per_second: 2, concurrent: 1 }
lists: { products: { request: { path: /products } } }
errors: [ { when: { html: true }, kind: credentials, applied: no } ]
`,
  );
  const began = performance.now();
  const failing = [1, 2, 3].map(() => Array.fromAsync(erp.listProducts(null)).catch((error: unknown) => error));
  for (const failure of await Promise.all(failing)) expect(failure).toMatchObject({ kind: 'credentials' });
  expect(performance.now() - began).toBeGreaterThan(900);
});
