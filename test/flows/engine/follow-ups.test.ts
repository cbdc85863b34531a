import { expect, test } from 'vitest';
import { CallFailure } from '../../../src/domain/failure.ts';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { createFollowUps } from '../../../src/flows/engine/follow-ups.ts';
import { observePolicy } from '../../../src/flows/engine/observe-policy.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import type { CallOptions } from '../../../src/marketplace/admit-call.ts';
import { at, erpOrder, useShelf } from '../../store/shelf.ts';
import { accountConfig, accountContext } from '../account.ts';
import { seedOrder } from '../one-order-home.ts';

const KEY = '1001';
const shelf = useShelf();

/** A look at a new order by a worker whose mark is answered like this. */
async function look(mark: (options: CallOptions) => object, followUps = createFollowUps(() => 0)) {
  const { store } = shelf();
  await seedOrder(store);
  await store.strategies.comeIntoForce('main', 'submitted-available', 'a test');
  const made = erpOrder({ reference: KEY, changedAt: at(2) });
  const erp = { findOrders: async () => [], createOrder: async (draft: object) => ({ ...made, ...draft }) };
  const client = { call: async (_operation: string, _request: object, options: CallOptions) => mark(options) };
  const context = {
    ...accountContext(store, accountConfig({ orders: { on_unmapped_customer: 'pass' } }), {
      erp: erp as unknown as AccountContext['erp'],
      client: client as unknown as AccountContext['client'],
    }),
    followUps,
  };
  const signal = AbortSignal.timeout(600_000);
  const result = await FLOW_RUNS['order-in'].reconcile(context, { key: KEY, lane: 'poll', signal }, (action) =>
    observePolicy(context, { flow: 'order-in', key: KEY }, false, action),
  );
  expect(await store.mappings.byErpId('main', 'order', 'E-1')).toMatchObject({ state: 'linked' });
  const journal = await store.journal.of('main', 'order-in', KEY, 10);
  return { result, written: journal.map(({ action }) => action).toReversed() };
}

test('an order is marked in the attempt that enters it, in the last lane and without waiting for the quota', async () => {
  const asked: object[] = [];
  const { result, written } = await look(({ lane, patienceMs }) => {
    asked.push({ lane, patienceMs });
    return { number: KEY, external_id: 'E-1' };
  });
  expect(asked).toEqual([{ lane: 'follow-up', patienceMs: 0 }]);
  expect(result).toMatchObject({ state: 'in-sync', written: 2 });
  expect(written).toEqual(['order-in.create', 'order-in.mark']);
});

test('without room in the quota a mark is dropped without a trace, and the quota rests before it is asked again', async () => {
  let nowMs = 0;
  const followUps = createFollowUps(() => nowMs);
  const noRoom = new CallFailure('no room', { side: 'marketplace', kind: 'rate-limited', outcome: 'not-applied' });
  const { result, written } = await look(() => {
    throw noRoom;
  }, followUps);
  expect(result).toEqual({ state: 'gives-way', written: 1 });
  expect(written).toEqual(['order-in.create']);
  expect(followUps.enter()).toBe(false);
  nowMs = 1_000;
  expect(followUps.enter()).toBe(true);
});

test('a mark gives way while other work holds the slots, until one is free', async () => {
  const followUps = createFollowUps(() => 0);
  while (followUps.enter());
  const { result } = await look(() => expect.unreachable('it has no place'), followUps);
  expect(result).toEqual({ state: 'gives-way', written: 1 });
  followUps.leave();
  expect(followUps.enter()).toBe(true);
});
