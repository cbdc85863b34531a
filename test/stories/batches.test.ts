import { expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/marketplace/faults.ts';
import { told } from '../support/causes.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { type Door, openDoor, retold } from '../support/twisted.ts';

const FACILITIES = `
    facilities:
      created_by: 17
      poll: 100ms
      batches:
        match: name
        fields: { name: batch, expires_on: attributes.expires_on, product: product.sku }
      map:
        - { erp_location: EAST, facility_id: 2 }
        - { erp_location: WEST, facility_id: 3, batch_id: 900 }
`;
const SKU = 'SB-0001';

let stage: Stage;

async function open() {
  stage = await openStage({ account: FACILITIES, timeout: '2s' });
  stage.erp.control.addProducts([{ sku: SKU, name: 'Gummies', on_hand: '0' }]);
  await stage.sync();
  return stage.erp.control;
}

interface Batch {
  readonly id: number;
  readonly name: string;
  readonly expires_on?: string;
}
const batches = async () =>
  (await onMarketplace<{ results: Batch[] }>(stage, 'GET', '/batches/')).results.toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
const shown = () =>
  stage.marketplace
    .inventory(stage.marketplace.productBySku(SKU).id)
    .filter(({ onHand }) => Number(onHand) !== 0)
    .map(({ facility, batch, onHand }) => [facility, batch, onHand]);
const held = async () => (await stage.store().work.held()).map(({ flow, heldFor }) => `${flow}: ${told(heldFor)}`);

test('stock in a lot creates its batch and is stored in it on the marketplace, without an id in the settings', async () => {
  const erp = await open();
  erp.setStock(SKU, '40', { location: 'EAST', batch: 'LOT-7' });
  erp.setStock(SKU, '5', { location: 'EAST', batch: 'LOT-8' });
  const lot = erp.addLot({ sku: SKU, batch: 'LOT-7', attributes: { expires_on: '2030-01-31' } });
  erp.addLot({ sku: SKU, batch: 'LOT-8' });
  erp.addLot({ sku: SKU, batch: 'LOT-9' });
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  const made = await batches();
  expect(made).toMatchObject([{ name: 'LOT-7', expires_on: '2030-01-31', product: SKU }, { name: 'LOT-8' }]);
  expect(shown()).toEqual([
    [2, made[0]?.id, '40'],
    [2, made[1]?.id, '5'],
  ]);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });

  erp.setLot(lot.id, { attributes: { expires_on: '2031-02-28' } });
  expect(await stage.sync()).toMatchObject({ written: 1 });
  expect((await batches())[0]).toMatchObject({ expires_on: '2031-02-28' });
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
});

test('an existing batch is adopted, and a lot without one raises an alert at its stock', async () => {
  const erp = await open();
  const there = await onMarketplace<Batch>(stage, 'POST', '/batches/', { name: 'LOT-7', expires_on: '2030-01-31' });
  erp.setStock(SKU, '40', { location: 'EAST', batch: 'LOT-7' });
  erp.setStock(SKU, '3', { location: 'EAST', batch: 'LOT-8' });
  erp.setStock(SKU, '2', { location: 'WEST', batch: 'LOT-8' });
  erp.addLot({ sku: SKU, batch: 'LOT-7', attributes: { expires_on: '2030-01-31' } });
  expect(await stage.sync()).toMatchObject({ held: 1 });
  expect((await batches()).map(({ id, name }) => [id, name])).toEqual([[there.id, 'LOT-7']]);
  expect(shown()).toEqual([[2, there.id, '40']]);
  expect(await held()).toEqual([expect.stringContaining('lots-without-batch')]);
});

test('two lots of the same name never share a batch', async () => {
  const erp = await open();
  erp.addProducts([{ sku: 'SB-0002', name: 'Tea', on_hand: '0' }]);
  for (const sku of [SKU, 'SB-0002']) {
    erp.setStock(sku, '4', { location: 'EAST', batch: 'LOT-7' });
    erp.addLot({ sku, batch: 'LOT-7' });
  }
  await stage.sync();
  expect(await batches()).toHaveLength(1);
  expect((await held()).toSorted()).toEqual([
    expect.stringContaining('batch-out: batch-taken'),
    expect.stringContaining('facility-stock: lots-without-batch'),
  ]);
});

test.each(['reset-before', 'reset-after', 'status-after,status=503'])(
  'a batch create with a lost answer (%s) makes one batch',
  async (text) => {
    const erp = await open();
    const [kind = '', ...rest] = text.split(',');
    stage.marketplace.faults.set(parseFault([`${kind}@batches.create,times=1`, ...rest].join(',')));
    erp.setStock(SKU, '40', { location: 'EAST', batch: 'LOT-7' });
    erp.addLot({ sku: SKU, batch: 'LOT-7' });
    await stage.sync();
    await stage.sync();
    expect(await batches()).toHaveLength(1);
    expect(shown()).toHaveLength(1);
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  },
);

test('a batch that somebody creates at the same moment is adopted and not in doubt', async () => {
  const erp = await open();
  await stage.stop();
  await onMarketplace(stage, 'POST', '/batches/', { name: 'LOT-7' });
  erp.setStock(SKU, '40', { location: 'EAST', batch: 'LOT-7' });
  erp.addLot({ sku: SKU, batch: 'LOT-7' });
  await stage.start(['work']);
  await stage.sync();
  expect(await batches()).toHaveLength(1);
});

test.each([
  ['has a row that cannot be read', (row: Batch): object[] => [{ ...row, id: 'odd' }]],
  ['is short of a row', (): object[] => []],
])('while the list of batches %s, no batch is created again', async (_, show) => {
  let door: Door | null = null;
  stage = await openStage({
    account: FACILITIES,
    timeout: '2s',
    through: async (side, url) => {
      const opened = await openDoor(url);
      if (side === 'marketplace') door = opened;
      return opened;
    },
  });
  const erp = stage.erp.control;
  erp.addProducts([{ sku: SKU, name: 'Gummies', on_hand: '0' }]);
  const there = await onMarketplace<Batch>(stage, 'POST', '/batches/', { name: 'LOT-7' });
  erp.setStock(SKU, '40', { location: 'EAST', batch: 'LOT-7' });
  erp.addLot({ sku: SKU, batch: 'LOT-7' });
  (door as unknown as Door).twist = (answer) =>
    answer.method === 'GET' && answer.target.startsWith('/api/v2/batches/') && answer.status === 200
      ? retold(answer, (page: { results: Batch[] }) => ({ ...page, results: page.results.flatMap(show) }))
      : answer;
  await stage.sync().catch(() => null);
  expect((await batches()).map(({ id }) => id)).toEqual([there.id]);
  (door as unknown as Door).twist = null;
  await stage.sync();
  expect((await batches()).map(({ id }) => id)).toEqual([there.id]);
  expect(shown()).toEqual([[2, there.id, '40']]);
});
