import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { lookAgain } from '../../src/use/look-again.ts';
import type { Opened } from '../../src/use/open.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();

test('what is held or failed of the chosen orders is looked at afresh, on the side that its flow is keyed by, and nothing else', async () => {
  const { store } = shelf();
  const link = { account: 'main', kind: 'order', marketplaceId: 'A-1', erpId: 'SO-1', how: 'operator' } as const;
  await store.links.link(link, true, 'eve');
  const work = (flow: string, key: string) => ({ account: 'main', flow, key });
  const [failed, held, other] = [work('order-in', 'A-1'), work('approval-out', 'SO-1'), work('order-in', 'A-2')];
  for (const target of [failed, held, other]) {
    await store.work.mark([target], 'poll', 'a test');
    const version = (await store.work.get(target))?.version ?? 0;
    if (target === failed) await store.work.fail(target, version, 'marketplace-unavailable', 'away', 5);
    else await store.work.hold(target, version, [cause('paused', { reason: 'x' })]);
  }
  const versions = async () =>
    Promise.all([failed, held, other].map(async (one) => (await store.work.get(one))?.version ?? 0));
  const before = await versions();
  const opened = { store, by: 'ada' } as Opened;
  expect(await lookAgain(opened, 'main', { kind: 'order', ids: ['A-1', 'A-3'] })).toBe(2);
  expect((await versions()).map((version, at) => version > (before[at] ?? 0))).toEqual([true, true, false]);
  const acts = (await store.audit.latest(10)).filter(({ who }) => who === 'ada');
  expect(acts.map(({ action, key }) => [action, key])).toEqual([
    ['job.replay', 'A-1'],
    ['work.again', 'SO-1'],
  ]);
});
