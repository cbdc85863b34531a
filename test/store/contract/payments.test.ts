import { describe, expect, test } from 'vitest';
import type { MarketplacePayment } from '../../../src/domain/payment.ts';
import type { ErpPayment } from '../../../src/erp/connector.ts';
import { STANDS } from '../../../src/store/gone.ts';
import { causeOf } from '../../support/causes.ts';
import { at, d, order, orderBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();

const payment = (changes: Partial<MarketplacePayment> = {}): MarketplacePayment => ({
  id: '7',
  orderNumber: 'o-1',
  total: d('50.00'),
  currency: 'USD',
  type: 'cash',
  paidAt: at(0),
  createdAt: at(1),
  ...changes,
});
const erpPayment = (changes: Partial<ErpPayment> = {}): ErpPayment => ({
  id: 'PAY-1',
  reference: 'o-1',
  amount: d('50.00'),
  currency: 'USD',
  method: 'Cash',
  receivedAt: at(0),
  marketplaceId: null,
  voided: false,
  changedAt: at(1),
  ...changes,
});

const record = (rows: readonly MarketplacePayment[]) =>
  shelf().store.payments.record({ account: 'main', rows, invalidRows: [], lane: 'poll' });
const recordErp = (rows: readonly ErpPayment[]) => shelf().store.erp.recordPayments('main', rows, 'poll');
const work = () => shelf().takeWork();

test('marketplace payments are stored as they came, and marked when they are new or changed', async () => {
  await record([payment()]);
  expect(await shelf().store.payments.get('main', '7')).toEqual(payment());
  expect(await work()).toEqual(['payment-in 7']);
  await record([payment()]);
  expect(await work()).toEqual([]);
  await record([payment({ total: d('60') })]);
  expect(await work()).toEqual(['payment-in 7']);
});

test('a changed marketplace payment marks its counterpart in the ERP', async () => {
  await record([payment()]);
  const link = { account: 'main', kind: 'payment', marketplaceId: '7', erpId: 'PAY-1', how: 'equal' } as const;
  await shelf().store.mappings.link(link);
  await work();
  await record([payment({ total: d('60') })]);
  expect(await work()).toEqual(['payment-in 7', 'payment-out PAY-1']);
});

test('an unreadable marketplace payment is set aside until it is valid', async () => {
  const invalidRows = [{ what: '7', path: 'results[0].total', message: 'expected a decimal number' }];
  await shelf().store.payments.record({ account: 'main', rows: [], invalidRows, lane: 'poll' });
  expect(await shelf().store.invalidRows.get('main', 'payments', '7')).toMatchObject({ path: 'results[0].total' });
  expect(await work()).toEqual(['payment-in 7']);
  await record([payment()]);
  expect(await shelf().store.invalidRows.get('main', 'payments', '7')).toBeNull();
});

test('marketplace payments are found for their own order, and not for other orders', async () => {
  await record([payment(), payment({ id: '9', createdAt: at(0) }), payment({ id: '8', orderNumber: 'o-2' })]);
  await shelf().store.orders.record(orderBatch([order()]));
  await recordErp([erpPayment()]);
  const { unlinked } = await shelf().store.observe.paymentOut('main', 'PAY-1', []);
  expect(unlinked.map(({ id }) => id)).toEqual(['9', '7']);
  expect(await shelf().store.payments.ids('main', '7', 10)).toEqual(['8', '9']);
});

test('ERP payments are stored as they came, and marked when they are new or changed', async () => {
  await recordErp([erpPayment()]);
  expect(await shelf().store.erp.payment('main', 'PAY-1')).toEqual(erpPayment());
  expect(await work()).toEqual(['payment-out PAY-1']);
  await recordErp([erpPayment({ changedAt: at(2) })]);
  expect(await work()).toEqual([]);
  await recordErp([erpPayment({ changedAt: at(3), voided: true })]);
  expect(await work()).toEqual(['payment-out PAY-1']);
});

test('an ERP payment that arrives after a newer state changes nothing', async () => {
  await recordErp([erpPayment({ changedAt: at(3), voided: true })]);
  await recordErp([erpPayment({ changedAt: at(2) })]);
  expect((await shelf().store.erp.payment('main', 'PAY-1'))?.voided).toBe(true);
});

test('a payment of an order made in the ERP is marked when that order is linked', async () => {
  await recordErp([erpPayment({ reference: 'SO-1' })]);
  await record([payment()]);
  await work();
  const link = { account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'SO-1', how: 'created' } as const;
  await shelf().store.mappings.link(link);
  expect(await work()).toEqual(['order-in o-1', 'payment-in 7', 'payment-out PAY-1']);
});

test('a linked payment marks the other payments of its order: one of them may have waited for it', async () => {
  await recordErp([erpPayment(), erpPayment({ id: 'PAY-2' }), erpPayment({ id: 'PAY-3', reference: 'o-2' })]);
  await record([payment(), payment({ id: '8' }), payment({ id: '9', orderNumber: 'o-2' })]);
  await work();
  const { intents } = shelf().store;
  const id = await intents.open({ account: 'main', kind: 'payment-out', key: 'PAY-1', externalId: 'PAY-1' });
  expect((await shelf().store.mappings.byErpId('main', 'payment', 'PAY-1'))?.state).toBe('create-pending');
  const link = { account: 'main', kind: 'payment', marketplaceId: '7', erpId: 'PAY-1', how: 'created' } as const;
  await intents.applied(id, link, causeOf('payment 7'));
  expect(await work()).toEqual(['payment-in 7', 'payment-in 8', 'payment-out PAY-1', 'payment-out PAY-2']);
});

test('payments that our creates made are told apart from those that people entered', async () => {
  const { intents, observe, orders } = shelf().store;
  await orders.record(orderBatch([order()]));
  await recordErp([erpPayment(), erpPayment({ id: 'PAY-2' }), erpPayment({ id: 'PAY-3' })]);
  await record([payment(), payment({ id: '8' }), payment({ id: '9' })]);
  const link = (marketplaceId: string, erpId: string) =>
    ({ account: 'main', kind: 'payment', marketplaceId, erpId, how: 'created' }) as const;
  const make = async (kind: 'payment-in' | 'payment-out', key: string, ids: ReturnType<typeof link>) => {
    const id = await intents.open({ account: 'main', kind, key, externalId: key });
    await intents.applied(id, ids, causeOf('a payment'));
  };
  await make('payment-out', 'PAY-1', link('7', 'PAY-1'));
  await make('payment-in', '8', link('8', 'PAY-2'));
  const there = (await observe.paymentIn('main', '9')).recordedHere;
  expect(there.map((one) => [one.payment.id, one.of])).toEqual([['7', 'PAY-1']]);
  const here = (await observe.paymentOut('main', 'PAY-3', [])).recordedHere;
  expect(here.map((one) => [one.payment.id, one.of])).toEqual([['PAY-2', '8']]);
});

test('the state of the marketplace payment that an ERP payment names, and of the ERP payment linked to it, is observed', async () => {
  const { gone, mappings, observe, orders } = shelf().store;
  const how = { witness: 'second-list', lane: 'poll' } as const;
  const rows = async () => {
    const { named, left } = await observe.paymentOut('main', 'PAY-2', []);
    return [named, left.map(({ payment: { id }, of }) => `${id} of ${of}`)];
  };
  await orders.record(orderBatch([order()]));
  await record([payment()]);
  await recordErp([erpPayment(), erpPayment({ id: 'PAY-2', marketplaceId: '7' })]);
  expect(await rows()).toEqual(['there', []]);
  await mappings.link({ account: 'main', kind: 'payment', marketplaceId: '7', erpId: 'PAY-1', how: 'created' });
  expect(await rows()).toEqual(['there', []]);
  await gone.drop('main', 'erp-payments', ['PAY-1'], how);
  expect(await rows()).toEqual(['left', ['7 of PAY-1']]);
  await gone.drop('main', 'payments', ['7'], how);
  expect(await rows()).toEqual(['gone', []]);
});

describe('a payment of the ERP that is like an earlier one', () => {
  const elder = erpPayment({ marketplaceId: '7' });
  const younger = erpPayment({ id: 'PAY-1001', changedAt: at(2) });
  const former = async () => {
    const { observe } = shelf().store;
    const [out, here] = [await observe.paymentOut('main', 'PAY-1001', []), await observe.paymentIn('main', '8')];
    return { out: out.former, in: here.former.get('PAY-1001') };
  };
  const inTurn = async (later: readonly ErpPayment[]) => {
    await shelf().store.orders.record(orderBatch([order()]));
    await record([payment(), payment({ id: '8' })]);
    await recordErp([elder]);
    shelf().nowMs += 1_000;
    await recordErp(later);
  };
  const listedAt = (atMs: number) => shelf().store.facts.set('main', `${STANDS}erp-payments`, String(atMs));
  const itMayBe = { out: ['PAY-1'], in: ['PAY-1'] };
  const itIsNot = { out: [], in: [] };

  test('an ERP payment that matches an earlier one may be that one under another id until a later full list was read', async () => {
    await inTurn([younger]);
    const seenAtMs = shelf().nowMs;
    expect(await former()).toEqual(itMayBe);
    await listedAt(seenAtMs);
    expect(await former()).toEqual(itMayBe);
    await listedAt(seenAtMs + 1);
    expect(await former()).toEqual(itMayBe);
    shelf().nowMs += 1;
    expect(await former()).toEqual(itIsNot);
  });

  test.each<[string, ErpPayment[]]>([
    ['of another amount', [{ ...younger, amount: d('51') }]],
    ['of another method', [{ ...younger, method: 'Wire' }]],
    ['of another time', [{ ...younger, receivedAt: at(1) }]],
    ['beside a voided one', [{ ...elder, voided: true, changedAt: at(2) }, younger]],
  ])('an ERP payment that matches an earlier one is another one: %s', async (_, later) => {
    await inTurn(later);
    expect(await former()).toEqual(itIsNot);
  });

  test('an ERP payment that matches an earlier one is another one when the earlier one was listed since', async () => {
    await inTurn([younger]);
    shelf().nowMs += 1_000;
    await recordErp([{ ...elder, currency: 'CAD', changedAt: at(3) }]);
    expect(await former()).toEqual(itIsNot);
  });
});
