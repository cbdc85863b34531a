import { expect, test } from 'vitest';
import type { BaseRecord, OrderBase } from '../../../src/domain/order-base.ts';
import { MappingConflict } from '../../../src/store/links.ts';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();

const AGREED: OrderBase = {
  erpId: 'E-1',
  quantities: [['SB-1', '2 + 1.5']],
  prices: [{ line: 1, price: '20.80', unitMultiplier: null }],
  charges: { discount: '0', shipping: '5.00' },
  statuses: { marketplace: 'Accepted', erp: 'reserved' },
};
const RECORD: BaseRecord = { agreed: AGREED, sent: null };

test('the agreed state of an order is read back as it was stored, for its own account and order only', async () => {
  const { bases, observe } = shelf().store;
  expect(await bases.get('main', 'o-1')).toBeNull();
  await bases.save('main', 'o-1', RECORD);
  const later = { ...RECORD, sent: { to: 'erp', base: { ...AGREED, quantities: [] }, atMs: 5 } } as const;
  await bases.save('main', 'o-2', RECORD);
  await bases.save('main', 'o-2', later);
  expect(await bases.get('main', 'o-1')).toEqual(RECORD);
  expect(await bases.get('main', 'o-2')).toEqual(later);
  expect(await bases.get('other', 'o-1')).toBeNull();
  expect((await observe.orderIn('main', 'o-2', [])).base).toEqual(later);
});

test('an intent whose request leaves at once is recorded as sent, with its content', async () => {
  const { bases, intents } = shelf().store;
  const target = { account: 'main', kind: 'order-in', key: 'o-1' } as const;
  const leaving = { to: 'erp', base: AGREED, atMs: 5 } as const;
  await intents.open({ ...target, externalId: 'o-1' }, leaving);
  expect(await intents.unsettled(target)).toMatchObject({ state: 'open', leftAtMs: expect.any(Number) });
  expect(await bases.get('main', 'o-1')).toEqual({ agreed: null, sent: leaving });
});

test('an intent that waits is not recorded as sent, and leaves the agreed state unchanged', async () => {
  const { bases, intents } = shelf().store;
  const target = { account: 'main', kind: 'order-in', key: 'o-1' } as const;
  await bases.save('main', 'o-1', RECORD);
  await intents.open({ ...target, externalId: 'o-1' });
  expect(await intents.unsettled(target)).toMatchObject({ state: 'open', leftAtMs: null });
  expect(await bases.get('main', 'o-1')).toEqual(RECORD);
});

test('an order whose ERP order was replaced follows the new one, with its agreed state, and is marked', async () => {
  const { bases, mappings, work } = shelf().store;
  const of = (erpId: string) =>
    ({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId, how: 'reference' }) as const;
  await mappings.link(of('E-1'));
  const record = { ...RECORD, agreed: { ...AGREED, erpId: 'E-2' } };
  await mappings.follow(of('E-2'), record);
  expect(await mappings.byMarketplaceId('main', 'order', 'o-1')).toMatchObject({ erpId: 'E-2', state: 'linked' });
  expect(await mappings.byErpId('main', 'order', 'E-1')).toBeNull();
  expect(await bases.get('main', 'o-1')).toEqual(record);
  expect(await work.get({ account: 'main', flow: 'order-in', key: 'o-1' })).toMatchObject({ state: 'pending' });
});

test('an order does not follow an ERP order that another order is linked to', async () => {
  const { bases, mappings } = shelf().store;
  const of = (marketplaceId: string, erpId: string) =>
    ({ account: 'main', kind: 'order', marketplaceId, erpId, how: 'reference' }) as const;
  await mappings.link(of('o-1', 'E-1'));
  await mappings.link(of('o-2', 'E-2'));
  await expect(mappings.follow(of('o-1', 'E-2'), RECORD)).rejects.toThrow(MappingConflict);
  expect(await mappings.byMarketplaceId('main', 'order', 'o-1')).toMatchObject({ erpId: 'E-1' });
  expect(await bases.get('main', 'o-1')).toBeNull();
});
