import { beforeEach, expect, test } from 'vitest';
import type { ErpConnector, ErpPage, ErpProduct, StockRow } from '../../src/erp/connector.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { READS, type ReadName } from '../../src/shadow/collections.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { at, d, erpProduct, stockRow, useShelf } from '../store/shelf.ts';

const shelf = useShelf();

/** The pages that the ERP answers next, and the clock of its answer. */
let pages: readonly (readonly object[])[];
let clock: number;
let context: AccountContext;

async function* answered<T>(): AsyncGenerator<ErpPage<T>> {
  for (const [index, items] of pages.entries()) {
    yield { items: items as readonly T[], invalidRows: [], asOf: at(clock), complete: index === pages.length - 1 };
  }
}

beforeEach(() => {
  [pages, clock] = [[], 100];
  const erp = {
    listProducts: answered<ErpProduct>,
    listStock: answered<StockRow>,
    ping: async () => ({ name: 'Test', version: '1', time: at(clock) }),
  };
  context = accountContext(shelf().store, accountConfig(), { erp: erp as Partial<ErpConnector> as ErpConnector });
});

async function read(name: ReadName, ...answer: readonly object[][]): Promise<void> {
  [pages, clock] = [answer, clock + 60];
  await READS[name](context, { key: 'all', lane: 'poll', signal: AbortSignal.timeout(20_000) });
}

const stock = (onHand: string, productId = 'P-1', more: object = {}) =>
  stockRow({
    productId,
    sku: productId,
    onHand: d(onHand),
    reserved: d('0'),
    available: d(onHand),
    asOf: at(clock),
    ...more,
  });
const invalidRow = async (collection = 'erp-stock', what = 'P-1') =>
  (await shelf().store.invalidRows.get('main', collection, what))?.cause?.code ?? null;
const figure = async (productId = 'P-1') =>
  (await shelf().store.erp.stock('main', productId))?.onHand.toFixed() ?? null;

test('two different stock rows of one SKU on two pages are rejected, and the stored figure does not alternate', async () => {
  await read('read:all-erp-stock', [stock('7')]);
  await shelf().takeWork();
  const doubled = [[stock('600'), stock('5', 'P-2')], [stock('0')]];
  await read('read:all-erp-stock', ...doubled);
  expect([await invalidRow(), await figure('P-2')]).toEqual(['row-contradicts', '5']);
  await shelf().takeWork();
  const known = await figure();
  await read('read:all-erp-stock', ...doubled);
  expect([await invalidRow(), await figure()]).toEqual(['row-contradicts', known]);
  await read('read:all-erp-stock', ...doubled.toReversed());
  expect([await invalidRow(), await figure()]).toEqual(['row-contradicts', known]);
});

test('stock is accepted again after a list with one row per SKU', async () => {
  await read('read:all-erp-stock', [stock('600')], [stock('0')]);
  await shelf().takeWork();
  await read('read:all-erp-stock', [stock('12')], [stock('5', 'P-2')]);
  expect([await invalidRow(), await figure()]).toEqual([null, '12']);
  expect(await shelf().takeWork()).toContain('stock P-1');
});

test('equal stock rows of one SKU count as one', async () => {
  await read('read:all-erp-stock', [stock('600')], [stock('600')]);
  expect([await invalidRow(), await figure()]).toEqual([null, '600']);
});

test('two stock rows of one SKU are rejected if one is unreadable, in either order', async () => {
  await read('read:all-erp-stock', [stock('7')]);
  const unfit = { what: 'P-1', id: 'P-1', sku: 'P-1', path: 'on_hand', message: 'expected a decimal' };
  const good = { items: [stock('600')], invalidRows: [], asOf: at(200), complete: false };
  const bad = { items: [], invalidRows: [unfit], asOf: at(200), complete: false };
  for (const order of [
    [bad, good],
    [good, bad],
  ]) {
    const listStock = async function* () {
      yield* order as ErpPage<StockRow>[];
    };
    const erp = { ...context.erp, listStock } as ErpConnector;
    const look = { key: 'all', lane: 'poll', signal: AbortSignal.timeout(20_000) } as const;
    await READS['read:all-erp-stock']({ ...context, erp }, look);
    expect(await invalidRow()).toBe('row-contradicts');
  }
  expect(await figure()).toBe('7');
});

test('two different rows of one product are rejected, and a product that changes while the list is read is accepted', async () => {
  const row = (name: string, changed = 1) => erpProduct({ name, changedAt: at(changed) });
  await read('read:all-erp-products', [row('Apples')], [row('Pears')]);
  expect(await invalidRow('erp-products')).toBe('row-contradicts');
  const named = async () => (await shelf().store.erp.product('main', 'P-1'))?.name;
  const known = await named();
  await read('read:erp-products', [row('Plums')], [row('Pears')]);
  expect([await invalidRow('erp-products'), await named()]).toEqual(['row-contradicts', known]);
  await read('read:erp-products', [row('Plums', 2)]);
  expect([await invalidRow('erp-products'), await named()]).toEqual([null, 'Plums']);
  await read('read:all-erp-products', [row('Plums', 2)], [row('Figs', clock + 70)]);
  expect([await invalidRow('erp-products'), await named()]).toEqual([null, 'Figs']);
});
