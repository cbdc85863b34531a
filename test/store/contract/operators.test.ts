import { expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { causeOf } from '../../support/causes.ts';
import { at, erpOrder, erpProduct, order, orderBatch, product, productBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const KEY = { account: 'main', flow: 'product', key: 'P-1' };

test('the audit log is a chain, and records a setting when it changes', async () => {
  const { audit } = shelf().store;
  const act = { ...KEY, who: 'Ann', action: 'pause', target: 'writes', before: null, after: null, outcome: 'done' };
  const id = await audit.add({ ...act, resultOf: null });
  for (const value of ['a', 'a', 'b']) await audit.noteSetting('main', 'strategy', value, 'Ann');
  expect((await audit.latest(10)).map(({ action, before, after }) => [action, before, after])).toEqual([
    ['pause', null, null],
    ['config.strategy', null, 'a'],
    ['config.strategy', 'a', 'b'],
  ]);
  expect((await audit.latest(1, 'main', id + 2)).map((row) => row.after)).toEqual(['a']);
  expect(await audit.verify()).toMatchObject({ rows: id + 2, broken: null });
});

test('the journal is read page by page, with a filter', async () => {
  const { journal } = shelf().store;
  const entry = {
    ...KEY,
    action: 'product.patch',
    target: 'listing 1',
    before: null,
    after: null,
    why: '',
    answer: '',
  };
  for (const [account, flow, key] of [
    ['main', 'product', 'P-1'],
    ['main', 'stock', 'P-1'],
    ['other', 'product', 'P-1'],
    ['main', 'product', 'P-2'],
  ] as const) {
    await journal.add({ ...entry, account, flow, key, outcome: 'written' });
  }
  const keys = async (of: Parameters<typeof journal.after>[2], afterId = 0, limit = 10) =>
    (await journal.after(afterId, limit, of)).map(({ id, flow, key }) => `${id} ${flow}/${key}`);
  expect(await keys({ accounts: ['main'], flow: 'product' })).toEqual(['1 product/P-1', '4 product/P-2']);
  expect(await keys({ accounts: ['main'], flow: 'product' }, 1, 1)).toEqual(['4 product/P-2']);
  expect(await keys({ keys: ['P-1', 'P-9'], accounts: ['other'] })).toEqual(['3 product/P-1']);
  const before = async (...asked: Parameters<typeof journal.before>) =>
    (await journal.before(...asked)).map(({ id, flow, key }) => `${id} ${flow}/${key}`);
  expect(await before(null, 2, { accounts: ['main'], keys: ['P-1'] })).toEqual(['2 stock/P-1', '1 product/P-1']);
  expect(await before(4, 10, { accounts: ['main'], flow: 'product' })).toEqual(['1 product/P-1']);
  expect(await keys({ sinceMs: Number.MAX_SAFE_INTEGER })).toEqual([]);
});

test('a strategy becomes effective once, and uses up an approval of another one', async () => {
  const { strategies } = shelf().store;
  expect(await strategies.inForce('main')).toBeNull();
  expect(await strategies.comeIntoForce('main', 'fulfilled-quantity', 'Ann')).toBe(true);
  expect(await strategies.comeIntoForce('main', 'fulfilled-quantity', 'Ann')).toBe(false);
  await strategies.approve('main', 'submitted-quantity', 'Ann');
  expect(await strategies.approved('main')).toBe('submitted-quantity');
  await strategies.comeIntoForce('main', 'submitted-quantity', 'Ann');
  expect([await strategies.inForce('main'), await strategies.approved('main')]).toEqual(['submitted-quantity', null]);
});

test('orders are open while they are submitted, or exported and not shipped', async () => {
  const { strategies, orders, erp, mappings } = shelf().store;
  const exported = order({ number: 'o-2', status: 'Fulfilled' });
  await orders.record(orderBatch([order(), exported, order({ number: 'o-3', status: 'Fulfilled' })]));
  await mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-2', erpId: 'E-1', how: 'created' });
  expect(await strategies.openOrders('main')).toBe(2);
  await erp.recordOrders('main', [erpOrder({ reference: 'o-2', status: 'shipped' })], 'poll');
  expect(await strategies.openOrders('main')).toBe(1);
});

test('a journal entry is dated when its write is sent, removed when it is dropped, and listed among the latest writes', async () => {
  const { journal } = shelf().store;
  const write = { ...KEY, action: 'product.patch', target: 'listing 70', before: 'a', after: 'b', why: 'it differs' };
  const [sent, dropped] = [await journal.begin(write), await journal.begin(write)];
  shelf().nowMs += 5;
  await journal.sending(sent);
  await journal.drop(dropped);
  const latest = { outcome: 'sent', atMs: shelf().nowMs, before: 'a', after: 'b' };
  expect(await journal.latestWrites('main', 'product', 'P-1')).toEqual([latest]);
});

test('a create that was accepted without an id stays open with its evidence, and is listed with the other creates of its entity', async () => {
  const { intents } = shelf().store;
  const create = { account: 'main', kind: 'product', key: 'P-1', externalId: 'P-1' } as const;
  await intents.refused(await intents.open(create), causeOf('no'));
  await intents.taken(await intents.open(create), causeOf('taken'));
  expect((await intents.of(create)).map(({ state }) => state)).toEqual(['open', 'refused']);
  expect((await intents.unsettled(create))?.evidence).toEqual(causeOf('taken'));
});

test('urgent work goes before work that results from finished work', async () => {
  const { work } = shelf().store;
  await work.mark([KEY], 'poll', 'it changed');
  expect(await work.giveWay(KEY, 1)).toBe(true);
  expect(await work.get(KEY)).toMatchObject({ lane: 'follow-up', version: 1 });
  expect(await work.giveWay(KEY, 0)).toBe(false);
});

test('linking goes on while a product waits, is held for the listings, or has an unlinked listing', async () => {
  const { work, erp, products, mappings } = shelf().store;
  await erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  expect(await work.isLinking('main')).toBe(false);
  await products.record(productBatch([product({ externalId: null })]));
  expect(await work.isLinking('main')).toBe(true);
  const waiting = { account: 'main', flow: 'product', key: 'P-1' };
  const version = (await work.get(waiting))?.version ?? 0;
  await work.hold(waiting, version, [cause('listings-unread')]);
  expect(await work.isLinking('main')).toBe(true);
  await mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  expect(await work.isLinking('main')).toBe(false);
});

test('payments of a linked order are observed under the ERP number of the order', async () => {
  const { payments, erp, mappings, observe } = shelf().store;
  const paid = { id: '7', orderNumber: 'o-1', total: order().discountAmount, currency: 'USD', type: 'cash' };
  await payments.record({
    account: 'main',
    rows: [{ ...paid, paidAt: at(0), createdAt: at(0) }],
    invalidRows: [],
    lane: 'poll',
  });
  await erp.recordOrders('main', [erpOrder()], 'poll');
  await mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' });
  expect(await observe.paymentIn('main', '7')).toMatchObject({ payment: { id: '7' }, reference: 'o-1', unlinked: [] });
  expect(await erp.paymentIds('main', '', 10)).toEqual([]);
});

test('a difference of figures that was judged is stored by its kind', async () => {
  const { products, mappings, drifts } = shelf().store;
  await mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  await products.record(productBatch([product()]));
  const figures = { quantity: product().figures.reserved, reserved: product().figures.reserved, available: null };
  await products.record(productBatch([product({ figures, modified: at(1) })]));
  const open = await drifts.open('main', 70);
  await drifts.judge(open?.id ?? 0, 'edited', 'by hand');
  await drifts.prune();
  expect(await drifts.open('main', 70)).toBeNull();
  expect(await drifts.counts('main', 0)).toEqual([{ kind: 'edited', count: 1 }]);
  expect(await drifts.ofListing('main', 70, 10)).toMatchObject([{ kind: 'edited', note: 'by hand' }]);
});
