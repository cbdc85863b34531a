import { expect, onTestFinished } from 'vitest';
import { checkedErp, EVERYTHING } from '../../support/erp-check.ts';
import { needing } from '../../support/needing.ts';
import { connectionBy } from '../connection.ts';
import { CLERK, type EverShop, sectionOf, startEverShop } from './system.ts';

/** EverShop answers 120 calls a minute. */
const LIMIT_MS = 1_800_000;

/** Ships an order whole, by the call that the page of the order makes. */
async function ship(shop: EverShop, uuid: string): Promise<void> {
  const items = await shop.sql(`select i.order_item_id, i.qty from order_item i
    join "order" o on o.order_id = i.order_item_order_id where o.uuid = '${uuid}'`);
  await shop.call('POST', `/orders/${uuid}/shipments`, { carrier: 'custom', items });
}

needing('postgres').test(
  'the EverShop description keeps every promise that can be tested, but for discount and shipping, which it refuses',
  async () => {
    // The prices of the orders that a check makes, since EverShop takes no others.
    const shop = await startEverShop([12.34, 0.05]);
    onTestFinished(shop.stop);
    const { can, open } = connectionBy(sectionOf(shop), CLERK.password);
    const { findings } = await checkedErp(open, can, {
      uses: { ...EVERYTHING, drafts: false },
      people: { ship: (uuid) => ship(shop, uuid) },
      signal: AbortSignal.timeout(LIMIT_MS),
      skus: ['PART-0001', 'PART-0002'],
    });
    const broken = findings.filter(({ result }) => result === 'broken');
    expect(broken).toMatchObject([{ name: 'charges', came: expect.stringContaining('takes no discount') }]);
  },
  LIMIT_MS,
);
