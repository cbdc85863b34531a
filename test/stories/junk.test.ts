import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { watchSlices } from '../fuzz/slices.ts';
import { openStage, type Stage, type StageOptions } from '../support/stage.ts';
import { type Door, openDoor, type Twisted } from '../support/twisted.ts';

type Doors = Record<'marketplace' | 'erp', Door>;

async function openShop(): Promise<{ stage: Stage; doors: Doors }> {
  const doors: Partial<Doors> = {};
  const through: StageOptions['through'] = async (side, url) => (doors[side] = await openDoor(url));
  const stage = await openStage({ through });
  stage.erp.control.seed(3);
  await stage.sync();
  return { stage, doors: doors as Doors };
}

/** Changes the text of every list at this path. */
function tell(door: Door, path: string, change: (text: string) => string): void {
  door.twist = (answer): Twisted =>
    answer.method === 'GET' && answer.status === 200 && answer.target.startsWith(path)
      ? { ...answer, body: Buffer.from(change(answer.body.toString())) }
      : answer;
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('five hundred thousand zeros in a list are refused, and none is stored', async () => {
  const { stage, doors } = await openShop();
  tell(doors.erp, '/v1/products', (text) => text.replace('"items":[', `"items":[${'0,'.repeat(500_000)}`));
  const slices = watchSlices();
  await stage.sync();
  expect(slices.longestMs()).toBeLessThan(1_000);
  slices.stop();
  const failing = (await alertsOf(stage.context())).flatMap(({ causes }) =>
    causes.map(({ params }) => JSON.stringify(params)),
  );
  expect(failing.join()).toContain('more than 10000 rows');
  expect(await stage.store().invalidRows.groups('main')).toEqual([]);
  doors.erp.twist = null;
  stage.erp.control.setStock('SB-0002', '7');
  await stage.sync();
  expect(stage.marketplace.productBySku('SB-0002')).toMatchObject({ quantity: '7' });
});

test.each([3_000, 5_000])('a product that is %i levels deep stops no other', async (levels) => {
  const { stage, doors } = await openShop();
  stage.erp.control.setProduct('SB-0002', { name: 'Renamed' });
  stage.erp.control.setProduct('SB-0001', { name: 'Also renamed' });
  tell(doors.erp, '/v1/products', (text) =>
    text.replace(/("sku":"SB-0001",[^]*?"attributes":)/, `$1{"deep":${nested(levels)}},"more":`),
  );
  await stage.sync();
  expect(stage.marketplace.productBySku('SB-0002')).toMatchObject({ name: 'Renamed' });
  expect(stage.marketplace.productBySku('SB-0001')).not.toMatchObject({ name: 'Also renamed' });
  expect(await stage.store().invalidRows.groups('main')).toMatchObject([
    { collection: 'erp-products', count: 1, first: { message: expect.stringContaining('levels deep') } },
  ]);
  doors.erp.twist = null;
  await stage.sync();
  expect(stage.marketplace.productBySku('SB-0001')).toMatchObject({ name: 'Also renamed' });
  expect(await stage.store().invalidRows.groups('main')).toEqual([]);
});

test('a search that never ends is aborted', async () => {
  const { stage, doors } = await openShop();
  let pages = 0;
  doors.erp.twist = (answer) => {
    if (!answer.target.startsWith('/v1/orders?reference=')) return answer;
    pages += 1;
    const rows = Array.from({ length: 500 }, () => ORDER);
    const page = { items: rows, next: `page-${pages}`, as_of: new Date().toISOString(), complete: false };
    return { ...answer, status: 200, body: Buffer.from(JSON.stringify(page)) };
  };
  await expect(stage.context().erp.findOrders('R-1')).rejects.toThrow('more than 20000 rows');
  expect(pages).toBeLessThan(50);
});

const ORDER = {
  id: 'SO-1',
  reference: 'R-1',
  origin: 'marketplace',
  status: 'reserved',
  currency: 'USD',
  lines: [],
  discount: '0',
  shipping: '0',
  tax: '0',
  total: '0',
  changed_at: '2026-01-01T00:00:00Z',
};
