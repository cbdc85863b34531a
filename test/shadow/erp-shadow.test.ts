import { expect, test } from 'vitest';
import { recordErpStock } from '../../src/shadow/erp-shadow.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { at, d, erpProduct, stockRow, useShelf } from '../store/shelf.ts';

const shelf = useShelf();

test.each([
  ['10', '3', '7', null],
  ['-4', '0', '-4', null],
  ['3', '8', '-5', null],
  ['10', '3', '8', 'available 8 is not on hand − reserved (7)'],
  ['-5', '-50', '45', 'reserved is negative (-50)'],
])('stock of the ERP with on hand %s, reserved %s, available %s: %s', async (onHand, reserved, available, problem) => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  const row = stockRow({ onHand: d(onHand), reserved: d(reserved), available: d(available) });
  const page = { items: [row], invalidRows: [], asOf: at(1), complete: true };
  await recordErpStock(accountContext(store, accountConfig()), page, 'poll');
  expect((await store.erp.stock('main', 'P-1'))?.problem).toBe(problem);
});
