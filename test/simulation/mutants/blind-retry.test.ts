import { expect, test, vi } from 'vitest';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import type { CreateOnce } from '../../../src/flows/engine/create-once.ts';
import type { Applied } from '../../../src/flows/engine/flow.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/flows/engine/create-once.ts', () => ({
  createOnce: async <Created>(context: AccountContext, work: CreateOnce<Created>): Promise<Applied> => {
    const created = await work.create(async () => {});
    await work.record(created);
    const id = await context.store.intents.open(work.intent);
    await context.store.intents.applied(id, work.link(created, 'created'), {
      code: 'made',
      params: { made: work.show(created) },
    });
    return { outcome: 'written', answer: work.show(created) };
  },
}));

test('creating again whenever an answer was lost is caught', async () => {
  expect(await untilBroken(400)).toMatch(/I2|I3/);
});
