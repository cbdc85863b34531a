import { beforeEach, expect, test } from 'vitest';
import { cause, exampleOf } from '../../src/domain/causes/cause.ts';
import { order, orderBatch, useShelf } from '../store/shelf.ts';
import { textOf, useScreen } from '../support/visit.ts';

/* An order has the same name on every page: the number of the ERP, and that of the marketplace after it. */

const shelf = useShelf();
const screen = useScreen(shelf);
const TARGET = { account: 'main', flow: 'order-in', key: 'aaaa-1' } as const;

beforeEach(async () => {
  const { journal, links, orders, work } = shelf().store;
  await orders.record(orderBatch([order({ number: 'aaaa-1' })]));
  const link = { account: 'main', kind: 'order', marketplaceId: 'aaaa-1', erpId: 'SO-17', how: 'reference' } as const;
  await links.link(link, false, 'a test');
  const write = { ...TARGET, action: 'order-in.mark', target: 'external_id of order aaaa-1', before: null };
  const id = await journal.begin({ ...write, after: 'SO-17', why: 'the ERP has it' });
  await journal.end(id, 'written', 'SO-17');
  await work.mark([TARGET], 'poll', 'a test');
});

const version = async () => (await shelf().store.work.get(TARGET))?.version ?? 0;
const hold = async () => {
  const why = cause('dead-but-shipped', { order: 'aaaa-1', erpOrder: 'SO-17', status: 'Canceled', back: null });
  await shelf().store.work.hold(TARGET, await version(), [why]);
};
const fail = async () => shelf().store.work.fail(TARGET, await version(), 'erp-refused', 'no', 5);
const doubt = async () => {
  const { intents } = shelf().store;
  const id = await intents.open({ account: 'main', kind: 'transition', key: 'aaaa-1', externalId: 'fulfill' });
  await intents.inDoubt(id, cause('command-undecided', { said: 'command 17 is Pending', minutes: 15 }));
};
const brake = async () => {
  const write = {
    action: 'order-in.transition',
    target: 'order aaaa-1',
    before: 'Accepted',
    after: 'Rejected',
    why: '',
  };
  const limit = { holdsAll: true, reason: exampleOf('too-many-writes'), expiryMs: 3_600_000 };
  await shelf().store.brakes.hold(
    { account: 'main', flow: 'order-in', kind: 'reject' },
    [{ ...write, key: 'aaaa-1' }],
    limit,
  );
};

test.each([
  ['/orders', async () => {}],
  ['/activity', async () => {}],
  ['/audit', async () => {}],
  ['/needs?state=held', hold],
  ['/needs?state=failed', fail],
  ['/needs?state=in-doubt', doubt],
  ['/', doubt],
  ['/brakes', brake],
])('on %s an order has the number of the ERP first', async (url, make) => {
  await make();
  const body = await screen.page(url);
  expect(body).toMatch(/<a href="entity\?[^"]*key=aaaa-1[^"]*">SO-17<\/a> <small>aaaa-1<\/small>/);
  expect(textOf(body)).toContain('SO-17 aaaa-1');
});

test('an order that the ERP does not have has the number of the marketplace', async () => {
  await shelf().store.work.mark([{ ...TARGET, key: 'bbbb-2' }], 'poll', 'a test');
  await shelf().store.work.fail({ ...TARGET, key: 'bbbb-2' }, 1, 'erp-refused', 'no', 5);
  expect(await screen.page('/needs?state=failed')).toMatch(/key=bbbb-2">bbbb-2<\/a> /);
});
