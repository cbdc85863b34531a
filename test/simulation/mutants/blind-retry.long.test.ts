import { expect, test, vi } from 'vitest';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import type { CreateOnce } from '../../../src/flows/engine/create-once.ts';
import type { Applied } from '../../../src/flows/engine/flow.ts';
import { intentKind, linkedIds } from '../../../src/store/intent-kinds.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/flows/engine/create-once.ts', () => ({
  createOnce: async <Created>(context: AccountContext, work: CreateOnce<Created>): Promise<Applied> => {
    const { account, store } = context;
    const { kind, key } = work.intent;
    if (work.create === null) return { outcome: 'noted', answer: '' };
    const created = await work.create(async () => {});
    await work.record?.(created);
    const madeId = String(work.idOf(created));
    const { links } = intentKind(kind);
    const link = links === null ? null : { account, kind: links, ...linkedIds(kind, { key, madeId }), how: 'created' };
    const id = await store.intents.open({ externalId: key, ...work.intent, account });
    await store.intents.applied(id, link, { code: 'made', params: { made: madeId } }, work.shown?.(created));
    return { outcome: 'written', answer: madeId };
  },
}));

test('the simulation detects a repeated create after a lost answer', async () => {
  expect(await untilBroken({ first: 47, maxSeeds: 400, law: /I2|I3/ })).not.toBe('');
});
