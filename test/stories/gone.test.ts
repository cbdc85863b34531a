import { beforeEach, describe, expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/marketplace/faults.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;

const held = async () =>
  (await stage.store().work.held()).map(({ flow, key, heldFor }) => `${flow} ${key}: ${told(heldFor)}`);
const notes = async (list: string) => {
  const entries = await stage.store().journal.of('main', 'read', list, 10);
  return entries.map(({ action, target, why }) => `${action} ${target}: ${why}`);
};
const open = async (account = '') => {
  stage = await openStage({ account });
  stage.erp.control.seed(4);
  for (const { sku } of stage.erp.control.state().products) stage.erp.control.setStock(sku, '50');
  await stage.sync();
};

describe('a listing that somebody deletes on the marketplace', () => {
  beforeEach(() => open());

  test('a listing deleted on the marketplace is noticed in the next full pass, reported with its witness, and held with both ways out', async () => {
    const { id } = stage.marketplace.productBySku('SB-0001');
    stage.marketplace.deleteProduct(id);
    expect(await stage.sync()).toMatchObject({ written: 0, failed: 0 });
    expect(await notes('products')).toEqual([
      `read.gone listing ${id}: a whole list lacks it, and its side does not show it by its id`,
    ]);
    expect(await held()).toEqual([expect.stringMatching(/^product P-000001: listing-gone .*"witness":"own-get"/)]);
    expect(await stage.sync()).toMatchObject({ written: 0, failed: 0 });
  });

  test('a deleted listing is listed again once it is unlinked, and its alert ends', async () => {
    const { id } = stage.marketplace.productBySku('SB-0001');
    stage.marketplace.deleteProduct(id);
    await stage.sync();
    const mapping = await stage.store().mappings.byMarketplaceId('main', 'product', String(id));
    if (mapping === null) throw new Error('it is linked');
    await stage.store().links.unlink(mapping, 'a test');
    expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
    expect(stage.marketplace.productBySku('SB-0001')).toMatchObject({ available: '50' });
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  });

  test('the alert of a deleted listing ends when its product is deactivated in the ERP', async () => {
    stage.marketplace.deleteProduct(stage.marketplace.productBySku('SB-0001').id);
    await stage.sync();
    stage.erp.control.setProduct('SB-0001', { active: false });
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0, failed: 0 });
  });

  test('a deleted listing that a write meets first raises the same alert: nothing fails, and nothing is repeated', async () => {
    const { id } = stage.marketplace.productBySku('SB-0001');
    await stage.stop();
    await stage.start();
    await until('the daemon is quiet', async () => (await stage.store().work.counts()).length === 0);
    stage.marketplace.deleteProduct(id);
    stage.erp.control.setStock('SB-0001', '40');
    await until('it is held', async () => (await held()).some((line) => line.includes('listing-gone')));
    expect(await held()).toEqual([expect.stringMatching(/^product P-000001: listing-gone .*"witness":"own-write"/)]);
    expect(await stage.store().work.failed()).toEqual([]);
    const entries = await stage.store().journal.of('main', 'stock', 'P-000001', 10);
    expect(entries.filter(({ outcome }) => outcome === 'refused')).toHaveLength(1);
  });

  test('a missing listing is not deleted while the marketplace cannot be asked for it', async () => {
    stage.marketplace.deleteProduct(stage.marketplace.productBySku('SB-0001').id);
    stage.marketplace.faults.set(parseFault('status-before@products.list,status=503,times=100'));
    await stage.sync().catch(() => undefined);
    stage.marketplace.faults.clear();
    expect(await notes('products')).toEqual([]);
  });
});

describe('a payment that somebody deletes', () => {
  const alerts = async () =>
    (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes.map(({ code }) => code));
  const there = () => stage.marketplace.records('order-payments').map(({ id }) => String(id));
  const here = () => stage.erp.control.state().payments.map(({ id }) => id);
  const unlink = async (id: string) => {
    const mapping = await stage.store().mappings.byMarketplaceId('main', 'payment', id);
    if (mapping === null) throw new Error('it is linked');
    await stage.store().links.unlink(mapping, 'a test');
  };
  const MORNING = '2030-01-31T08:30:00.000Z';

  /** Two payments, each on both sides. */
  beforeEach(async () => {
    await open('    payments: { to_marketplace: true, to_erp: true, types: { Bank transfer: wire } }');
    const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
    await stage.sync();
    const order_id = stage.erp.control.findOrders(number)[0]?.id ?? '';
    for (const amount of ['5.00', '7.00']) {
      stage.erp.control.addPayment({ order_id, amount, method: 'Cash', received_at: MORNING });
    }
    await stage.sync();
    expect([there().length, here().length]).toEqual([2, 2]);
  });

  test('a payment deleted on the marketplace is reported, and recorded again once it is unlinked', async () => {
    const [first = ''] = there();
    stage.marketplace.removeRecord('order-payments', first);
    expect(await stage.sync()).toMatchObject({ written: 0, failed: 0 });
    expect(await notes('payments')).toEqual([`read.gone payment ${first}: two whole lists in a row lack it`]);
    expect(await alerts()).toEqual(['payment-gone']);
    await unlink(first);
    expect(await stage.sync()).toMatchObject({ written: 1, held: 0 });
    expect([there().length, await alerts()]).toEqual([2, []]);
  });

  test('the alert of a payment deleted on the marketplace ends once it is voided in the ERP', async () => {
    stage.marketplace.removeRecord('order-payments', there()[0] ?? '');
    await stage.sync();
    const mapped = await Promise.all(
      here().map(async (id) => ((await stage.store().mappings.linkedTo('main', 'payment', id)) ?? '') + id),
    );
    const voided = mapped.find((pair) => !there().some((id) => pair.startsWith(`${id}P`)))?.replace(/^\d+/, '') ?? '';
    stage.erp.control.changePayment(voided, { voided: true });
    await stage.sync();
    expect(await alerts()).toEqual([]);
  });

  test('a payment deleted in the ERP is reported, and entered again once it is unlinked', async () => {
    const [first = ''] = here();
    const linked = (await stage.store().mappings.linkedTo('main', 'payment', first)) ?? '';
    stage.erp.control.removePayment(first);
    expect(await stage.sync()).toMatchObject({ written: 0, failed: 0 });
    expect(await notes('erp-payments')).toEqual([`read.gone ERP payment ${first}: two whole lists in a row lack it`]);
    expect(await alerts()).toEqual(['erp-payment-gone']);
    await unlink(linked);
    expect(await stage.sync()).toMatchObject({ written: 1, held: 0 });
    expect([here().length, await alerts()]).toEqual([2, []]);
  });
});

test('a batch that somebody deletes is reported, and created again once it is unlinked', async () => {
  await open(`
    facilities:
      created_by: 17
      poll: 100ms
      batches: { match: name, fields: { name: batch } }
      map: [{ erp_location: EAST, facility_id: 2 }]`);
  for (const batch of ['LOT-7', 'LOT-8']) {
    stage.erp.control.setStock('SB-0001', '40', { location: 'EAST', batch });
    stage.erp.control.addLot({ sku: 'SB-0001', batch });
  }
  await stage.sync();
  const [first] = stage.marketplace.records('batches').map(({ id }) => String(id));
  stage.marketplace.removeRecord('batches', first ?? '');
  await stage.sync();
  expect(await held()).toContainEqual(expect.stringMatching(/^batch-out .*: batch-gone .*"witness":"second-list"/));
  const mapping = await stage.store().mappings.byMarketplaceId('main', 'batch', first ?? '');
  if (mapping === null) throw new Error('it is linked');
  await stage.store().links.unlink(mapping, 'a test');
  await stage.sync();
  expect((await held()).filter((line) => line.startsWith('batch-out'))).toEqual([]);
  expect(stage.marketplace.records('batches')).toHaveLength(2);
});
