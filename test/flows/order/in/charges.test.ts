import { expect, test } from 'vitest';
import { applyOrder, MONEY_REFUSED } from '../../../../src/flows/order/in/apply.ts';
import { d, order, orderBatch, useShelf } from '../../../store/shelf.ts';
import { accountConfig, accountContext } from '../../account.ts';

const shelf = useShelf();
const CHARGES = 'discount 1, shipping 5';

/** Writes a discount of 1 and this shipping. The marketplace shows `shown` as its shipping from then on. */
async function write(shipping: string | null, shown: string | null) {
  const { store } = shelf();
  const calls: unknown[] = [];
  const call = async (...args: unknown[]) => void calls.push(args.slice(0, 2));
  const context = accountContext(store, accountConfig(), { client: { call } as never });
  const readNow = async () => {
    const shippingAmount = shown === null ? null : d(shown);
    await store.orders.record(orderBatch([order({ number: 'o-1', shippingAmount })]));
  };
  const look = { key: 'o-1', lane: 'poll', signal: new AbortController().signal };
  const charges = { discount: d('1'), shipping: shipping === null ? null : d(shipping), after: CHARGES };
  const action = { action: 'order-in.charges', target: 'charges of order o-1', ...charges };
  const applied = await applyOrder({ ...context, readNow }, look as never, action as never);
  return { applied, calls, refused: await store.facts.get('main', `${MONEY_REFUSED}o-1`) };
}

const BODY = { discount_amount: 1, discount_type: 'amount' };

test('charges that the marketplace has after a write count as accepted, and are no longer remembered as refused', async () => {
  await shelf().store.facts.set('main', `${MONEY_REFUSED}o-1`, CHARGES);
  const { applied, calls, refused } = await write('5', '5');
  expect(applied).toEqual({ outcome: 'written', answer: CHARGES });
  const body = { ...BODY, shipping_charge: 5 };
  expect(JSON.parse(JSON.stringify(calls))).toEqual([['orders.patch', { path: { number: 'o-1' }, body }]]);
  expect(refused).toBeNull();
});

test.each([
  ['another one', '0'],
  ['none', null],
])('shipping that the marketplace stores as %s is refused, and is not sent again', async (_, shown) => {
  expect((await write('5', shown)).refused).toBe(CHARGES);
});

test('a discount without shipping is accepted whatever the marketplace has as its shipping', async () => {
  const { calls, refused } = await write(null, '7');
  expect(JSON.parse(JSON.stringify(calls))).toEqual([['orders.patch', { path: { number: 'o-1' }, body: BODY }]]);
  expect(refused).toBeNull();
});
