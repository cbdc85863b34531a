import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { endedBy } from '../../src/use/notify-ended.ts';
import { useShelf } from '../store/shelf.ts';
import { causeOf } from '../support/causes.ts';

const shelf = useShelf();
const MINUTE = 60_000;
const HELD = { kind: 'held', about: 'order-in', code: 'product-unlinked' };

const ended = (concern: { kind: string; about: string; code: string }, afterMs = MINUTE) =>
  endedBy(shelf().store, { account: 'main', ...concern, atMs: shelf().nowMs + afterMs });

test('a link ends the causes whose next step is a link, and no others', async () => {
  const { links, pauses } = shelf().store;
  const link = { account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'operator' } as const;
  await links.link(link, false, 'maria');
  expect(await ended(HELD)).toBe('by maria, who linked it at 00:16 UTC');
  for (const code of ['erp-order-unfinished', 'customer-linked-soon', 'payment-entered-twice', 'relink-open'])
    expect(await ended({ ...HELD, code })).toMatch(/^by itself: both sides were compared/);
  expect(await ended(HELD, 60 * MINUTE)).toMatch(/^by itself/);
  await pauses.pause('main', 'stock', 'a count', 'ada');
  await pauses.resume('main', 'stock', 'ada');
  expect(await ended({ ...HELD, about: 'stock', code: 'paused' })).toBe('by ada, who ended the pause at 00:16 UTC');
});

test("a decision on a plan ends its brake's cause, and not that of another kind", async () => {
  const { brakes } = shelf().store;
  const write = { key: 'P-1', action: 'product.price', target: 'listing 7', before: '1', after: '9', why: '' };
  const limit = { holdsAll: false, reason: causeOf('moves far'), expiryMs: MINUTE };
  const { id } = await brakes.hold({ account: 'main', flow: 'product', kind: 'price' }, [write], limit);
  await brakes.drop({ id }, 'maria');
  const brake = { kind: 'brake', code: 'brake-plan' };
  expect(await ended({ ...brake, about: 'product, price' })).toBe('by maria, who dropped it at 00:16 UTC');
  expect(await ended({ ...brake, about: 'product, archive' })).toBe('by itself: the writes are not due any more');
});

test("a doubt is ended by a person's decision on the same kind of write", async () => {
  const { doubts, intents } = shelf().store;
  const id = await intents.open({ account: 'main', kind: 'image', key: 'P-1', externalId: 'P-1' });
  await intents.inDoubt(id, cause('several-match', { found: ['1', '2'], sent: true }));
  const intent = await doubts.get(id);
  if (intent === null) throw new Error('it is not there');
  await doubts.drop(intent, { by: 'maria', isWorked: false });
  const doubt = { kind: 'in doubt', code: 'several-match' };
  expect(await ended({ ...doubt, about: 'image' })).toBe('by maria, who said what became of it at 00:16 UTC');
  expect(await ended({ ...doubt, about: 'product' })).toMatch(/^by itself: the other side now shows/);
});

test("a cause that flows share is ended by a person's decision on any of them", async () => {
  const { doubts, intents } = shelf().store;
  const id = await intents.open({ account: 'main', kind: 'payment-out', key: 'P-1', externalId: 'P-1' });
  await intents.inDoubt(id, cause('payments-unreadable', { count: 2 }));
  const intent = await doubts.get(id);
  if (intent === null) throw new Error('it is not there');
  await doubts.drop(intent, { by: 'maria', isWorked: false });
  const shared = { kind: 'in doubt', about: 'failures', code: 'payments-unreadable' };
  expect(await ended(shared)).toBe('by maria, who said what became of it at 00:16 UTC');
});

test('the end of a pause of another flow ends nothing', async () => {
  const { pauses } = shelf().store;
  await pauses.pause('main', 'stock', 'a count', 'ada');
  await pauses.resume('main', 'stock', 'ada');
  expect(await ended({ ...HELD, code: 'paused' })).toMatch(/^by itself/);
  await pauses.pause('main', 'all', 'a count', 'ada');
  await pauses.resume('main', 'all', 'ada');
  expect(await ended({ ...HELD, code: 'paused' })).toBe('by ada, who ended the pause at 00:16 UTC');
});
