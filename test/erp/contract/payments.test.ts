import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { Decimal } from '../../../src/domain/decimal.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import { answering, erpAt, json, onePage } from './answering-server.ts';

const ROW = {
  id: 17,
  reference: 'o-1',
  amount: '50.00',
  currency: 'USD',
  method: 'Cash',
  received_at: '2030-01-31',
  changed_at: '2030-01-31T12:00:00Z',
};
const DRAFT = {
  reference: 'o-1',
  amount: new Decimal('50.00'),
  currency: 'USD',
  method: null,
  receivedAt: null,
  marketplaceId: '7',
};

it('payments are listed with numeric ids, days without a time, and only the required fields', async () => {
  await using server = await answering((_, response) => json(response, 200, onePage([ROW])));
  await using erp = erpAt(server);
  const [page] = await Array.fromAsync(erp.listPayments('2030-01-01T00:00:00Z'));
  expect(page?.items).toEqual([
    {
      id: '17',
      reference: 'o-1',
      amount: new Decimal('50'),
      currency: 'USD',
      method: 'Cash',
      receivedAt: '2030-01-31T00:00:00Z',
      marketplaceId: null,
      voided: false,
      changedAt: ROW.changed_at,
    },
  ]);
  expect(server.asked).toEqual(['/v1/payments?changed_since=2030-01-01T00%3A00%3A00Z&limit=500']);
});

it.each([
  ['amount', { amount: 'fifty' }],
  ['received_at', { received_at: 'yesterday' }],
  ['voided', { voided: 'no' }],
])('payments whose %s is unreadable are not listed', async (path, wrong) => {
  await using server = await answering((_, response) => json(response, 200, onePage([{ ...ROW, ...wrong }])));
  await using erp = erpAt(server);
  const [page] = await Array.fromAsync(erp.listPayments(null));
  expect([page?.items, page?.invalidRows]).toEqual([[], [expect.objectContaining({ id: '17', path })]]);
});

it('a payment is found by its marketplace id, also where the ERP does not support that filter', async () => {
  const rows = [ROW, { ...ROW, id: 18, marketplace_id: 7 }];
  await using server = await answering((_, response) => json(response, 200, onePage(rows)));
  await using erp = erpAt(server);
  expect((await erp.findPayments('7')).map(({ id }) => id)).toEqual(['18']);
});

it('unknown fields of a payment are left out', async () => {
  const sent: string[] = [];
  await using server = await answering((request, response) => {
    void text(request).then((body) => {
      sent.push(body);
      json(response, 201, { ...ROW, marketplace_id: '7' });
    });
  });
  await using erp = erpAt(server);
  expect((await erp.createPayment(DRAFT)).marketplaceId).toBe('7');
  expect(sent).toEqual(['{"reference":"o-1","amount":"50","currency":"USD","marketplace_id":"7"}']);
});

it.each([404, 405])(
  'an ERP that answers %s to a payment fails with the advice to set payments.to_erp: false',
  async (status) => {
    await using server = await answering((_, response) => json(response, status, { error: 'there is no POST here' }));
    await using erp = erpAt(server);
    const failure = await erp.createPayment(DRAFT).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CallFailure);
    expect(failure).toMatchObject({
      kind: 'not-found',
      outcome: 'not-applied',
      status,
      message: expect.stringMatching(/record marketplace payment 7 .* needs payments\.to_erp: false/) as unknown,
    });
  },
);
