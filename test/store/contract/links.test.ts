import { describe, expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { MappingConflict } from '../../../src/store/links.ts';
import { causeOf } from '../../support/causes.ts';
import { erpOrder, line, order, orderBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const mappings = () => shelf().store.mappings;
const intents = () => shelf().store.intents;
const of = (marketplaceId: string, erpId: string, how = 'sku') =>
  ({ account: 'main', kind: 'product', marketplaceId, erpId, how }) as const;
const link = (...args: Parameters<typeof of>) => mappings().link(of(...args));
const CREATE = { account: 'main', kind: 'product', key: 'P-1', externalId: 'P-1' } as const;
const EXPORT = { account: 'main', kind: 'order-in', key: 'o-1', externalId: 'o-1' } as const;

describe('links', () => {
  test('links are found from both sides, and linking again changes nothing', async () => {
    await link('70', 'P-1');
    await link('70', 'P-1', 'external_id');
    expect(await mappings().byErpId('main', 'product', 'P-1')).toMatchObject({ marketplaceId: '70', state: 'linked' });
    expect(await mappings().byMarketplaceId('main', 'product', '70')).toMatchObject({ erpId: 'P-1' });
    expect(await mappings().byErpId('main', 'order', 'P-1')).toBeNull();
    expect(await mappings().list('main', 'product', 0, 10)).toHaveLength(1);
  });

  test.each([
    ['the listing', '70', 'P-2'],
    ['the ERP product', '71', 'P-1'],
  ])(
    'links are one to one: %s is taken, nothing changes, and the message names both',
    async (_, marketplaceId, erpId) => {
      await link('70', 'P-1');
      await expect(link(marketplaceId, erpId)).rejects.toThrow(MappingConflict);
      await expect(link(marketplaceId, erpId)).rejects.toThrow(/70 is linked to P-1 already/);
      expect(await mappings().list('main', 'product', 0, 10)).toMatchObject([{ marketplaceId: '70', erpId: 'P-1' }]);
    },
  );

  test('a link between two ids that both have other links is refused, and the other links stay', async () => {
    await link('70', 'P-1');
    await link('71', 'P-2');
    await expect(link('70', 'P-2')).rejects.toThrow(MappingConflict);
    expect(await mappings().list('main', 'product', 0, 10)).toHaveLength(2);
  });

  test('an id can have a link of each kind', async () => {
    await link('70', 'P-1');
    await mappings().link({ ...of('70', 'P-9'), kind: 'customer' });
    expect((await mappings().byMarketplaceId('main', 'product', '70'))?.erpId).toBe('P-1');
  });

  test('a new link marks what depends on it', async () => {
    await shelf().store.orders.record(orderBatch([order()]));
    await shelf().takeWork();
    await link('70', 'P-1');
    expect(await shelf().takeWork()).toEqual(['order-in o-1', 'product P-1', 'stock P-1']);
  });

  test('a link stores the form that the marketplace made of our writes', async () => {
    await link('70', 'P-1');
    const { id } = (await mappings().byErpId('main', 'product', 'P-1')) ?? { id: 0 };
    const echoes = async () => (await mappings().byErpId('main', 'product', 'P-1'))?.echoes;
    expect(await echoes()).toEqual({});
    await mappings().saveEchoes(id, { name: { sent: '"a"', echo: '"A"' } });
    await link('70', 'P-1');
    expect(await echoes()).toEqual({ name: { sent: '"a"', echo: '"A"' } });
  });
});

describe('a link that replaces two others marks all four entities', () => {
  async function marked(kind: 'product' | 'order' | 'payment') {
    const { links } = shelf().store;
    const ids = (marketplaceId: string, erpId: string) => ({ ...of(marketplaceId, erpId), kind });
    await links.link(ids('70', 'E-1'), false, 'Ann');
    await links.link(ids('71', 'E-2'), false, 'Ann');
    await shelf().takeWork();
    await links.link(ids('70', 'E-2'), true, 'Ann');
    return shelf().takeWork();
  }

  test('products, and the orders of both listings', async () => {
    const { orders } = shelf().store;
    await orders.record(orderBatch([order(), order({ number: 'o-2', lines: [line({ productId: 71 })] })]));
    expect(await marked('product')).toEqual([
      'order-in o-1',
      'order-in o-2',
      'product E-1',
      'product E-2',
      'stock E-1',
      'stock E-2',
    ]);
  });

  test('orders, and the order that the reference of an ERP order names', async () => {
    await shelf().store.erp.recordOrders('main', [erpOrder({ id: 'E-1', reference: 'o-9' })], 'poll');
    expect(await marked('order')).toEqual(['order-in 70', 'order-in 71', 'order-in o-9']);
  });

  test('payments', async () => {
    expect(await marked('payment')).toEqual(['payment-in 70', 'payment-in 71', 'payment-out E-1', 'payment-out E-2']);
  });
});

test('a create without an idempotency key is recorded with half a link before it is sent', async () => {
  const id = await intents().open(CREATE);
  expect(await intents().unsettled(CREATE)).toMatchObject({ id, state: 'open', sentAtMs: shelf().nowMs });
  expect(await mappings().byErpId('main', 'product', 'P-1')).toMatchObject({
    state: 'create-pending',
    marketplaceId: null,
  });
  await intents().open(EXPORT);
  expect(await mappings().byMarketplaceId('main', 'order', 'o-1')).toMatchObject({
    state: 'create-pending',
    erpId: null,
  });
});

test('the answer of a create and its link are stored together', async () => {
  const id = await intents().open(CREATE);
  await intents().applied(id, of('70', 'P-1', 'created'), causeOf('listing 70'));
  expect(await intents().unsettled(CREATE)).toBeNull();
  expect(await mappings().byErpId('main', 'product', 'P-1')).toMatchObject({ marketplaceId: '70', state: 'linked' });
  expect(await mappings().list('main', 'product', 0, 10)).toHaveLength(1);
});

test.each(['created', 'adopted'])('a new link %s: what was seen before it and is held is marked', async (how) => {
  await shelf().store.orders.record(orderBatch([order({ externalId: 'E-1' })]));
  await shelf().takeWork();
  const create = { account: 'main', kind: 'order-out', key: 'E-1', externalId: 'E-1' } as const;
  const made = { account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how } as const;
  await intents().applied(await intents().open(create), made, causeOf('order o-1'));
  expect(await shelf().takeWork()).toContain('order-in o-1');
});

test.each([
  ['is created', (id: number) => intents().applied(id, null, causeOf('order o-1'))],
  ['was not', (id: number) => intents().refused(id, causeOf('not there'))],
  ['is linked by hand', () => mappings().link({ ...of('o-1', 'E-1', 'hand'), kind: 'order' })],
])('orders that may be the one that is being created are marked once it %s', async (_, settled) => {
  const { work } = shelf().store;
  const create = { account: 'main', kind: 'order-out', key: 'E-1', externalId: 'E-1' } as const;
  const id = await intents().open(create);
  const target = { account: 'main', flow: 'order-in', key: 'o-9' };
  await work.mark([target], 'poll', 'seen');
  await work.hold(target, 1, [cause('order-maybe-ours', { order: 'o-9', erpOrder: 'E-1' })]);
  expect(await work.get(target)).toMatchObject({ state: 'held' });
  await settled(id);
  expect(await work.get(target)).toMatchObject({ state: 'pending' });
});

test('an exported order is not marked by its own create', async () => {
  await shelf().store.orders.record(orderBatch([order()]));
  await shelf().takeWork();
  const made = { account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' } as const;
  await intents().applied(await intents().open(EXPORT), made, causeOf('ERP order E-1'));
  expect(await shelf().takeWork()).toEqual([]);
});

test("the ERP order of a create's answer is stored with its link, or neither is stored", async () => {
  const { store } = shelf();
  const made = { account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' } as const;
  const shown = { order: erpOrder(), lane: 'poll', lookedAt: 'o-1' } as const;
  const id = await intents().open(EXPORT);
  const conflicting = { ...made, marketplaceId: 'o-2' };
  await store.mappings.link({ ...made, erpId: 'E-7' });
  await expect(intents().applied(id, made, causeOf('ERP order E-1'), shown)).rejects.toThrow(MappingConflict);
  expect(await store.erp.order('main', 'E-1')).toBeNull();
  await intents().applied(id, conflicting, causeOf('ERP order E-1'), shown);
  expect(await store.erp.order('main', 'E-1')).toMatchObject({ reference: 'o-1' });
});

test('a create whose link conflicts stays open: nothing is stored in part', async () => {
  await link('70', 'P-9');
  const id = await intents().open(CREATE);
  await expect(intents().applied(id, of('70', 'P-1', 'created'), causeOf('listing 70'))).rejects.toThrow(
    MappingConflict,
  );
  expect(await intents().unsettled(CREATE)).toMatchObject({ state: 'open' });
  expect(await mappings().byErpId('main', 'product', 'P-1')).toMatchObject({ state: 'create-pending' });
});

test('a create that was applied settles all earlier attempts of the same', async () => {
  await intents().open(CREATE);
  const second = await intents().open(CREATE);
  await intents().applied(second, of('70', 'P-1'), causeOf('listing 70'));
  expect(await intents().unsettled(CREATE)).toBeNull();
  expect(await intents().listUnsettled('main', 'product')).toEqual([]);
});

test('a refused create is no longer open, and may be tried again', async () => {
  await link('71', 'P-2');
  await intents().refused(await intents().open(CREATE), causeOf('400'));
  expect(await intents().unsettled(CREATE)).toBeNull();
  expect((await mappings().list('main', 'product', 0, 10)).map(({ erpId }) => erpId)).toEqual(['P-2']);
  const id = await intents().open(CREATE);
  expect(await intents().unsettled(CREATE)).toMatchObject({ id });
  expect(await mappings().list('main', 'product', 0, 10)).toHaveLength(2);
});

test('a create in doubt waits for an operator, with its evidence', async () => {
  await intents().inDoubt(await intents().open(CREATE), causeOf('2 match: listing 70, listing 71'));
  expect(await intents().unsettled(CREATE)).toMatchObject({
    state: 'in-doubt',
    evidence: causeOf('2 match: listing 70, listing 71'),
  });
  expect(await intents().inDoubtCounts()).toEqual([{ account: 'main', count: 1 }]);
  expect(await intents().listUnsettled('main', 'product')).toHaveLength(1);
});

test('the two halves of one order become one link', async () => {
  const made = { account: 'main', kind: 'order-out', key: 'E-1', externalId: 'E-1' } as const;
  await intents().open(EXPORT);
  await intents().open(made);
  expect(await mappings().list('main', 'order', 0, 10)).toHaveLength(2);
  await mappings().link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'reference' });
  expect(await mappings().list('main', 'order', 0, 10)).toMatchObject([
    { marketplaceId: 'o-1', erpId: 'E-1', state: 'linked' },
  ]);
});

test('a status transition leaves no link behind', async () => {
  await intents().open({ account: 'main', kind: 'transition', key: 'o-1', externalId: 'fulfill' });
  expect(await mappings().list('main', 'order', 0, 10)).toEqual([]);
});

test('an intent is removed some time after it was settled, and never before', async () => {
  await intents().refused(await intents().open(CREATE), causeOf('400'));
  const open = await intents().open(EXPORT);
  const doubt = await intents().open({ ...CREATE, key: 'P-2', externalId: 'P-2' });
  await intents().inDoubt(doubt, causeOf('x'));
  await intents().prune(shelf().nowMs);
  shelf().nowMs += 1;
  await intents().prune(shelf().nowMs);
  expect((await intents().unsettled(EXPORT))?.id).toBe(open);
  expect((await shelf().store.doubts.after(0, 10)).map(({ id }) => id)).toContain(doubt);
});
