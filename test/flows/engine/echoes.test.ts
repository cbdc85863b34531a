import { expect, test } from 'vitest';
import { recordProductPage } from '../../../src/shadow/shadow.ts';
import { useShelf } from '../../store/shelf.ts';
import { openShop } from '../brakes/shop.ts';

const shelf = useShelf();
const NO_BRAKES = {};

test('an edit by a person right after our write is no echo: it is overwritten', async () => {
  const shop = await openShop(shelf(), 1, NO_BRAKES);
  const { context } = shop;
  const client = context.client as unknown as { call: (...args: unknown[]) => Promise<Record<string, unknown>> };
  const { call } = client;
  client.call = async (...args) => {
    client.call = call;
    const answer = { ...(await call(...args)), modified: '2030-01-01T12:00:00Z' };
    const byHand = { ...answer, name: 'By hand', modified: '2030-01-01T12:00:01Z' };
    // A list brings the edit before the answer to the write is on record.
    await recordProductPage(context, { rows: [byHand] as never, invalidRows: [] }, { window: null, lane: 'poll' });
    return answer;
  };
  await shop.changeErp([1], { name: 'New' });
  await shop.work();
  expect(shop.takeWrites()).toEqual([expect.stringContaining('"name":"New"'), expect.stringContaining('"name":"New"')]);
});
