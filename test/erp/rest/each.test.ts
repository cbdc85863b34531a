import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { ZERO } from '../../../src/domain/decimal.ts';
import type { ErpOrderDraft } from '../../../src/erp/connector.ts';
import { exact } from '../../support/units.ts';
import { answering, json } from '../contract/answering-server.ts';
import { restErp } from './opened.ts';

const line = (sku: string) => ({ sku, quantity: exact(1), unitPrice: exact(2) });
const draft: ErpOrderDraft = {
  reference: 'R-1',
  status: 'draft',
  customer: {},
  currency: 'USD',
  lines: [line('A'), line('NONE'), line('B')],
  discount: ZERO,
  shipping: ZERO,
  tax: ZERO,
  total: exact(6),
  note: '',
};

const DESCRIPTION = `
writes:
  order-create:
    steps:
      - name: head
        request: { method: POST, path: /orders, body: { ref: '{{ $draft.reference }}' } }
        keep: { id: '$substringAfter($headers.location, "/orders/")' }
      - name: lines
        each: $draft.lines
        request: { method: POST, path: '/orders/{{ $kept.id }}/lines', body: { code: '{{ $item.sku }}', on: '{{ $substring($sent_at, 0, 10) }}' } }
errors:
  - { when: { status: 422 }, kind: refused, applied: "no", message: error }
`;

it('a refusal within an each step ends the write, and leaves what was created in doubt', async () => {
  const seen: string[] = [];
  await using server = await answering((request, response) => {
    void text(request).then((body) => {
      const { code, on } = JSON.parse(body) as Record<string, string>;
      seen.push(`${request.method} ${request.url} ${code ?? ''}`.trim());
      // A create that answers with nothing but the address of what it made.
      if (request.url === '/orders') return void response.writeHead(201, { location: '/orders/7' }).end();
      expect(on).toBe('2030-01-31');
      return json(response, code === 'NONE' ? 422 : 200, code === 'NONE' ? { error: 'no such item NONE' } : {});
    });
  });
  await using erp = restErp(server.url, DESCRIPTION, {}, { now: () => Date.parse('2030-01-31T08:30:00Z') });
  const failed = erp.createOrder(draft);
  await expect(failed).rejects.toMatchObject({ kind: 'refused', outcome: 'unknown' });
  await expect(failed).rejects.toThrow(/no such item NONE.*Steps before it \(lines\) were taken/s);
  expect(seen).toEqual(['POST /orders', 'POST /orders/7/lines A', 'POST /orders/7/lines NONE']);
});
