import { beforeEach, describe, expect, test } from 'vitest';
import { resolveConfig } from '../../../src/config/resolve.ts';
import { configFile } from '../../../src/config/schema.ts';
import { cause } from '../../../src/domain/causes/cause.ts';
import { FIRST_LINKED } from '../../../src/flows/engine/first-links.ts';
import { createLogger } from '../../../src/logging/logging.ts';
import { textRedactor } from '../../../src/logging/redaction.ts';
import { LISTINGS_KNOWN, recordReadTime } from '../../../src/shadow/last-read.ts';
import { explainEntity } from '../../../src/use/explain/explain.ts';
import { erpOrder, line, order, orderBatch, product, productBatch, useShelf } from '../../store/shelf.ts';

/* What is true of an entity for which nothing is to be written. */

const shelf = useShelf();
const MAIN = {
  marketplace: { base_url: 'http://marketplace.test', auth: { scheme: 'app', key: 'a-key' }, seller_id: 4711 },
  erp: { type: 'http', url: 'http://erp.test', token: 'a-token' },
};

async function told(name: string, account: object = {}, words: 'terminal' | 'screen' = 'screen'): Promise<string> {
  const accounts = { main: { ...MAIN, inventory: { strategy: 'b' }, ...account } };
  const config = resolveConfig(configFile.parse({ accounts }));
  const log = createLogger({ level: 'silent', secrets: [] });
  const opened = { config, store: shelf().store, by: 'ada', log, redact: textRedactor([]) };
  return (await explainEntity(opened, { name, words }, shelf().nowMs)).answer;
}

/** Both sides were read to their end, and compared. */
async function readAll(): Promise<void> {
  const { store, nowMs } = shelf();
  for (const fact of [LISTINGS_KNOWN, FIRST_LINKED]) await store.facts.set('main', fact, 'yes');
  await recordReadTime({ account: 'main', store, now: () => nowMs }, 'orders', { tick: 1, atMs: nowMs });
  const window = { account: 'main', from: null, to: '2026-01-01T00:00:00Z', rows: 0, finding: null };
  for (const collection of ['erp-products', 'erp-orders'])
    await store.cursors.record({ ...window, collection, cursor: window.to });
}

describe('a listing without a link', () => {
  const seen = (number: string) =>
    shelf().store.orders.record(orderBatch([order({ number, lines: [line({ productId: 71 })] })]));
  const LEFT = 'It is linked to no product of the ERP, so its price and stock stay as they are.';

  beforeEach(async () => {
    await shelf().store.products.record(productBatch([product({ id: 71, sku: 'SB-9' })]));
  });

  test('before the first whole read nothing is claimed of its product', async () => {
    expect(await told('SB-9')).toBe(
      'SB-9 is on the marketplace. The ERP has not been read to the end yet, so it may be there too. Its product is looked for when both sides have been read to the end and compared.',
    );
  });

  test('it is not kept right until it is linked', async () => {
    await readAll();
    expect(await told('SB-9')).toBe(
      `SB-9 is on the marketplace. The ERP does not show it. ${LEFT} Link it to its product.`,
    );
    expect(await told('SB-9', {}, 'terminal')).toContain('stockbridge map link product 71 ERP_ID');
  });

  test('explain of an unlinked listing counts only the orders that wait for its link', async () => {
    await readAll();
    for (const number of ['o-1', 'o-2', 'o-3']) await seen(number);
    const { work } = shelf().store;
    for (const key of ['o-1', 'o-2']) {
      const target = { account: 'main', flow: 'order-in', key };
      const why = cause('product-unlinked', { order: key, line: '1', product: 71, sku: 'SB-9', elsewhere: null });
      await work.hold(target, (await work.get(target))?.version ?? 0, [why]);
    }
    expect(await told('SB-9')).toContain(`${LEFT} 2 orders wait for the link. Link it to its product.`);
  });

  test('a listing that somebody marked as no product of the ERP needs no link', async () => {
    await readAll();
    await shelf().store.unlinked.tellApart({ account: 'main', listingId: 71, erpId: null }, 'ada');
    expect(await told('SB-9')).toMatch(
      /Somebody said that it is no product of the ERP, so its price and stock stay as they are\.$/,
    );
  });
});

describe('an order on one side', () => {
  const seen = async (status: string) => {
    await shelf().store.orders.record(orderBatch([order({ number: 'o-1', status })]));
    await shelf().takeWork();
  };

  test('an order that is entered in a later status waits for it', async () => {
    await readAll();
    await seen('Submitted');
    expect(await told('o-1', { inventory: { strategy: 'a' } })).toBe(
      'Order o-1 is Submitted on the marketplace. The ERP does not show it. It waits: it is entered in the ERP once it is Fulfilled on the marketplace.',
    );
  });

  test('an order that was cancelled before it was entered is over', async () => {
    await readAll();
    await seen('Canceled');
    expect(await told('o-1')).toMatch(/The ERP does not show it\. It is over, and was never entered in the ERP\.$/);
  });

  test('before the first whole read of the ERP, an order is not said to be missing there', async () => {
    await seen('Canceled');
    expect(await told('o-1')).toContain('The ERP has not been read to the end yet, so it may be there too.');
  });

  test('an order that was made in the ERP stays there by the settings', async () => {
    await readAll();
    await shelf().store.erp.recordOrders('main', [erpOrder({ id: 'SO-7', reference: 'SO-7', origin: 'erp' })], 'poll');
    await shelf().takeWork();
    expect(await told('SO-7')).toMatch(
      /By the settings, orders that are made in the ERP are not entered on the marketplace\.$/,
    );
  });
});

test('a customer that the settings leave alone is said to be left alone', async () => {
  const { store } = shelf();
  await store.mappings.link({ account: 'main', kind: 'customer', marketplaceId: '815', erpId: 'C-1', how: 'operator' });
  expect(await told('C-1')).toMatch(/By the settings, customers stay as they are on both sides\.$/);
});
