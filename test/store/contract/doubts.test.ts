import { describe, expect, test } from 'vitest';
import { cause, sentenceOf } from '../../../src/domain/causes/cause.ts';
import { INTENT_KINDS, type IntentKind, namelessBecause } from '../../../src/store/intent-kinds.ts';
import { type Intent, NotInDoubt, WorkInProgress } from '../../../src/store/intents.ts';
import { MappingConflict } from '../../../src/store/links.ts';
import { causeOf } from '../../support/causes.ts';
import { d, erpProduct, order, orderBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const ann = { by: 'Ann', isWorked: false };
const main = { account: 'main' };
const doubts = () => shelf().store.doubts;

const KEYS: Partial<Record<IntentKind, string>> = {
  'customer-in': '5',
  'product-in': '70',
  'product-line': '9/summer',
  image: '70/1',
};

const DOUBT = cause('several-match', { found: ['1', '2'], sent: true });

async function inDoubt(kind: IntentKind, key = KEYS[kind] ?? 'K-1'): Promise<Intent> {
  const { intents, reconciles } = shelf().store;
  const place = { listingId: 70, facilityId: 3, batchId: 0, toQuantity: d('5'), reserved: d('0') };
  const id =
    kind === 'facility-stock'
      ? await reconciles.open({ ...main, key, ...place })
      : await intents.open({ ...main, kind, key, externalId: kind === 'product-line' ? 'Summer' : key });
  await intents.inDoubt(id, DOUBT, ['1', '2']);
  return (await doubts().get(id)) as Intent;
}

const state = async ({ id }: Intent) => (await doubts().get(id))?.state;
const newest = async () => (await shelf().store.audit.latest(1))[0];

const KINDS = Object.keys(INTENT_KINDS) as IntentKind[];

describe.each(KINDS)('%s in doubt', (kind) => {
  const { flow, links, madeOn } = INTENT_KINDS[kind];

  test('a create in doubt waits for an operator; a retry closes it without a link, and marks its entity', async () => {
    const intent = await inDoubt(kind);
    expect((await doubts().after(0, 1_000)).map(({ id }) => id)).toEqual([intent.id]);
    await doubts().retry(intent, ann);
    expect([await state(intent), await doubts().after(0, 1_000)]).toEqual(['refused', []]);
    if (links !== null) expect(await shelf().store.mappings.list('main', links, 0, 5)).toEqual([]);
    if (kind !== 'product-line') expect(await shelf().takeWork()).toEqual([`${flow} ${intent.key}`]);
    expect(await newest()).toMatchObject({
      who: 'Ann',
      flow,
      action: 'job.resolve',
      before: sentenceOf(DOUBT),
      after: 'retry: nothing was applied',
    });
  });

  test('a create in doubt can be dropped, stays listed, and can be retried after all', async () => {
    const intent = await inDoubt(kind);
    await doubts().drop(intent, ann);
    // Nothing was sent, so nothing would be held.
    if (kind === 'unseen-sale') {
      expect([await state(intent), await doubts().after(0, 1_000)]).toEqual(['refused', []]);
      return;
    }
    expect((await doubts().after(0, 1_000)).map((one) => [one.state, one.evidence])).toEqual([
      ['dropped', cause('given-up', { by: 'Ann', doubt: DOUBT })],
    ]);
    expect(await newest()).toMatchObject({ after: 'dropped until it changes' });
    await expect(doubts().drop(intent, ann)).rejects.toThrow(
      `${kind} ${intent.key} is dropped already (Ann gave up this write until the entity changes: 2 entities match the create whose answer was lost: 1, 2)`,
    );
    await doubts().retry(intent, ann);
    expect([await state(intent), await doubts().after(0, 1_000)]).toEqual(['refused', []]);
  });

  test('a create in doubt can be adopted', async () => {
    const intent = await inDoubt(kind);
    if (namelessBecause(kind) !== null) {
      await expect(doubts().adopt(intent, '7', ann)).rejects.toThrow('have it tried again, or drop it');
      return;
    }
    await doubts().adopt(intent, '7', ann);
    expect(await state(intent)).toBe(kind === 'facility-stock' ? 'open' : 'applied');
    if (links === null) return;
    const ids =
      madeOn === 'erp' ? { marketplaceId: intent.key, erpId: '7' } : { marketplaceId: '7', erpId: intent.key };
    expect(await shelf().store.mappings.list('main', links, 0, 5)).toMatchObject([{ ...ids, state: 'linked' }]);
    expect(await newest()).toMatchObject({ after: expect.stringMatching(/^adopted .* 7, and not 1, 2$/) as string });
  });
});

test('an adopted entity without a link is stored', async () => {
  const { names, images, reconciles } = shelf().store;
  await doubts().adopt(await inDoubt('product-line'), '7', ann);
  expect(await names.find('main', 'product_line', 'SUMMER')).toEqual([{ id: 7, name: 'Summer', parentId: 9 }]);
  await doubts().adopt(await inDoubt('image'), '8', ann);
  expect(await images.ofListing('main', 70)).toMatchObject([{ id: 8, position: 1, hash: '70/1' }]);
  await doubts().adopt(await inDoubt('facility-stock'), '9', ann);
  expect(await reconciles.latest('main', 'K-1')).toMatchObject([{ commandId: 9, state: 'open' }]);
});

test('adopting an entity that belongs to another one is refused', async () => {
  const { mappings, names, images } = shelf().store;
  await mappings.link({ ...main, kind: 'order', marketplaceId: 'N-2', erpId: '7', how: 'created' });
  const intent = await inDoubt('order-in');
  const refused = expect(doubts().adopt(intent, '7', ann));
  await refused.rejects.toThrow(MappingConflict);
  await expect(doubts().adopt(intent, '7', ann)).rejects.toThrow('N-2 is linked to 7 already');

  await names.add('main', 'product_line', { id: 7, name: 'Winter', parentId: 9 });
  await expect(doubts().adopt(await inDoubt('product-line'), '7', ann)).rejects.toThrow('is called "Winter"');
  await images.recordListingImages([{ ...main, id: 7, listingId: 71, position: 1, hash: 'x' }]);
  await expect(doubts().adopt(await inDoubt('image'), '7', ann)).rejects.toThrow('is one of listing 71');
  await doubts().adopt(await inDoubt('facility-stock'), '7', ann);
  await expect(doubts().adopt(await inDoubt('facility-stock', 'K-2'), '7', ann)).rejects.toThrow('of product K-1');
  expect(await state(intent)).toBe('in-doubt');
  expect((await shelf().store.audit.latest(10)).map(({ target }) => target)).toEqual([
    'facility-stock K-1, begun as 4',
  ]);
});

test('a decision on a create that is settled or still being looked up is refused', async () => {
  const { intents } = shelf().store;
  const open = await intents.open({ ...main, kind: 'order-in', key: 'N-1', externalId: 'N-1' });
  const intent = (await doubts().get(open)) as Intent;
  await expect(doubts().retry(intent, ann)).rejects.toThrow('is not in doubt yet');
  await intents.refused(open, causeOf('no'));
  for (const say of [doubts().retry, doubts().drop] as const) {
    await expect(say(intent, ann)).rejects.toThrow('is settled: it was not applied (no)');
  }
  await expect(doubts().adopt({ ...intent, id: 99 }, '7', ann)).rejects.toThrow(NotInDoubt);
  expect(await shelf().store.audit.latest(10)).toEqual([]);
});

test('a decision on a create is refused while the daemon is writing it', async () => {
  const { journal } = shelf().store;
  const intent = await inDoubt('order-in', 'N-1');
  const entry = {
    ...main,
    flow: 'order-in',
    action: 'order-in.create',
    target: 't',
    before: null,
    after: null,
    why: 'w',
  };
  await journal.begin({ ...entry, key: 'N-2' });
  const id = await journal.begin({ ...entry, key: 'N-1' });
  const worked = { by: 'Ann', isWorked: true };
  for (const say of [doubts().retry, doubts().drop]) await expect(say(intent, worked)).rejects.toThrow(WorkInProgress);
  await expect(doubts().adopt(intent, 'E-1', worked)).rejects.toThrow('is at order-in N-1 right now');
  expect(await state(intent)).toBe('in-doubt');
  await journal.end(id, 'unknown', 'no answer');
  await doubts().adopt(intent, 'E-1', worked);
  expect(await state(intent)).toBe('applied');
});

test('a process that died during a write blocks decisions only for a while', async () => {
  const { journal } = shelf().store;
  const intent = await inDoubt('order-in', 'N-1');
  const entry = { ...main, flow: 'order-in', key: 'N-1', action: 'order-in.create', target: 't', why: 'w' };
  await journal.begin({ ...entry, before: null, after: null });
  shelf().nowMs += 600_001;
  await doubts().retry(intent, { by: 'Ann', isWorked: true });
  expect(await state(intent)).toBe('refused');
});

test.each(['failed', 'held'] as const)('an unsettled create whose job is %s waits for a decision', async (job) => {
  const { intents, work } = shelf().store;
  const id = await intents.open({ ...main, kind: 'order-in', key: 'N-1', externalId: 'N-1' });
  const target = { ...main, flow: 'order-in', key: 'N-1' };
  await work.mark([target], 'poll', 'seen');
  expect(await doubts().after(0, 1_000)).toEqual([]);
  if (job === 'failed') await work.fail(target, 1, 'erp-refused', 'no list of orders', 3);
  else await work.hold(target, 1, [causeOf('the ERP has 2 orders for it')]);
  const [intent] = (await doubts().after(0, 1_000)) as [Intent];
  expect(intent.id).toBe(id);
  for (const say of [doubts().retry, doubts().drop])
    await expect(say(intent, ann)).rejects.toThrow('may still be applied');
  shelf().nowMs += 600_001;
  await (job === 'failed' ? doubts().adopt(intent, 'E-1', ann) : doubts().retry(intent, ann));
  expect((await doubts().get(id))?.state).toBe(job === 'failed' ? 'applied' : 'refused');
});

test.each([
  [
    'order-in',
    'N-1',
    (total: string) => shelf().store.orders.record(orderBatch([order({ number: 'N-1', total: d(total) })])),
  ],
  [
    'product',
    'P-1',
    (price: string) =>
      shelf().store.erp.recordProducts('main', [erpProduct({ price: { amount: d(price), currency: 'USD' } })], {
        listing: null,
        lane: 'poll',
      }),
  ],
] as const)('a dropped create of %s stays dropped until the entity changes', async (kind, key, record) => {
  const { intents } = shelf().store;
  await record('1');
  const intent = await inDoubt(kind, key);
  await doubts().drop(intent, ann);
  const again = { ...main, kind, key, externalId: key } as const;
  expect((await intents.earlier(again))?.id).toBe(intent.id);
  await record('1');
  expect((await intents.earlier(again))?.id).toBe(intent.id);
  await record('2');
  expect(await intents.earlier(again)).toBeNull();
  await record('1');
  expect(await intents.earlier(again)).toBeNull();
  expect(await state(intent)).toBe('refused');
});

test('a dropped create is a new create when other content is to be sent', async () => {
  const intent = await inDoubt('image');
  await doubts().drop(intent, ann);
  const of = (externalId: string) => shelf().store.intents.earlier({ ...main, kind: 'image', key: '70/1', externalId });
  expect((await of('70/1'))?.id).toBe(intent.id);
  expect(await of('another picture')).toBeNull();
});

test('a dropped create is never pruned', async () => {
  const intent = await inDoubt('order-in', 'N-1');
  await doubts().drop(intent, ann);
  await shelf().store.intents.prune(shelf().nowMs + 1_000);
  expect(await state(intent)).toBe('dropped');
});

test('an order is released when the create of its customer is settled', async () => {
  const { work } = shelf().store;
  const waits = cause('customer-in-doubt', { order: 'N-2', customer: 5, name: 'Corner Shop' });
  const why = { 'N-1': DOUBT, 'N-2': waits, 'N-3': cause('paused', { reason: 'stocktaking' }) };
  const orders = Object.keys(why).map((key) => ({ ...main, flow: 'order-in', key }));
  await work.mark(orders, 'poll', 'seen');
  for (const one of orders) await work.hold(one, 1, [why[one.key as keyof typeof why]]);
  await doubts().drop(await inDoubt('customer-in'), ann);
  const states = await Promise.all(orders.map(async (one) => (await work.get(one))?.state));
  expect(states).toEqual(['pending', 'pending', 'held']);
});
