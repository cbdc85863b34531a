import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { STOPPED_STATES } from '../../../src/store/work.ts';
import { causeOf } from '../../support/causes.ts';
import { exact } from '../../support/units.ts';
import {
  at,
  d,
  erpOrder,
  erpProduct,
  line,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../shelf.ts';

const shelf = useShelf();

/** Everything that one account can remember, by the same ids in every account. */
async function fill(account: string, name: string, quantity: string): Promise<void> {
  const { store } = shelf();
  const invalidRows = [{ what: 'o-9', path: name, message: name }];
  const window = { account, collection: 'orders', from: null, to: at(1), rows: 1, finding: name, cursor: name };
  await store.erp.recordProducts(account, [erpProduct({ name })], { listing: 1, lane: 'poll' });
  await store.erp.recordStock(account, [stockRow({ available: d(quantity) })], 'poll');
  await store.erp.recordOrders(account, [erpOrder({ note: name })], 'poll');
  await store.products.record(productBatch([product({ name })], { account, invalidRows }));
  await store.orders.record(
    orderBatch([order({ deliveryState: name, lines: [line({ quantity: d(quantity) })] })], {
      account,
      invalidRows,
      window,
    }),
  );
  await store.mappings.link({ account, kind: 'product', marketplaceId: '70', erpId: 'P-1', how: name });
  await store.intents.inDoubt(
    await store.intents.open({ account, kind: 'order-in', key: 'o-1', externalId: 'o-1' }),
    causeOf(name),
  );
  await store.inbox.store([{ account, kind: 'orders', body: Buffer.from('{}'), receivedAtMs: 1 }]);
  await store.facts.set(account, 'fact', name);
  await store.pauses.pause(account, 'stock', name, name);
  const failing = { account, flow: 'order-in', key: 'o-1' };
  await store.work.fail(failing, (await store.work.get(failing))?.version ?? 0, 'program-error', name, 1);
  const entry = {
    account,
    flow: 'order-in',
    key: 'o-1',
    action: 'order-in.mark',
    target: 't',
    before: null,
    after: null,
  };
  await store.journal.add({ ...entry, why: name, outcome: 'written', answer: '' });
}

/** Everything that is remembered, as the account sees it. */
async function everythingOf(account: string) {
  const { store } = shelf();
  return {
    erpProduct: await store.erp.product(account, 'P-1'),
    erpProductsBySku: await store.erp.productsBySku(account, 'SB-1'),
    erpProductIds: await store.erp.productIds(account, '', 10),
    erpProducts: await store.erp.missingFrom(account, 1_000),
    erpStock: await store.erp.stock(account, 'P-1'),
    erpOrder: await store.erp.order(account, 'E-1'),
    erpOrdersByReference: await store.erp.ordersByReference(account, 'o-1'),
    erpOrderIds: await store.erp.orderIds(account, '', 10),
    listing: await store.products.get(account, 70),
    listingRaw: await store.products.raw(account, 70),
    listings: await store.products.list(account, 0, 10),
    listingCount: await store.products.count(account),
    newestListing: await store.products.nthNewestModified(account, 1),
    secondListing: await store.products.nthNewestModified(account, 2),
    order: await store.orders.get(account, 'o-1'),
    orderRaw: await store.orders.raw(account, 'o-1'),
    ordersByExternalId: await store.orders.byExternalId(account, 'E-1'),
    unmarked: await store.orders.unmarked(account, 5),
    withoutLines: await store.orders.withoutLines(account),
    liveLines: await store.orders.liveLines(account, 70),
    byStatus: await store.orders.byStatus(account),
    numbers: await store.orders.numbers(account, '', 10),
    recordedReadings: await store.history.readings(account, 'P-1'),
    recordedOrders: await store.history.orders(account, 70),
    recordedHoldings: await store.history.holdings(account, 'SB-1'),
    recordedProducts: await store.history.productIds(account, '', 10),
    recordedSpan: await store.history.span(account, 0),
    secondOrder: await store.orders.nthNewestModified(account, 2),
    mapping: await withoutId(store.mappings.byErpId(account, 'product', 'P-1')),
    mappings: (await store.mappings.list(account, 'product', 0, 10)).map(idless),
    halfLink: await withoutId(store.mappings.byMarketplaceId(account, 'order', 'o-1')),
    intent: await withoutId(store.intents.unsettled({ account, kind: 'order-in', key: 'o-1' })),
    intents: (await store.intents.listUnsettled(account, 'order-in')).length,
    inbox: (await store.inbox.unprocessed(account, 'orders', 10)).map((row) => row.body.toString()),
    fact: await store.facts.get(account, 'fact'),
    facts: await store.facts.startingWith(account, ''),
    invalidRows: await store.invalidRows.list(account),
    invalidRowGroups: await store.invalidRows.groups(account),
    invalidOrder: await store.invalidRows.get(account, 'orders', 'o-9'),
    cursor: await withoutId(store.cursors.get(account, 'orders')),
    windows: (await store.cursors.windows(account, 'orders')).map(idless),
    work: await store.work.get({ account, flow: 'order-in', key: 'o-1' }),
    pending: await store.work.pending(account),
    held: await store.work.held(account),
    groups: await Promise.all(STOPPED_STATES.map((state) => store.work.groups(account, state))),
    heldAfter: await store.work.heldAfter(account, null, 10),
    due: await store.work.due(account, 100),
    failed: (await store.work.failed({ account })).map(idless),
    journal: (await store.journal.of(account, 'order', 'o-1', 10)).map(idless),
    writes: await store.journal.countsByAction(account),
    written: (await store.journal.written(account, 'order-in.mark', 0)).length,
    pauses: (await store.pauses.all()).filter((pause) => pause.account === account),
  };
}

async function withoutId(found: Promise<object | null>): Promise<object | null> {
  const row = await found;
  return row === null ? null : idless(row);
}

function idless(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id'));
}

test('an account reads nothing of another account with the same ids', async () => {
  const before = await everythingOf('two');
  await fill('one', 'a', '7');
  expect(await everythingOf('two')).toEqual(before);
});

test("two accounts with the same ids do not affect each other's data", async () => {
  await fill('two', 'b', '9.5');
  const alone = await everythingOf('two');
  await fill('one', 'a', '7');
  expect(await everythingOf('two')).toEqual(alone);
  expect(JSON.stringify(await everythingOf('one'))).not.toMatch(/"two"|"b"|"9\.5"/);
});

test('no act in one account changes another account with the same ids', async () => {
  await fill('two', 'b', '9.5');
  await fill('one', 'a', '7');
  const before = await everythingOf('two');
  await doEverything('one');
  expect(await everythingOf('two')).toEqual(before);
  expect((await everythingOf('one')).order?.order.status).toBe('Canceled');
});

async function doEverything(account: string): Promise<void> {
  const { store } = shelf();
  await store.orders.record(orderBatch([order({ status: 'Canceled', modified: at(9) })], { account }));
  await store.products.record(productBatch([product({ archived: true, modified: at(9) })], { account }));
  const figures = { quantity: d('1'), reserved: d('0'), available: d('1') };
  await store.products.observeFigures(account, 70, { figures, expectedReserved: d('0'), observedTick: 0 });
  await store.erp.recordProducts(account, [erpProduct({ sku: 'SB-2', changedAt: at(9) })], {
    listing: 2,
    lane: 'poll',
  });
  await store.erp.seenInListing(account, ['P-1'], 3);
  await store.erp.closeListing(account, 9);
  await store.erp.recordStock(account, [stockRow({ available: d('1') })], 'poll');
  await store.erp.recordOrders(account, [erpOrder({ status: 'cancelled', changedAt: at(9) })], 'poll');
  await store.invalidRows.clear(account, 'orders', shelf().nowMs + 1);
  await store.facts.clear(account, 'fact');
  await store.cursors.tick(account);
  await store.pauses.resume(account, 'all', 'x');
  await store.work.release({ account });
  await store.work.replay(await store.work.failed({ account }), 'x');
  await store.work.discard(await store.work.failed({ account }), 'x');
  const rows = await store.inbox.unprocessed(account, 'orders', 10);
  await store.inbox.processed(rows.map(({ id }) => ({ id, entity: null })));
  for (const row of await store.work.due(account, 100)) {
    await store.work.hold(row, row.version, [causeOf('x')]);
    await store.work.settle(row, row.version);
  }
  const intent = await store.intents.unsettled({ account, kind: 'order-in', key: 'o-1' });
  const link = { account, kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' } as const;
  if (intent !== null) await store.intents.applied(intent.id, link, causeOf('x'));
  const { id } = (await store.mappings.byErpId(account, 'product', 'P-1')) ?? { id: 0 };
  await store.mappings.saveEchoes(id, { x: { sent: '1', echo: '2' } });
}

test('every stored decimal is read back with its exact digits', async () => {
  const digits = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat(10), fc.boolean());
  const decimal = digits.map(([whole, places, below]) => {
    const text = whole.toString().padStart(places + 1, '0');
    const split = text.length - places;
    return `${below ? '-' : ''}${text.slice(0, split)}${places === 0 ? '' : `.${text.slice(split)}`}`;
  });
  let account = 0;
  await fc.assert(
    fc.asyncProperty(decimal, async (text) => {
      const value = exact(parseDecimal(text) ?? 'NaN');
      const own = { account: `a-${(account += 1)}` };
      const { store } = shelf();
      const price = { amount: value, currency: 'USD' };
      const figures = { quantity: value, reserved: value, available: value };
      const oneLine = line({ quantity: value, orderedUnitPrice: price, salesPrice: price, unitMultiplier: value });
      const money = { discountAmount: value, shippingAmount: value, taxAmount: value, total: value };
      await store.orders.record(orderBatch([order({ ...money, lines: [oneLine] })], own));
      await store.products.record(productBatch([product({ id: 71, price, figures, unitMultiplier: value })], own));
      const side = erpProduct({ price, unitMultiplier: value });
      await store.erp.recordProducts(own.account, [side], { listing: null, lane: 'poll' });
      const stock = stockRow({ onHand: value, reserved: value, available: value });
      await store.erp.recordStock(own.account, [stock], 'poll');
      const erpLine = { sku: 'SB-1', quantity: value, unitPrice: value };
      const theirs = erpOrder({ lines: [erpLine], discount: value, shipping: value, tax: value, total: value });
      await store.erp.recordOrders(own.account, [theirs], 'poll');

      const stored = await store.orders.get(own.account, 'o-1');
      expect(stored?.order).toMatchObject(money);
      expect(stored?.lines?.[0]).toMatchObject(oneLine);
      expect(await store.products.get(own.account, 71)).toMatchObject({ price, figures, unitMultiplier: value });
      expect(await store.erp.product(own.account, 'P-1')).toMatchObject({ price, unitMultiplier: value });
      expect(await store.erp.stock(own.account, 'P-1')).toMatchObject(stock);
      expect(await store.erp.order(own.account, 'E-1')).toMatchObject(theirs);
      expect(stored?.order.total?.toFixed()).toBe(value.toFixed());
    }),
    { numRuns: 60 },
  );
});
