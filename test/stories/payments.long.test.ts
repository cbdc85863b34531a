import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CallFailure } from '../../src/domain/failure.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { findDifferences } from '../../src/flows/resync.ts';
import { FLOW_RUNS } from '../../src/flows/runs.ts';
import { parseFault } from '../../src/sandbox/marketplace/faults.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { COLLECTIONS } from '../../src/shadow/collections.ts';
import { holesOf } from '../../src/shadow/holes.ts';
import { readPayments } from '../../src/shadow/read-payments.ts';
import { told } from '../support/causes.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { tamper } from '../support/tamper.ts';

/** Short, so it is soon certain that a lost create was not applied. */
const TIMEOUT = '2s';
const PAYMENTS = '    payments: { to_marketplace: true, to_erp: true, types: { Bank transfer: wire } }';
const MORNING = '2030-01-31T08:30:00.000Z';

let stage: Stage;
let number: string;
let orderId: string;

beforeEach(async () => {
  stage = await openStage({ account: PAYMENTS, timeout: TIMEOUT });
  stage.erp.control.seed(2);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  number = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] }).number;
  await stage.sync();
  orderId = stage.erp.control.findOrders(number)[0]?.id ?? '';
});

interface Row {
  readonly order: string;
  readonly payment_type: string;
  readonly payment_date: string | null;
  readonly total: string;
}

const PATH = '/order-payments/';
/** Records a payment by hand on the marketplace. */
const recordThere = (total: string, payment_type: string, order = number) =>
  onMarketplace(stage, 'POST', PATH, { order, total, payment_type, payment_date: MORNING });
const receive = (amount: string, method = 'Cash', changes: { received_at?: string; order_id?: string } = {}) =>
  stage.erp.control.addPayment({ order_id: orderId, amount, method, received_at: MORNING, ...changes });

async function there(): Promise<string[]> {
  const { results } = await onMarketplace<{ results: Row[] }>(stage, 'GET', PATH);
  return results.map(({ payment_type, total }) => `${payment_type} ${total}`).toSorted();
}
const here = () =>
  stage.erp.control
    .state()
    .payments.map(({ method, amount }) => `${method} ${amount}`)
    .toSorted();
const store = () => stage.store();
const held = async () =>
  (await store().work.held()).map(({ flow, key, heldFor }) => `${flow} ${key}: ${told(heldFor)}`);

test('payments of either side are recorded once on the other, also equal ones, and then no call is made', async () => {
  receive('50.00');
  receive('50.00');
  receive('12.5', 'Bank transfer');
  await recordThere('30.00', 'wire');
  await recordThere('30.00', 'wire');
  const { written } = await stage.sync();
  expect(written).toBe(5);
  expect(await there()).toEqual(['cash 50.00', 'cash 50.00', 'wire 12.50', 'wire 30.00', 'wire 30.00']);
  expect(here()).toEqual(['Bank transfer 12.5', 'Bank transfer 30', 'Bank transfer 30', 'Cash 50.00', 'Cash 50.00']);
  const { results } = await onMarketplace<{ results: Row[] }>(stage, 'GET', PATH);
  expect(new Set(results.map(({ order }) => order))).toEqual(new Set([number]));
  expect(results.map(({ payment_date }) => Date.parse(payment_date ?? ''))).toEqual(
    results.map(() => Date.parse(MORNING)),
  );
  expect(await stage.sync()).toMatchObject({ written: 0, pending: 0, held: 0, failed: 0 });
});

describe('nine dollars in cash that somebody entered on both sides', () => {
  const look = (key: string) => ({ key, lane: 'poll', signal: AbortSignal.timeout(600_000) }) as const;
  const live = async () => ({ dryRun: false, paused: null, brake: null });
  const read = (name: 'payments' | 'erp-payments') => COLLECTIONS[name].changes(stage.context(), look('all'));
  const lookAt = async (flow: 'payment-in' | 'payment-out') => {
    const ids = flow === 'payment-in' ? store().payments.ids('main', '', 10) : store().erp.paymentIds('main', '', 10);
    for (const key of await ids) await FLOW_RUNS[flow].reconcile(stage.context(), look(key), live);
  };

  test.each(['payment-in', 'payment-out'] as const)(
    'a payment entered by hand on both sides is linked, whichever side is read first (%s)',
    async (flow) => {
      receive('9.00');
      await recordThere('9.00', 'cash');
      await read(flow === 'payment-in' ? 'payments' : 'erp-payments');
      await lookAt(flow);
      expect(await stage.sync()).toMatchObject({ written: 0, held: 0, failed: 0 });
      expect([await there(), here()]).toEqual([['cash 9.00'], ['Cash 9.00']]);
    },
  );

  test.each([
    { kind: 'status', status: 503, path: '/v1/payments', method: 'GET', times: 2 },
    { kind: 'incomplete', path: '/v1/payments', keep: 0, times: 2 },
  ] as const)(
    'a payment entered by hand on both sides is linked, though the ERP could not be read at first ($kind)',
    async (fault) => {
      await read('erp-payments');
      receive('9.00');
      await recordThere('9.00', 'cash');
      await read('payments');
      stage.erp.control.inject(fault);
      await expect(lookAt('payment-in')).rejects.toThrow(CallFailure);
      expect([await there(), here()]).toEqual([['cash 9.00'], ['Cash 9.00']]);
      expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
      expect([await there(), here()]).toEqual([['cash 9.00'], ['Cash 9.00']]);
    },
  );

  test.each(['ERP', 'marketplace'])(
    'a payment recorded twice by hand raises an alert, and is not recorded a third time (%s)',
    async (side) => {
      const enter = { ERP: () => receive('9.00'), marketplace: () => recordThere('9.00', 'cash') };
      const [first, second] = side === 'ERP' ? [enter.marketplace, enter.ERP] : [enter.ERP, enter.marketplace];
      await first();
      await stage.sync();
      await second();
      expect(await stage.sync()).toMatchObject({ written: 0, held: 1 });
      expect([(await there()).length, here().length]).toEqual(side === 'ERP' ? [1, 2] : [2, 1]);
      expect(await held()).toEqual([expect.stringContaining('payment-entered-twice')]);
      // It is another payment. When it is entered on the other side as well, it is linked.
      await first();
      const pass = await stage.sync();
      // The ERP's second one might be the first under another id, until a list of all payments shows both.
      expect(pass).toMatchObject({ written: 0, held: side === 'ERP' ? 0 : 2 });
      expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
      expect([(await there()).length, here().length]).toEqual([2, 2]);
    },
  );
});

test.each(['reset-before', 'reset-after', 'status-after,status=503'])(
  'a payment exists once on the marketplace after a lost answer (%s)',
  async (text) => {
    const [kind = '', ...rest] = text.split(',');
    stage.marketplace.faults.set(parseFault([`${kind}@order-payments.create,times=1`, ...rest].join(',')));
    receive('50.00');
    receive('50.00');
    await stage.sync();
    expect(await there()).toEqual(['cash 50.00', 'cash 50.00']);
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  },
);

test('a payment with a lost answer is looked up although the newest payment there is dated in the future', async () => {
  await recordThere('30.00', 'cash');
  await stage.sync();
  const value = new Date(Date.now() + 400 * 86_400_000).toISOString();
  await tamper(stage, "update cursors set value = ? where collection = 'payments'", value);
  stage.marketplace.faults.set(parseFault('reset-after@order-payments.create,times=1'));
  receive('50.00');
  await stage.sync();
  expect(await there()).toEqual(['cash 30.00', 'cash 50.00']);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
});

test.each([{ kind: 'lose-answer' }, { kind: 'delay', delayMs: 3_000 }] as const)(
  'a lost answer of the ERP ($kind) leaves the payment there once',
  async (fault) => {
    stage.erp.control.inject({ ...fault, method: 'POST', path: '/v1/payments' });
    await recordThere('30.00', 'cash');
    await recordThere('30.00', 'cash');
    await stage.sync();
    expect(here()).toEqual(['cash 30', 'cash 30']);
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  },
);

test('when the database is lost, the payments of both sides are matched again by their content', async () => {
  receive('50.00');
  receive('50.00', 'Cash', { received_at: '2030-01-31T08:31:00.000Z' });
  await recordThere('30.00', 'cash');
  await stage.sync();
  const before = [await there(), here()];
  await stage.stop();
  for (const end of ['', '-wal', '-shm']) rmSync(join(stage.dir, 'data', `stockbridge.db${end}`), { force: true });
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  expect([await there(), here()]).toEqual(before);
});

test('a payment whose order is not on the marketplace yet waits for the order', async () => {
  await store().pauses.pause('main', 'order-out', 'not yet', 'a test');
  const made = stage.erp.control.createOrder({
    customer: { marketplace_id: 1 },
    lines: [{ sku: 'SB-0002', quantity: '1', unit_price: '2.00' }],
  });
  const payment = receive('2.00', 'Cash', { order_id: made.id });
  await stage.sync();
  expect(await held()).toContain(
    `payment-out ${payment.id}: payment-order-unknown {"payment":"${payment.id}","order":"${made.id}","side":"marketplace"}`,
  );
  await store().pauses.resume('main', 'order-out', 'a test');
  await stage.sync();
  expect(await there()).toEqual(['cash 2.00']);
  expect(await held()).toEqual([]);
});

test('a payment that cannot be recorded is held with its reason, and others are recorded', async () => {
  const wrong = [
    stage.erp.control.addPayment({ order_id: orderId, amount: '5', currency: 'EUR' }),
    receive('0.00'),
    receive('-5'),
    receive('1.005'),
    receive('5.00', 'Barter'),
  ];
  receive('50.00');
  await recordThere('-3.00', 'cash');
  await stage.sync();
  expect(await there()).toEqual(['cash -3.00', 'cash 50.00']);
  const reasons = (await held()).map((text) => text.replace(/^payment-in \d+/, 'payment-in'));
  const about = (id: string | undefined, text: string): unknown =>
    expect.stringContaining(`payment-out ${id}: ${text}`);
  expect(reasons.toSorted()).toEqual([
    expect.stringMatching(/^payment-in: payment-amount .*-3\.00 USD is not above zero/),
    about(wrong[0]?.id, 'payment-currency'),
    about(wrong[1]?.id, 'payment-amount'),
    about(wrong[2]?.id, 'payment-amount'),
    about(wrong[3]?.id, 'payment-amount'),
    about(wrong[4]?.id, 'payment-method-unknown'),
  ]);
});

test('a payment that was voided or changed after it was recorded is an alert, and nothing is written', async () => {
  const [voided, changed] = [receive('50.00'), receive('20.00')];
  await stage.sync();
  stage.erp.control.changePayment(voided.id, { voided: true });
  stage.erp.control.changePayment(changed.id, { amount: '21.00' });
  expect(await stage.sync()).toMatchObject({ written: 0 });
  const alerts = await alertsOf({ account: 'main', store: store() });
  expect(alerts.flatMap(({ causes }) => causes)).toMatchObject([
    { code: 'payment-voided', params: { payment: voided.id } },
    { code: 'payment-amount-differs', params: { payment: changed.id, amount: '21.00 USD', shown: '20.00 USD' } },
  ]);
  stage.erp.control.changePayment(voided.id, { voided: false });
  await stage.sync();
  expect(await store().facts.startingWith('main', 'alert:payment-out:')).toHaveLength(1);
});

test('an ERP that takes no payments causes a failed job that says so', async () => {
  const fault = { kind: 'status', status: 405, method: 'POST', path: '/v1/payments', times: null } as const;
  stage.erp.control.inject(fault);
  await recordThere('30.00', 'cash');
  expect(await stage.sync()).toMatchObject({ failed: 1 });
  const [failed] = await store().work.failed();
  expect(failed).toMatchObject({ flow: 'payment-in', cause: 'erp-not-found' });
  expect(failed?.message).toContain('payments.to_erp: false');
});

test('a hole in the payments read is read again by itself, up to the newest payment, and is recorded', async () => {
  await recordThere('30.00', 'cash');
  await stage.sync();
  const { core } = stage.app();
  const context = core.accounts.get('main') as AccountContext;
  const before = (await store().cursors.get('main', 'payments'))?.value ?? '';
  await recordThere('40.00', 'cash');
  // Somebody has moved the cursor. Later payments are behind it by more than the day that is read again.
  const value = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await tamper(stage, "update cursors set value = ? where collection = 'payments'", value);
  const look = { key: 'all', lane: 'poll', signal: AbortSignal.timeout(600_000) } as const;
  const holes = async () => (await holesOf(context, 'payments')).map(({ from, to }) => [from, to]);
  const count = async () => (await store().payments.ids('main', '', 10)).length;
  await readPayments(context, look);
  expect([await holes(), await count()]).toEqual([[[before, value]], 1]);
  await readPayments(context, look);
  expect(await count()).toBe(2);
  const [[newest] = []] = await holes();
  expect(newest).not.toBe(before);
  const notes = () => store().journal.of('main', 'read', 'payments', 10);
  expect(await notes()).toMatchObject([{ action: 'read.hole', after: `2 rows, up to ${newest}` }]);
  // There is nothing to read, so nothing is told again.
  await readPayments(context, look);
  expect(await notes()).toHaveLength(1);
  expect(await holes()).toEqual([[newest, value]]);
});

test('a plan lists the payment writes of a pass', async () => {
  await store().pauses.pause('main', 'all', 'a look first', 'a test');
  const payment = receive('50.00');
  await stage.sync();
  const context = stage.app().core.accounts.get('main');
  if (context === undefined) throw new Error('no account');
  const found = await Array.fromAsync(findDifferences(context, new AbortController().signal));
  expect(found).toMatchObject([
    {
      flow: 'payment-out',
      key: payment.id,
      decision: { actions: [{ action: 'payment-out.create', after: `50.00 cash, order ${number}` }] },
    },
  ]);
  expect(await there()).toEqual([]);
});

test('a payment of the ERP for an order that is gone from the marketplace is held, and never sent', async () => {
  const customer = stage.marketplace.addCustomer({ name: 'Another Shop', state: 'NV' });
  stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  await stage.sync();
  stage.marketplace.deleteOrder(number);
  await stage.sync();
  const payment = receive('50.00');
  expect(await stage.sync()).toMatchObject({ written: 0, failed: 0, held: 1 });
  expect(await held()).toContain(
    `payment-out ${payment.id}: payment-order-gone {"payment":"${payment.id}","order":"${number}"}`,
  );
});

describe('a payment that is gone', () => {
  const alerts = async () =>
    (await alertsOf({ account: 'main', store: store() })).flatMap(({ causes }) => causes.map(({ code }) => code));
  const idThere = (total: string) =>
    stage.marketplace.records('order-payments').find((record) => record['total'] === total)?.['id'] as number;
  const unlink = async (id: number) => {
    const mapping = await store().mappings.byMarketplaceId('main', 'payment', String(id));
    if (mapping !== null) await store().links.unlink(mapping, 'test');
  };
  const approve = async () => {
    const [plan, another] = await store().brakes.list();
    expect([plan?.plan.kind, another]).toEqual(['relink', undefined]);
    await store().brakes.approve({ hash: plan?.hash ?? '' }, { except: [], expiryMs: { main: 60_000 }, by: 'a test' });
  };

  test('a payment deleted on the marketplace, where it came from, is recorded there again once a person has unlinked it', async () => {
    await recordThere('30.00', 'wire');
    await recordThere('1.00', 'cash');
    await stage.sync();
    const id = idThere('30.00');
    stage.marketplace.removeRecord('order-payments', id);
    await stage.sync();
    expect(await alerts()).toEqual(['payment-gone']);
    await unlink(id);
    await stage.sync();
    expect([await alerts(), await held()]).toEqual([[], []]);
    expect([await there(), here()]).toEqual([
      ['cash 1.00', 'wire 30.00'],
      ['Bank transfer 30', 'cash 1'],
    ]);
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  });

  test('payments that the ERP lists under other ids are linked again once one plan is approved', async () => {
    for (const total of ['10.00', '20.00', '30.00', '40.00']) await recordThere(total, 'cash');
    await stage.sync();
    const before = stage.erp.control.state().payments;
    for (const { id } of before) stage.erp.control.removePayment(id);
    for (const { order_id, amount, method, received_at } of before)
      stage.erp.control.addPayment({ order_id, amount, method, received_at });
    await stage.sync();
    expect([(await there()).length, here().length]).toEqual([4, 4]);
    await approve();
    await stage.sync();
    expect([await alerts(), await held()]).toEqual([[], []]);
    expect([(await there()).length, here().length]).toEqual([4, 4]);
    const linked = await store().mappings.byMarketplaceId('main', 'payment', String(idThere('10.00')));
    expect(before.map(({ id }) => id)).not.toContain(linked?.erpId);
  });

  test('a payment deleted in the ERP and entered there again is not recorded twice: its link moves once a plan is approved', async () => {
    await recordThere('30.00', 'wire');
    await recordThere('1.00', 'cash');
    await stage.sync();
    const first = stage.erp.control.state().payments.find(({ amount }) => Number(amount) === 30);
    stage.erp.control.removePayment(first?.id ?? '');
    await stage.sync();
    const again = receive('30.00', 'Bank transfer');
    await stage.sync();
    expect(await alerts()).toEqual(['erp-payment-gone']);
    expect(await there()).toEqual(['cash 1.00', 'wire 30.00']);
    await approve();
    await stage.sync();
    expect([await alerts(), await held()]).toEqual([[], []]);
    expect((await store().mappings.byMarketplaceId('main', 'payment', String(idThere('30.00'))))?.erpId).toBe(again.id);
    expect(await there()).toEqual(['cash 1.00', 'wire 30.00']);
  });
});
