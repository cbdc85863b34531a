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

test('what both sides agreed on comes back as it was saved, of its own account and order', async () => {
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
