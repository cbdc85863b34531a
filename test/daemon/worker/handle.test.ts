import { expect, test } from 'vitest';
import { CallFailure } from '../../../src/domain/failure.ts';
import { openShop } from '../../flows/brakes/shop.ts';
import { useShelf } from '../../store/shelf.ts';

const shelf = useShelf();
const NO_BRAKES = {};

test('a change that comes during a look that fails is looked at, and nothing of it is lost', async () => {
  const shop = await openShop(shelf(), 1, NO_BRAKES);
  const { store } = shelf();
  const client = shop.context.client as unknown as { call: (...args: unknown[]) => Promise<unknown> };
  const { call } = client;
  client.call = async () => {
    client.call = call;
    await shop.changeErp([1], { name: 'The second name' });
    throw new CallFailure('there is nothing there', { side: 'marketplace', kind: 'not-found', outcome: 'not-applied' });
  };
  await shop.changeErp([1], { name: 'The first name' });
  await shop.work();
  expect(shop.takeWrites().join()).toContain('The second name');
  expect([await store.work.failed(), await store.work.held()]).toEqual([[], []]);
});
