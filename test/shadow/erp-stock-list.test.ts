import { beforeEach, expect, test } from 'vitest';
import { erpProduct } from '../store/shelf.ts';
import { read, standStill } from '../support/by-hand.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
  stage.erp.control.seed(10);
});

const store = () => stage.store();
const alert = () => store().facts.get('main', 'alert:erp:stock');
const cursor = async () => (await store().cursors.get('main', 'erp-stock'))?.value;
const figures = () => stage.marketplace.products().map(({ sku, available }) => [sku, String(available)]);

test.each([
  ['empty', { kind: 'empty', path: '/v1/stock', times: null }, '"missing":10,"stocked":10'],
  ['halved', { kind: 'shrink', keep: 0.5, path: '/v1/stock', times: null }, '"missing":5,"stocked":10'],
  ['incomplete', { kind: 'incomplete', keep: 1, path: '/v1/stock', times: null }, 'erp-stock-incomplete'],
] as const)(
  'a stock list that is %s changes nothing, and raises an alert until one is complete',
  async (_, fault, text) => {
    await stage.sync();
    const [before, at] = [figures(), await cursor()];
    expect([await alert(), before.length]).toEqual([null, 10]);
    stage.erp.control.inject(fault);
    await stage.sync();
    expect(figures()).toEqual(before);
    expect(await alert()).toContain(text);
    stage.erp.control.clearFaults();
    await stage.sync();
    expect(await alert()).toBeNull();
    expect(await cursor()).not.toBe(at);
  },
);

test('a read of changed stock is no full list: it neither raises the alert nor ends it', async () => {
  const context = await standStill(stage);
  stage.erp.control.inject({ kind: 'empty', path: '/v1/stock', times: 1 });
  await read(context, 'read:erp-stock');
  expect(await alert()).toBeNull();
  const at = await cursor();
  stage.erp.control.inject({ kind: 'empty', path: '/v1/stock', times: 1 });
  await read(context, 'read:all-erp-stock');
  expect([await alert(), await cursor()]).toEqual([expect.stringContaining('"erp-stock-short"'), at]);
  await read(context, 'read:erp-stock');
  expect(await alert()).not.toBeNull();
});

test('after an empty first stock list the next read is a full one', async () => {
  await stage.stop();
  await stage.start([]);
  const context = stage.context();
  await read(context, 'read:all-erp-products');
  stage.erp.control.inject({ kind: 'empty', path: '/v1/stock', times: 1 });
  await read(context, 'read:erp-stock');
  expect([await alert(), await cursor()]).toEqual([
    expect.stringContaining('"erp-stock-empty","params":{"sold":10}'),
    undefined,
  ]);
  await read(context, 'read:erp-stock');
  expect(await alert()).toBeNull();
  expect((await store().erp.soldWithStock('main')).stocked).toHaveLength(10);
});

test('a stock list is complete without a product that never had stock, and without one of many products', async () => {
  const context = await standStill(stage);
  await store().erp.recordProducts('main', [erpProduct({ id: 'SERVICE', sku: 'SERVICE' })], {
    listing: null,
    lane: 'poll',
  });
  stage.erp.control.inject({ kind: 'shrink', keep: 0.9, path: '/v1/stock', times: 1 });
  await read(context, 'read:all-erp-stock');
  expect(await alert()).toBeNull();
});

test('a stock change that one read missed is in the next full list', async () => {
  const context = await standStill(stage);
  stage.erp.control.setStock('SB-0009', '1');
  const [changed] = stage.erp.control.state().products.filter(({ sku }) => sku === 'SB-0009');
  const id = changed?.id ?? '';
  const available = async () => (await store().erp.stock('main', id))?.available.toFixed();
  stage.erp.control.inject({ kind: 'empty', path: '/v1/stock', times: 1 });
  await read(context, 'read:erp-stock');
  expect(await available()).not.toBe('1');
  await read(context, 'read:all-erp-stock');
  expect(await available()).toBe('1');
});
