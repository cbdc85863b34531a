import type { AccountContext } from '../../src/flows/engine/context.ts';
import { observePolicy } from '../../src/flows/engine/observe-policy.ts';
import { STATE_SHOWN } from '../../src/flows/order/in/tax-state.ts';
import { FLOW_RUNS } from '../../src/flows/runs.ts';
import type { Store } from '../../src/store/store.ts';
import { at, erpOrder, erpProduct, line, order, orderBatch, product, productBatch, stockRow } from '../store/shelf.ts';
import { countCalls } from '../support/count-calls.ts';
import { accountConfig, accountContext } from './account.ts';

const KEY = '1001';
const MOST_LOOKS = 5;
const PRODUCTS = [
  { id: 'P-1', sku: 'SB-1', listingId: 70 },
  { id: 'P-2', sku: 'SB-2', listingId: 71 },
] as const;

/** An accepted order of two lines, whose products are listed and linked. */
export async function seedOrder(store: Store): Promise<void> {
  for (const { id, sku, listingId } of PRODUCTS) {
    await store.erp.recordProducts('main', [erpProduct({ id, sku })], { listing: 1, lane: 'poll' });
    await store.erp.recordStock('main', [stockRow({ productId: id, sku })], 'poll');
    await store.products.record(productBatch([product({ id: listingId, sku, externalId: id })]));
    const link = { account: 'main', kind: 'product', marketplaceId: String(listingId), erpId: id, how: 'sku' } as const;
    await store.mappings.link(link);
  }
  await store.orders.record(orderBatch([accepted()]));
}

function accepted() {
  return order({ number: KEY, lines: [line(), line({ id: 2, productId: 71 })], status: 'Accepted' });
}

/** Lets a worker look at the order until nothing is left to do. Returns the calls to the store. */
export async function bringHome(own: Store): Promise<readonly string[]> {
  await own.strategies.comeIntoForce('main', 'submitted-available', 'a test');
  // Only the first order that ever showed a state of delivery puts it on record.
  await own.facts.set('main', STATE_SHOWN, 'o-0');
  const { store, calls } = countCalls(own);
  const made = erpOrder({ reference: KEY, changedAt: at(2) });
  const erp = { findOrders: async () => [], createOrder: async (draft: object) => ({ ...made, ...draft }) };
  const client = { call: async () => ({ number: KEY, external_id: made.id }) };
  const context = accountContext(store, accountConfig({ orders: { on_unmapped_customer: 'pass' } }), {
    erp: erp as unknown as AccountContext['erp'],
    client: client as unknown as AccountContext['client'],
  });
  const target = { account: 'main', flow: 'order-in', key: KEY };
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const row = await store.work.get(target);
    if (row === null) break;
    const look = { key: KEY, lane: row.lane, signal: AbortSignal.timeout(600_000), version: row.version };
    const result = await FLOW_RUNS['order-in'].reconcile(context, look, (action) =>
      observePolicy(context, { flow: 'order-in', key: KEY }, false, action),
    );
    if (result.state === 'gives-way') await store.work.giveWay(row, row.version);
    else if (await store.work.settle(row, row.version)) break;
  }
  return calls;
}
