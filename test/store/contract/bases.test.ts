import { expect, test } from 'vitest';
import type { BaseRecord, OrderBase } from '../../../src/domain/order-base.ts';
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

test('the agreed state comes back as it was saved, for its own account and order only', async () => {
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

test('an intent whose request leaves at once is on record as sent, together with what was sent', async () => {
  const { bases, intents } = shelf().store;
  const target = { account: 'main', kind: 'order-in', key: 'o-1' } as const;
  const leaving = { to: 'erp', base: AGREED, atMs: 5 } as const;
  await intents.open({ ...target, externalId: 'o-1' }, leaving);
  expect(await intents.unsettled(target)).toMatchObject({ state: 'open', leftAtMs: expect.any(Number) });
  expect(await bases.get('main', 'o-1')).toEqual({ agreed: null, sent: leaving });
});

test('an intent that waits was not sent, and leaves what was agreed as it was', async () => {
  const { bases, intents } = shelf().store;
  const target = { account: 'main', kind: 'order-in', key: 'o-1' } as const;
  await bases.save('main', 'o-1', RECORD);
  await intents.open({ ...target, externalId: 'o-1' });
  expect(await intents.unsettled(target)).toMatchObject({ state: 'open', leftAtMs: null });
  expect(await bases.get('main', 'o-1')).toEqual(RECORD);
});
