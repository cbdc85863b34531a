import { beforeEach, expect, test } from 'vitest';
import { FIRST_LINKED } from '../../src/flows/engine/first-links.ts';
import { LISTINGS_KNOWN } from '../../src/shadow/last-read.ts';
import { erpProduct, order, orderBatch, product, productBatch, useShelf } from '../store/shelf.ts';
import { textOf, useScreen } from '../support/visit.ts';

/* Before a list was read to its end, no page says that something is missing from it. */

const shelf = useShelf();
const screen = useScreen(shelf);

/** Both sides were read to their end, and compared. */
async function readAll(): Promise<void> {
  const { store } = shelf();
  for (const fact of [LISTINGS_KNOWN, FIRST_LINKED]) await store.facts.set('main', fact, 'yes');
  const window = { account: 'main', from: null, to: '2026-01-01T00:00:00Z', rows: 0, finding: null };
  for (const collection of ['erp-products', 'erp-orders'])
    await store.cursors.record({ ...window, collection, cursor: window.to });
}

beforeEach(async () => {
  const { store } = shelf();
  await store.orders.record(orderBatch([order({ number: 'o-1' })]));
  await store.products.record(productBatch([product({ id: 71, sku: 'SB-9' })]));
  await store.erp.recordProducts('main', [erpProduct({ id: 'P-1', sku: 'TEA-1' })], { listing: null, lane: 'poll' });
});

const PAGES = [
  ['/orders', 'not read yet', 'not there'],
  ['/products', 'not known yet', 'none'],
  [
    '/entity?kind=order&key=o-1',
    'This side has not been read to the end yet.',
    'It is not there, as far as it was read.',
  ],
  ['/entity?kind=product&key=71', 'not compared yet', 'linked to nothing'],
  ['/mappings', 'Both sides have not been read to the end and compared yet.', 'Everything without a link is here'],
  ['/', 'Links are not known yet', '1 listing linked to nothing'],
] as const;

test.each(PAGES)('before the first whole read %s says only that it is not known yet', async (url, unknown, missing) => {
  const text = textOf(await screen.page(url));
  expect(text).toContain(unknown);
  if (url !== '/mappings') expect(text).not.toContain(` ${missing} `);
});

test.each(PAGES)('after the first whole read %s says what is missing', async (url, unknown, missing) => {
  await readAll();
  const text = textOf(await screen.page(url));
  expect(text).not.toContain(unknown);
  expect(text).toContain(missing);
});
