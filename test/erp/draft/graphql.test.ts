import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../cli/capture.ts';
import { draft, ENV, folder, sectionIn, settled } from './drafted.ts';

const scalar = (name: string) => ({ kind: 'NON_NULL', ofType: { kind: 'SCALAR', name } });
const object = (name: string) => ({ kind: 'OBJECT', name });
const list = (name: string) => ({ kind: 'NON_NULL', ofType: { kind: 'LIST', ofType: object(name) } });
const type = (name: string, fields: Readonly<Record<string, object>>) => ({
  kind: 'OBJECT',
  name,
  fields: Object.entries(fields).map(([of, its]) => ({ name: of, type: its, args: [] })),
});
const paged = (name: string, of: object) => ({
  name,
  type: of,
  args: [
    { name: 'first', type: { kind: 'SCALAR', name: 'Int' } },
    { name: 'after', type: { kind: 'SCALAR', name: 'String' } },
  ],
});

interface Asked {
  readonly query: string;
  readonly variables: { readonly first: number; readonly after?: string };
}

const SCHEMA = {
  data: {
    __schema: {
      queryType: { name: 'Root' },
      types: [
        {
          kind: 'OBJECT',
          name: 'Root',
          fields: [paged('products', object('Products')), paged('orders', object('Orders'))],
        },
        type('Products', { edges: list('ProductEdge') }),
        type('ProductEdge', { node: object('Product') }),
        type('Product', {
          id: scalar('ID'),
          sku: scalar('String'),
          title: scalar('String'),
          price: object('Money'),
          onHand: scalar('Int'),
          archived: scalar('Boolean'),
          updatedAt: scalar('DateTime'),
          parent: object('Product'),
        }),
        type('Money', { amount: scalar('Decimal'), currency: scalar('String') }),
        type('Orders', { nodes: list('Order') }),
        type('Order', {
          id: scalar('ID'),
          reference: { kind: 'SCALAR', name: 'String' },
          status: { kind: 'ENUM', name: 'State' },
          lines: list('Line'),
        }),
        type('Line', { sku: scalar('String'), quantity: scalar('Int'), price: scalar('Decimal') }),
        { kind: 'ENUM', name: 'State', enumValues: [{ name: 'OPEN' }, { name: 'GONE' }] },
      ],
    },
  },
};

test('the answer to an introspection is drafted as queries with paging, and the draft reads its ERP', async () => {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then((sent) => response.end(JSON.stringify(answerTo(JSON.parse(sent) as Asked))));
  });
  function answerTo(body: Asked) {
    asked.push(body);
    const at = Number(body.variables.after ?? 0);
    const price = { amount: '2.50', currency: 'EUR' };
    const facts = { title: 'Tea', price, onHand: 5, archived: at > 0, updatedAt: '2030-01-31T08:30:00Z' };
    const node = { id: `P${at}`, sku: `A-${at}`, ...facts };
    const pageInfo = { hasNextPage: at < 2, endCursor: String(at + 1) };
    return { data: { products: { edges: [{ node }], pageInfo } } };
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;

  const { stdout, exitCode } = await draft(`${folder({ 'schema.json': JSON.stringify(SCHEMA) })}/schema.json`);
  expect(exitCode).toBe(0);
  expect(sectionIn(stdout).lists).toMatchObject({
    products: {
      items: 'data.products.edges',
      row: { sku: 'node.sku', price: { amount: 'node.price.amount' }, active: '$not(node.archived)' },
    },
    stock: { row: { on_hand: 'node.onHand' } },
    orders: {
      items: 'data.orders.nodes',
      row: { lines: '[lines.{"sku": sku, "quantity": quantity, "unit_price": price}]' },
    },
  });
  const file = settled(stdout, [['https://erp.example # decide: the address of the ERP', url]]);
  const tried = await run(['erp', 'try', 'products', '--config', file, '--json'], ENV);
  const shown = JSON.parse(tried.stdout) as { rows: unknown[] };
  expect(shown).toMatchObject({ complete: true, failure: null, invalidRows: [] });
  expect(shown.rows).toHaveLength(3);
  expect(asked[0]?.query).toMatch(
    /^query \(\$first: Int, \$after: String\) \{ products\(first: \$first, after: \$after\) \{ edges \{ node \{ id sku /,
  );
});
