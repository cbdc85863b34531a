import { expect, test, vi } from 'vitest';
import { hold } from '../../../src/flows/engine/decision.ts';
import type * as Decide from '../../../src/flows/order/in/decide.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/flows/order/in/decide.ts', async (original) => ({
  ...(await original<typeof Decide>()),
  decideOrderIn: () => hold({ code: 'order-unread', params: { order: 'any' } }),
}));

test('the simulation detects that every order is held for ever', async () => {
  expect(await untilBroken({ first: 6, maxSeeds: 50, law: /I6: order .* is not in the ERP/ })).not.toBe('');
});
