import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/decimal.ts';
import { answering, json } from '../contract/answering-server.ts';
import { restErp } from './opened.ts';

const DESCRIPTION = `
writes:
  order-update:
    result: answer
    steps:
      - { name: change, request: { method: PATCH, path: "/orders/{{ $id }}", body: "{{ $change }}" } }
errors:
  - when: { status: 500, body: code = "OUT_OF_STOCK" }
    kind: refused-for-now
    waits_for: stock
    skus: missing.sku
    message: message
`;

test('a rule of a description names a temporary refusal, and the products that it waits for', async () => {
  const body = { code: 'OUT_OF_STOCK', message: 'two are short', missing: [{ sku: 'SB-0001' }, { sku: 'SB-0002' }] };
  await using server = await answering((_request, response) => json(response, 500, body));
  await using erp = restErp(server.url, DESCRIPTION);
  await expect(erp.updateOrder('SO-1', { discount: new Decimal('1') })).rejects.toMatchObject({
    kind: 'refused-for-now',
    outcome: 'not-applied',
    waitsFor: { what: 'stock', skus: ['SB-0001', 'SB-0002'] },
  });
});

test('another error with the status of a temporary refusal stays unchanged', async () => {
  await using server = await answering((_request, response) => json(response, 500, { code: 'BROKEN' }));
  await using erp = restErp(server.url, DESCRIPTION);
  await expect(erp.updateOrder('SO-1', { discount: new Decimal('1') })).rejects.toMatchObject({
    kind: 'unavailable',
    waitsFor: null,
  });
});

test('an error rule with waits_for needs the kind refused-for-now', () => {
  const wrong = DESCRIPTION.replace('kind: refused-for-now', 'kind: refused');
  expect(() => restErp('http://127.0.0.1:9', wrong)).toThrow(
    'waits_for and skus belong to a rule of kind refused-for-now',
  );
});
