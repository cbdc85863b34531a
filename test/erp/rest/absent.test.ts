import { expect, test } from 'vitest';
import { answering, json } from '../contract/answering-server.ts';
import { restErp } from './opened.ts';

const DESCRIPTION = `
finds:
  order-by-id: { request: { path: "/orders/{{ $id }}" }, items: data }
writes:
  order-update:
    steps:
      - { name: cancel, when: '$row.state = "open"', request: { method: POST, path: "/orders/{{ $id }}/cancel" } }
errors:
  - { when: { status: 404 }, kind: not-found, applied: "no" }
`;

test('a change of an order that the ERP does not have is not applied where its steps read the order first', async () => {
  await using server = await answering((_request, response) => json(response, 404, {}));
  await using erp = restErp(server.url, DESCRIPTION);
  await expect(erp.updateOrder('SO-1', { status: 'cancelled' })).rejects.toMatchObject({
    kind: 'not-found',
    outcome: 'not-applied',
  });
  expect(server.asked.every((path) => path === '/orders/SO-1')).toBe(true);
});
