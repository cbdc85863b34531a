import { expect, it } from 'vitest';
import { answering, json } from '../contract/answering-server.ts';
import { restErp } from './opened.ts';

const described = (how: string): string => `
lists:
  products:
    request: { path: /products, query: { since: '{{ $since }}' } }${how}
    row:
      id: $string(id)
      sku: name
      active: sold
      deleted: false
      price: { amount: '"1"', currency: '"USD"' }
      unit_multiplier: 1
      changed_at: modified
`;

const OLD = [{ id: 1, name: 'P1', sold: false, modified: '2029-01-01T00:00:00Z' }];
const ASKED = '2029-06-01T00:00:00Z';

/** The products that a read of changes shows. */
async function changesOf(description: string, rows: readonly object[]) {
  await using server = await answering((_request, response) => json(response, 200, rows));
  await using erp = restErp(server.url, description);
  const pages = await Array.fromAsync(erp.listProducts(ASKED));
  return pages.flatMap(({ items }) => items.map(({ id, active }) => ({ id, active })));
}

it('a list without since returns every row, however old its timestamp is, since a parent may have changed without it', async () => {
  expect(await changesOf(described(''), OLD)).toEqual([{ id: '1', active: false }]);
});

it('a row that the ERP sends as changed is never dropped for its own timestamp', async () => {
  expect(await changesOf(described('\n    since: {}'), OLD)).toEqual([{ id: '1', active: false }]);
});

it('with a witness, rows from before are dropped', async () => {
  const witnessed = described('\n    since: { witness: modified }');
  expect(await changesOf(witnessed, [...OLD, { ...OLD[0], id: 2, modified: ASKED }])).toEqual([
    { id: '2', active: false },
  ]);
});
