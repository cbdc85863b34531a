import { cause } from '../domain/causes/cause.ts';
import { CallFailure } from '../domain/failure.ts';
import { later } from '../domain/instant.ts';
import type { ErpOrder } from '../erp/connector.ts';
import { alertsOf, recordFullRead } from './alerts.ts';
import type { ErpReading, Look } from './context.ts';
import { capabilitiesNow } from './erp-capabilities.ts';
import { ERP_LISTED } from './erp-customer-gone.ts';
import { pageRecorder } from './erp-shadow.ts';
import { noteInJournal } from './note.ts';
import { readChanged, readThrough } from './read-erp.ts';
import { beginWitness } from './witness.ts';

/** The most orders asked for by id after one list. The next list continues. */
const MAX_ASKED = 200;

export async function readErpOrders(context: ErpReading, look: Look): Promise<void> {
  const { account, erp, store } = context;
  const shown = new Set<string>();
  const record = pageRecorder(context, look, 'erp-orders', (items: readonly ErpOrder[], askedAtMs) => {
    for (const { id } of items) shown.add(id);
    return store.erp.recordOrders(account, items, look.lane, undefined, askedAtMs);
  });
  const complete = await readChanged(context, look, 'erp-orders', erp.listOrders.bind(erp), record);
  if (!complete || erp.notices?.orders !== 'whole') return;
  // A duplicate may have replaced the linked order. People should neither wait for the daily list nor cancel the only
  // order.
  const duplicated = await withOthersBeside(context);
  if (duplicated.some((id) => !shown.has(id))) await listErpOrders(context, look);
}

/**
 * Lists every ERP order, to find changes outside the reads of changes, and orders that are gone. ERPs may archive ended
 * orders, so of those only orders with a duplicate are checked. An incomplete or empty list proves nothing.
 */
export async function listErpOrders(context: ErpReading, look: Look): Promise<void> {
  const { account, erp, store, now } = context;
  const sinceMs = now();
  const missing = new Set([...(await store.erp.openOrderIds(account)), ...(await withOthersBeside(context))]);
  const witness = await beginWitness(context, 'erp-orders', (order: ErpOrder) => hasRenamed(context, order));
  const record = pageRecorder(context, look, 'erp-orders', async (items: readonly ErpOrder[]) =>
    witness.saw(items, await store.erp.recordOrderList(account, items, { lane: look.lane, sinceMs })),
  );
  let invalidRows = 0;
  const { asOf, complete, rows } = await readThrough(
    context,
    'erp-orders',
    erp.listOrders(null, look.signal),
    async (page) => {
      await record(page);
      // An invalid row also proves that its order exists.
      for (const { id } of [...page.items, ...page.invalidRows]) if (id !== null) missing.delete(id);
      invalidRows += page.invalidRows.length;
    },
  );
  await witness.settle();
  const isEmpty = rows + invalidRows === 0 && missing.size > 0;
  const doubt = !complete
    ? cause('erp-orders-incomplete')
    : isEmpty
      ? cause('erp-orders-empty', { open: missing.size })
      : null;
  const cursor = doubt === null ? asOf : null;
  await recordFullRead(context, { collection: 'erp-orders', to: cursor, rows, cursor }, doubt, 'erp:orders');
  if (cursor === null) return;
  await store.invalidRows.clear(account, 'erp-orders', sinceMs);
  await store.facts.set(account, ERP_LISTED, String(sinceMs));
  if ((await capabilitiesNow(context)).deletions === 'told') return;
  await dropGone(context, look, [...missing].slice(0, MAX_ASKED), cursor);
}

/** An order shows the current SKUs of its products, so a renamed product changes it without changing its time. */
async function hasRenamed({ account, store }: ErpReading, { lines }: ErpOrder): Promise<boolean> {
  for (const sku of new Set(lines.map((line) => line.sku))) {
    for (const { id } of await store.erp.productsBySku(account, sku)) {
      if ((await store.erp.formerSkus(account, id)).length > 0) return true;
    }
  }
  return false;
}

/** Linked orders with an alert about a duplicate, which may have replaced them. */
async function withOthersBeside(context: ErpReading): Promise<string[]> {
  const causes = (await alertsOf(context)).flatMap(({ causes: all }) => all);
  return causes.flatMap(({ code, params }) => (code === 'erp-orders-beside' ? [params.erpOrder] : []));
}

/**
 * Asks for orders by id.
 * @throws CallFailure if the ERP does not return one, because only a full list proves that it is gone
 */
export async function readErpOrdersById(context: ErpReading, look: Look, ids: readonly string[]): Promise<void> {
  const { account, erp, store, now } = context;
  for (const id of ids) {
    const sinceMs = now();
    const shown = await erp.getOrder(id, look.signal);
    if (shown === null) {
      const message = `the ERP does not show its order ${id}`;
      throw new CallFailure(message, { side: 'erp', kind: 'not-found', outcome: 'not-applied', ofRead: true });
    }
    await store.erp.recordOrderList(account, [shown], { lane: look.lane, sinceMs });
  }
}

/** An order missing in the list is gone if the ERP does not return it by id either. */
async function dropGone(context: ErpReading, look: Look, ids: readonly string[], asOf: string): Promise<void> {
  const { account, erp, store, now } = context;
  for (const id of ids) {
    const sinceMs = now();
    const shown = await erp.getOrder(id, look.signal);
    if (shown === null) await drop(context, look, id, { asOf, why: LACKED });
    else await store.erp.recordOrderList(account, [shown], { lane: look.lane, sinceMs });
  }
}

const LACKED = 'a whole list lacks it, and the ERP does not show it by its id';
const REFUSED = 'the ERP refused a write to it, and shows it neither by its id nor by its reference';

async function drop(
  context: ErpReading,
  { lane }: Look,
  id: string,
  { asOf, why }: { readonly asOf: string; readonly why: string },
): Promise<void> {
  const { account, store } = context;
  const before = await store.erp.order(account, id);
  await store.erp.dropOrders(account, [id], { asOf, lane });
  const found = { account, flow: 'read', key: 'erp-orders', action: 'read.gone', target: `ERP order ${id}` };
  await noteInJournal(context, { ...found, before: before?.status ?? null, after: 'gone from the ERP', why });
}

/**
 * After the ERP refused a write to an order: returns whether the order is gone, and records that. A search that
 * succeeds without the order proves that the ERP answers about orders at all, unlike a 404 of a wrong address.
 */
export async function isErpOrderGone(context: ErpReading, look: Look, id: string): Promise<boolean> {
  const { account, erp, store } = context;
  const before = await store.erp.order(account, id);
  if (before === null || (await erp.getOrder(id, look.signal)) !== null) return false;
  const found = await erp.findOrders(before.reference === '' ? id : before.reference, look.signal);
  if (found.some((order) => order.id === id)) return false;
  const read = await store.cursors.get(account, 'erp-orders');
  const asOf = read === null ? before.changedAt : later(before.changedAt, read.value);
  await drop(context, look, id, { asOf, why: REFUSED });
  return true;
}
