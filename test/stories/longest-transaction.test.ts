import { expect, test } from 'vitest';
import { topicPage } from '../support/guide.ts';
import { openStage, until } from '../support/stage.ts';

/** The stock writes that one order of 3 units causes, of a product with 50 units in the ERP. */
async function writesFor(longest: string): Promise<string[]> {
  const stage = await openStage({ erp: `capabilities: { longest_transaction: ${longest} }` });
  const { erp, marketplace } = stage;
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '50');
  await stage.start();
  const available = () => marketplace.productBySku('SB-0001').available;
  await until('its stock is listed', () => marketplace.products().length === 1 && available() === '50');
  const before = await stockWrites();

  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: marketplace.productBySku('SB-0001').id, quantity: '3' }];
  const { number } = marketplace.placeOrder({ customer, items });
  await until('it is in the ERP', () => erp.control.findOrders(number).length === 1);
  await until('the stock is as the ERP has it', async () => {
    const counts = await stage.store().work.counts();
    return available() === '47' && counts.length === 0 && (await isCounted());
  });
  const after = await stockWrites();
  await stage.stop();
  return after.slice(before.length);

  async function stockWrites(): Promise<string[]> {
    const entries = await stage.store().journal.of('main', 'stock', 'P-000001', 50);
    return entries.flatMap(({ outcome, after: to }) => (outcome === 'written' ? [to ?? ''] : [])).toReversed();
  }
  async function isCounted(): Promise<boolean> {
    return longest === '0s' || (await stockWrites()).length > before.length + 1;
  }
}

test('longest_transaction costs two stock writes per order, the first of which sells too little, as the guide says', async () => {
  // The stock may be read before the order: then what the ERP has is written, and never less.
  for (const write of await writesFor('0s')) expect(write).toContain('47');
  const late = await writesFor('10s');
  // While the ERP does not have the order yet, its units are taken off alone.
  if (late.length > 2) expect(late.shift()).toContain('47');
  expect(late).toEqual([expect.stringContaining('44'), expect.stringContaining('47')]);
  const text = topicPage('erp-contract').prose.replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    'So each new order costs two writes of its stock: until that time is over, its quantity is taken off once more',
  );
});
