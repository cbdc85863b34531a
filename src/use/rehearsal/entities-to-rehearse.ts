import { FLOWS, flowsOn } from '../../flows/flows.ts';
import type { FlowKey } from '../../flows/resync.ts';
import type { CollectionName } from '../../shadow/collections.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { ProductOfLine } from '../../store/observe.ts';

export interface RequestedEntities {
  readonly products: ReadonlySet<string>;
  /** By marketplace number and ERP id. */
  readonly order: { readonly number: string | null; readonly erpId: string | null } | null;
}

const MOST_ORDERS = 200;

type Keys = Partial<Record<CollectionName, Set<string>>>;

/**
 * What a plan of these must include: they themselves in every flow, an order's products and customer, and a product's
 * pending orders. null: unknown, so everything.
 */
export async function entitiesToRehearse(
  context: AccountRecords,
  asked: RequestedEntities,
): Promise<readonly FlowKey[] | null> {
  const { config } = context;
  // A batch is found by its lot, and there is no index from products to lots.
  if (config.facilities?.batches != null) return null;
  const keys: Keys = {};
  for (const id of asked.products) await addProduct(context, keys, id);
  if (asked.order !== null) await addOrder(context, keys, asked.order);
  return flowsOn(config).flatMap((flow) => [...(keys[FLOWS[flow].keys] ?? [])].map((key) => ({ flow, key })));
}

function add(keys: Keys, list: CollectionName, ...ids: readonly (string | number | null | undefined)[]): void {
  const found = (keys[list] ??= new Set());
  for (const id of ids) if (id != null) found.add(String(id));
}

async function addProduct(context: AccountRecords, keys: Keys, id: string): Promise<void> {
  const { account, store } = context;
  add(keys, 'erp-products', id);
  const { listingId, lines } = await store.observe.stock(account, id, []);
  add(keys, 'products', listingId);
  for (const { number } of lines.slice(-MOST_ORDERS)) {
    const row = await store.work.get({ account, flow: 'order-in', key: number });
    if (row?.state === 'pending') await addOrder(context, keys, { number, erpId: null });
  }
}

async function addOrder(
  context: AccountRecords,
  keys: Keys,
  { number, erpId }: NonNullable<RequestedEntities['order']>,
): Promise<void> {
  const { account, store } = context;
  add(keys, 'transport-orders', number, erpId);
  add(keys, 'orders', number);
  add(keys, 'erp-orders', erpId);
  if (number !== null) {
    const { order, products, customer, erpOrders } = await store.observe.orderIn(account, number, []);
    add(keys, 'erp-orders', ...erpOrders.map(({ id }) => id));
    for (const line of products.values()) await addLine(context, keys, line);
    add(keys, 'customers', order?.order.customer?.id);
    const like = customer?.like.inErp ?? [];
    add(keys, 'erp-customers', customer?.mapping?.erpId, ...like.map(({ id }) => id));
  }
  if (erpId !== null) {
    const { erpOrder, products, customerId } = await store.observe.orderOut(account, erpId);
    for (const line of products.values()) await addLine(context, keys, line);
    add(keys, 'customers', customerId);
    add(keys, 'erp-customers', erpOrder?.customer.id);
  }
}

/** A line's product: linked, or matching by id or SKU. */
async function addLine({ account, store }: AccountRecords, keys: Keys, { listing, erp }: ProductOfLine): Promise<void> {
  add(keys, 'products', listing?.id);
  add(keys, 'erp-products', erp?.id);
  if (erp !== null || listing === null) return;
  add(keys, 'erp-products', listing.externalId);
  if (listing.sku !== null)
    add(keys, 'erp-products', ...(await store.erp.productsBySku(account, listing.sku)).map(({ id }) => id));
}
