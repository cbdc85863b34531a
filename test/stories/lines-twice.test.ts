import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage } from '../support/stage.ts';
import { type Door, openDoor, retold } from '../support/twisted.ts';

interface Orders {
  readonly results: readonly { readonly number: string; readonly line_items?: readonly object[] }[];
}

test('I19: an order with two lines of one id raises an alert, and other orders are exported', async () => {
  const doors: Partial<Record<'marketplace' | 'erp', Door>> = {};
  const stage = await openStage({ through: async (side, url) => (doors[side] = await openDoor(url)) });
  stage.erp.control.seed(1);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const place = () => stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] }).number;
  const [before, bad, after] = [place(), place(), place()] as const;
  const door = doors.marketplace;
  if (door === undefined) throw new Error('there is no door');
  door.twist = (answer) =>
    answer.method === 'GET' && answer.target.startsWith('/api/v2/orders-received/?')
      ? retold(answer, (said: Orders) => ({
          ...said,
          results: said.results.map((row) =>
            row.number === bad ? { ...row, line_items: [...(row.line_items ?? []), ...(row.line_items ?? [])] } : row,
          ),
        }))
      : answer;
  await stage.sync();
  const inErp = (number: string) => stage.erp.control.findOrders(number).length;
  expect([before, bad, after].map(inErp)).toEqual([1, 0, 1]);
  const [told] = await stage.store().invalidRows.list('main');
  expect(told).toMatchObject({ collection: 'orders', what: bad, cause: { code: 'row-part-twice' } });
  expect((await alertsOf(stage.context())).filter(({ name }) => name.startsWith('read:'))).toEqual([]);
  door.twist = null;
  await stage.sync();
  expect([before, bad, after].map(inErp)).toEqual([1, 1, 1]);
  expect(await stage.store().invalidRows.list('main')).toEqual([]);
});
