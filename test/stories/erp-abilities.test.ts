import { beforeEach, describe, expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
let buyer: number;

beforeEach(async () => {
  stage = await openStage();
  stage.erp.control.seed(1);
  stage.erp.control.setStock('SB-0001', '50');
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
});

async function order(quantity: string): Promise<string> {
  const product = stage.marketplace.productBySku('SB-0001').id;
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items: [{ product, quantity }] });
  await stage.sync();
  return number;
}
const edit = (number: string, quantity: string) =>
  stage.marketplace.editLine(stage.marketplace.order(number).lines[0]?.id ?? 0, { quantity });
const held = async () => (await stage.store().work.held()).flatMap(({ heldFor }) => heldFor ?? []);
const codes = async () => (await held()).map(({ code }) => code);
const inErp = (number: string) => stage.erp.control.findOrders(number)[0];
const quantity = (number: string) => Number(inErp(number)?.lines[0]?.quantity);
const patches = () => stage.erp.control.requests().filter(({ method }) => method === 'PATCH').length;

describe('an ERP that takes edits until an order is picked', () => {
  beforeEach(async () => {
    stage.erp.control.setAbility({ editing: 'until-picked' });
    await stage.sync();
  });

  test('an ERP that takes edits until an order is picked gets an earlier edit', async () => {
    const number = await order('4');
    edit(number, '6');
    await stage.sync();
    expect([quantity(number), await codes()]).toEqual([6, []]);
  });

  test('an ERP that refuses an edit is asked once; the order says what to do, and goes on when a person has done it', async () => {
    const number = await order('4');
    stage.erp.control.pickOrder(inErp(number)?.id ?? '');
    edit(number, '6');
    await stage.sync();
    expect([quantity(number), await codes(), patches()]).toEqual([4, ['erp-takes-no-edits'], 1]);
    await stage.sync();
    expect([await codes(), patches()]).toEqual([['erp-takes-no-edits'], 1]);
    edit(number, '4');
    await stage.sync();
    expect([await codes(), patches()]).toEqual([[], 1]);
  });
});

test('an ERP that takes no edits is not asked for one, and cancels all the same', async () => {
  stage.erp.control.setAbility({ editing: 'no' });
  await stage.sync();
  const number = await order('4');
  edit(number, '6');
  await stage.sync();
  expect([quantity(number), await codes(), patches()]).toEqual([4, ['erp-takes-no-edits'], 0]);
  stage.marketplace.transition(number, 'cancel');
  await stage.sync();
  expect([inErp(number)?.status, await codes()]).toEqual(['cancelled', []]);
});

test('a quantity finer than the ERP stores is not sent until the ERP can store it', async () => {
  stage.erp.control.setAbility({ decimals: { quantity: 0 } });
  await stage.sync();
  const number = await order('2.5');
  expect([inErp(number), await codes()]).toEqual([undefined, ['line-quantity-finer']]);
  stage.erp.control.setAbility({});
  await stage.sync();
  await stage.sync();
  expect([quantity(number), await codes()]).toEqual([2.5, []]);
});

test('an ERP with unique references gets an unanswered create again at once, and has it once', async () => {
  stage.erp.control.setAbility({ unique_reference: true });
  await stage.sync();
  const reset = { kind: 'reset', method: 'POST', path: '/v1/orders', times: 1 } as const;
  stage.erp.control.inject(reset);
  const number = await order('4').catch(() => '');
  await stage.sync();
  const orders = stage.erp.control.state().orders.filter(({ origin }) => origin === 'marketplace');
  expect(orders).toHaveLength(1);
  expect(number === '' || quantity(number) === 4).toBe(true);
});

test('a setting that the ERP cannot fulfil is ignored and reported, and takes effect again when the ERP can', async () => {
  stage = await openStage({ account: '    payments: { to_erp: true }\n    orders: { on_unmapped_customer: create }' });
  const { control } = stage.erp;
  control.setAbility({ payments: 'none', customers: 'none' });
  await stage.sync();
  const inForce = () => [stage.context().config.payments, stage.context().config.orders.onUnmappedCustomer];
  expect(inForce()).toEqual([null, 'pass']);
  const asked = () => control.requests().filter(({ url }) => url.startsWith('/v1/payments')).length;
  const before = asked();
  await stage.sync();
  expect(asked()).toBe(before);
  const shown = async () => (await run(['erp', 'describe', '--config', stage.configFile])).stdout;
  expect(await shown()).toMatch(
    /payments has no effect with capabilities\.payments: none of the ERP: no payment is carried over/,
  );
  expect((await run(['doctor', '--config', stage.configFile])).stdout).toContain('payments has no effect');

  // The ERP's earlier statement is in force from the beginning.
  await stage.stop();
  await stage.start([]);
  expect(inForce()).toEqual([null, 'pass']);

  control.setAbility({});
  await stage.stop();
  await stage.sync();
  expect(inForce()).toEqual([expect.objectContaining({ toErp: true }), 'create']);
  expect(await shown()).not.toContain('left out');
});
