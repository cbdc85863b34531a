import { expect, test } from 'vitest';
import type { ErpStock } from '../../../src/domain/shadow/erp-stock.ts';
import type { ErpLot } from '../../../src/erp/connector.ts';
import { exact } from '../../support/units.ts';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();

const lot = (changes: Partial<ErpLot> = {}): ErpLot => ({
  id: 'L-1',
  productId: 'P-1',
  batch: 'LOT-7',
  attributesText: '{"grade":1.50}',
  changedAt: '2030-01-31T08:30:00.000Z',
  ...changes,
});
const batch = (id: number, matchKey: string | null) => ({
  id,
  matchKey,
  content: JSON.stringify({ id, name: matchKey }),
});
const work = () => shelf().takeWork();
const stock = (onHand: string, asOf: string): ErpStock => ({
  sku: 'SB-1',
  productId: 'P-1',
  location: 'EAST',
  batch: 'LOT-7',
  onHand: exact(onHand),
  reserved: exact(0),
  available: exact(onHand),
  asOf,
  problem: null,
});

test('a lot is stored with its exact digits, and is marked with the stock of its product when it changes', async () => {
  const { erp } = shelf().store;
  await erp.recordLots('main', [lot()], 'poll');
  expect(await erp.lot('main', 'L-1')).toEqual(lot());
  expect(await erp.lotIds('main', '', 10)).toEqual(['L-1']);
  expect(await work()).toEqual(['batch-out L-1', 'stock P-1']);
  await erp.recordLots('main', [lot({ changedAt: '2030-01-31T09:00:00.000Z' })], 'poll');
  expect(await work()).toEqual([]);
  await erp.recordLots('main', [lot({ productId: 'P-2', changedAt: '2030-01-31T10:00:00.000Z' })], 'poll');
  expect(await work()).toEqual(['batch-out L-1', 'stock P-1', 'stock P-2']);
});

test('a lot is marked when it comes into stock, and not when only the figure moves', async () => {
  const { erp } = shelf().store;
  await erp.recordLots('main', [lot()], 'poll');
  await work();
  await erp.recordStock('main', [stock('0', '2030-01-31T08:30:00.000Z')], 'poll');
  expect(await work()).toEqual(['stock P-1']);
  await erp.recordStock('main', [stock('5', '2030-01-31T08:31:00.000Z')], 'poll');
  expect(await work()).toEqual(['batch-out L-1', 'stock P-1']);
  await erp.recordStock('main', [stock('4', '2030-01-31T08:32:00.000Z')], 'poll');
  expect(await work()).toEqual(['stock P-1']);
});

test('a batch is found by its value with the lot that it belongs to; the link marks both flows', async () => {
  const { batches, erp, mappings, observe } = shelf().store;
  await batches.record('main', [batch(31, 'LOT-7'), batch(32, 'LOT-7'), batch(33, null)], 'poll');
  await batches.record('other', [batch(31, 'LOT-7')], 'poll');
  expect(await batches.get('main', 33)).toEqual(batch(33, null));
  expect(await batches.get('main', 34)).toBeNull();
  await erp.recordLots('main', [lot()], 'poll');
  await work();
  expect(await observe.batchOut('main', 'L-1', [])).toMatchObject({ lot: lot(), shown: null, createInDoubt: false });
  await mappings.link({ account: 'main', kind: 'batch', marketplaceId: '31', erpId: 'L-1', how: 'equal' });
  expect(await work()).toEqual(['batch-out L-1', 'stock P-1']);
  expect(await batches.withKey('main', 'LOT-7')).toEqual([
    { id: 31, lotId: 'L-1' },
    { id: 32, lotId: null },
  ]);
  expect((await observe.batchOut('main', 'L-1', [])).shown).toEqual(batch(31, 'LOT-7'));
  expect([...(await observe.facilityStock('main', 'P-1', [])).batches]).toEqual([['LOT-7', 31]]);
  await batches.record('main', [batch(31, 'LOT-7'), batch(32, 'LOT-8')], 'poll');
  expect(await work()).toEqual([]);
  await batches.record('main', [batch(31, 'LOT-9')], 'poll');
  expect(await work()).toEqual(['batch-out L-1']);
});

test('two lots of one name and product match no batch', async () => {
  const { erp, mappings, observe } = shelf().store;
  await erp.recordLots('main', [lot(), lot({ id: 'L-2' })], 'poll');
  await mappings.link({ account: 'main', kind: 'batch', marketplaceId: '31', erpId: 'L-1', how: 'equal' });
  expect([...(await observe.facilityStock('main', 'P-1', [])).batches]).toEqual([['LOT-7', null]]);
});

test('a link of a batch that replaces two others marks both lots and the stock of their products', async () => {
  const { erp, links } = shelf().store;
  await erp.recordLots('main', [lot(), lot({ id: 'L-2', productId: 'P-2' })], 'poll');
  const ids = (marketplaceId: string, erpId: string) =>
    ({ account: 'main', kind: 'batch', marketplaceId, erpId, how: 'operator' }) as const;
  await links.link(ids('31', 'L-1'), false, 'Ann');
  await links.link(ids('32', 'L-2'), false, 'Ann');
  await work();
  await links.link(ids('31', 'L-2'), true, 'Ann');
  expect(await work()).toEqual(['batch-out L-1', 'batch-out L-2', 'stock P-1', 'stock P-2']);
});
