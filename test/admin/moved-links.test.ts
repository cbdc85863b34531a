import { describe, expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import { erpProduct, product, productBatch, useShelf } from '../store/shelf.ts';
import { textOf, useScreen } from '../support/visit.ts';

/* Links that are moved to another half, and moved back. */

const shelf = useShelf();
const screen = useScreen(shelf);
const mappings = () => shelf().store.mappings;
const said = async () => textOf(await screen.page('/orders'));

const HALF = { back: 'orders', account: 'main', kind: 'customer', side: 'marketplace' };
const BACK = { back: 'orders', account: 'main', kind: 'customer', marketplaceId: '815', was: '815=C-1' };
const link = (id: string, other: string, more: Record<string, string> = {}) =>
  screen.act('link-half', { ...HALF, id, other, ...more });

test('a link that a person typed is reverted by Undo', async () => {
  await link('815', 'C-1');
  expect(await mappings().byMarketplaceId('main', 'customer', '815')).toMatchObject({ erpId: 'C-1' });
  expect(await screen.page('/orders')).toMatch(/act\/unlink"[^]*?name="kind" value="customer"[^]*?>Undo</);
  await screen.act('unlink', { back: 'orders', account: 'main', kind: 'customer', marketplaceId: '815' });
  expect(await mappings().byMarketplaceId('main', 'customer', '815')).toBeNull();
});

test('a link is moved after a question that names the link which it replaces, and moved back by Undo', async () => {
  await link('815', 'C-1');
  const asked = textOf((await link('816', 'C-1')).body);
  expect(asked).toContain('Move the link of ERP customer C-1 to marketplace customer 816?');
  expect(asked).toContain('815 is linked to ERP customer C-1: this link would be taken away. It can be undone');
  expect(textOf((await link('815', 'C-2')).body)).toContain('link them in place of what they are linked to?');
  await link('815', 'C-2', { sure: 'yes' });
  expect(await screen.page('/orders')).toMatch(/act\/move-back"[^]*?name="was" value="815=C-1"[^]*?>Undo</);
  await screen.act('move-back', BACK);
  expect(await said()).toContain('customer 815 and ERP customer C-1 are linked again.');
  expect(await mappings().byMarketplaceId('main', 'customer', '815')).toMatchObject({ erpId: 'C-1' });
});

test('a link that was replaced is not put back over another one, nor after a write', async () => {
  const { journal } = shelf().store;
  await link('815', 'C-1');
  await link('815', 'C-2', { sure: 'yes' });
  await link('816', 'C-1');
  await screen.act('move-back', BACK);
  expect(await said()).toContain('C-1 or customer 815 has another link by now');
  await screen.act('separate', { ...HALF, marketplaceId: '816', sure: 'yes' });
  const write = { account: 'main', flow: 'customer-out', key: 'C-1', action: 'customer.create' };
  const id = await journal.begin({
    ...write,
    target: 'customer',
    before: null,
    after: 'Corner Shop',
    why: 'it is new',
  });
  await journal.end(id, 'written', '817');
  await screen.act('move-back', BACK);
  expect(await said()).toContain('Something was written since C-2 and customer 815 were linked');
  expect(await mappings().byMarketplaceId('main', 'customer', '815')).toMatchObject({ erpId: 'C-2' });
  expect(await mappings().byErpId('main', 'customer', 'C-1')).toBeNull();
});

const MOVE = 'act/link-half"[^]*?name="id" value="71"[^]*?name="other" value="P-1"[^]*?>Move the link';

/** Listing 70 is linked to its product; listing 71 of the same SKU was made by hand. */
async function listedTwice(): Promise<void> {
  const { erp, links, products } = shelf().store;
  const tea = erpProduct({ id: 'P-1', sku: 'TEA-1', name: 'Green tea' });
  await erp.recordProducts('main', [tea], { listing: null, lane: 'poll' });
  await products.record(productBatch([product({ id: 70, sku: 'TEA-1', name: 'Green tea', externalId: 'P-1' })]));
  await links.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' }, false, 'a');
  expect(await screen.page('/entity?kind=product&key=P-1')).not.toContain('Other listings that may be it');
  await products.record(productBatch([product({ id: 71, sku: 'TEA-1', name: 'Tea, by hand', externalId: null })]));
}

test('the page of the product and the page of a listing made by hand offer to move the link', async () => {
  await listedTwice();
  const own = await screen.page('/entity?kind=product&key=P-1');
  expect(textOf(own)).toContain('Product P-1 is linked to listing 70. Price and stock are kept right there only.');
  expect(own).toMatch(new RegExp(`${MOVE} to it…`));
  const other = await screen.page('/entity?kind=product&key=71');
  expect(textOf(other)).toContain('linked to 70 already Move the link here…');
  expect(other).toMatch(new RegExp(`${MOVE} here…`));
});

describe.each(['/', '/needs?state=alert', '/entity?kind=product&key=P-1'])('the alert on %s', (url) => {
  const alert = (sold: boolean) =>
    setAlert({ account: 'main', store: shelf().store }, 'product:P-1', [
      cause('listed-beside', { sku: 'TEA-1', listing: 70, others: [71], sold }),
    ]);

  test('the alert of a product that is listed twice offers to move the link', async () => {
    await listedTwice();
    await alert(true);
    expect(await screen.page(url)).toMatch(new RegExp(`${MOVE} to listing 71…`));
  });

  test('the alert of a product that is not sold any more offers no link', async () => {
    await listedTwice();
    await alert(false);
    expect(await screen.page(url)).not.toContain('to listing 71…');
  });
});
