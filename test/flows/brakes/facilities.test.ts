import { expect, test } from 'vitest';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { observePolicy } from '../../../src/flows/engine/observe-policy.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { readMeasurements } from '../../../src/shadow/read-measurements.ts';
import { at, d, erpProduct, product, productBatch, stockRow, useShelf } from '../../store/shelf.ts';
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();
const signal = new AbortController().signal;
const FACILITIES = { created_by: 17, map: [{ erp_location: 'EAST', facility_id: 1, batch_id: 1 }] };
const LISTINGS = { 'P-1': 71, 'P-2': 72 } as const;

/** Two products at one facility have just run out in the ERP. The limit allows one. */
async function open() {
  const { store } = shelf();
  const sent: unknown[] = [];
  const rows = Object.values(LISTINGS).map((id) => ({
    product_id: id,
    facility_id: 1,
    batch_id: 1,
    on_hand_quantity: '40',
    reserved_quantity: '0',
    available_quantity: '40',
  }));
  const client = {
    list: async () => ({ count: rows.length, more: false, rows, invalidRows: [], raw: rows }),
    call: async (_: string, { body }: { body: unknown }) => {
      sent.push(body);
      return { command_id: 17 };
    },
  } as unknown as AccountContext['client'];
  const config = accountConfig({ facilities: FACILITIES, brakes: { zero: { count: 1, percent: 100 } } });
  const context = accountContext(store, config, { client, now: () => shelf().nowMs });
  for (const fact of ['listings-known', 'first-linked']) await store.facts.set('main', fact, 'yes');
  for (const [key, id] of Object.entries(LISTINGS)) {
    const sku = `SKU ${key}`;
    await store.erp.recordProducts('main', [erpProduct({ id: key, sku })], { listing: null, lane: 'poll' });
    await store.products.record(productBatch([product({ id, sku, externalId: key })]));
    await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: String(id), erpId: key, how: 'sku' });
  }
  await readMeasurements(context, { key: 'all', lane: 'poll', signal });
  await shelf().takeWork();
  const none = { location: 'EAST', onHand: d('0'), available: d('0'), asOf: at(2) };
  const ranOut = Object.keys(LISTINGS).map((key) => stockRow({ ...none, productId: key, sku: `SKU ${key}` }));
  await store.erp.recordStock('main', ranOut, 'poll');
  const reconcile = (key: string) =>
    FLOW_RUNS['facility-stock'].reconcile(context, { key, lane: 'poll', signal }, (action) =>
      observePolicy(context, { flow: 'facility-stock', key }, false, action),
    );
  return { sent, reconcile };
}

test.each(['stock', 'facility-stock'])(
  'a second facility write that waits as %s is judged together with the first',
  async (flow) => {
    const { sent, reconcile } = await open();
    await shelf().takeWork();
    await shelf().store.work.mark([{ account: 'main', flow, key: 'P-2' }], 'poll', 'stock changed in the ERP');
    expect(await reconcile('P-1')).toMatchObject({
      state: 'held',
      causes: [
        {
          code: 'brake-plan',
          params: { exceeds: { code: 'too-many-writes', params: { count: 2, span: 'pass', most: 1 } } },
        },
      ],
    });
    expect(sent).toEqual([]);
  },
);

test('a single facility write is within the limit of the brake', async () => {
  const { sent, reconcile } = await open();
  await shelf().takeWork();
  expect(await reconcile('P-1')).toMatchObject({ written: 1 });
  expect(sent).toHaveLength(1);
});
