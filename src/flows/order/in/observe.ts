import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { reportedGone } from '../../../domain/gone.ts';
import { orderStanding } from '../../../domain/history.ts';
import { agreedPrices, baseOf, withRenamedSkus } from '../../../domain/order-base.ts';
import { rankOf } from '../../../domain/status.ts';
import { STRATEGIES } from '../../../domain/strategy.ts';
import type { Capabilities } from '../../../erp/capabilities.ts';
import type { ErpOrderLine } from '../../../erp/connector.ts';
import { parseJson } from '../../../http/json.ts';
import { storedField } from '../../../marketplace/dialect.ts';
import { field, readDay } from '../../../marketplace/entities/amounts.ts';
import { customerState } from '../../../marketplace/entities/order.ts';
import type { AccountRecords } from '../../../shadow/context.ts';
import { capabilitiesIn, STATED_CAPABILITIES } from '../../../shadow/erp-capabilities.ts';
import { ordersReadAfter } from '../../../shadow/last-read.ts';
import { FIRST_START, ordersFromIn } from '../../../shadow/orders-from.ts';
import { CUSTOMERS_KNOWN } from '../../../shadow/read-customers.ts';
import { differingIn, REFERENCE_DIFFERS } from '../../../shadow/references.ts';
import { type StoredErpOrder, TAKEN_SKUS } from '../../../store/erp.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import type { OrderInRows } from '../../../store/observe.ts';
import { invalidRowText } from '../../../store/reading.ts';
import { readAddress } from '../../customer/in/create.ts';
import { reasonToWait } from '../../customer/in/decide.ts';
import { matchMarketplaceCustomer } from '../../customer/out/match.ts';
import type { AccountContext } from '../../engine/context.ts';
import { FIRST_LINKED } from '../../engine/first-links.ts';
import { partialShipmentText, withoutCancelledUnits } from '../partial-shipment.ts';
import { CANCEL_REFUSED, EDIT_REFUSED, MONEY_REFUSED } from './apply.ts';
import { BACKORDER, isBackInStock } from './backorder.ts';
import { graceLeftMs } from './grace.ts';
import { knownProducts } from './known-products.ts';
import { unsettledMs } from './sent-status.ts';
import type { KnownListing, OrderInSnapshot } from './snapshot.ts';
import { STATE_FACTS, statesIn } from './tax-state.ts';
import { waitForOpenCreate } from './wait-for-open-create.ts';
import { type KnownProduct, type WantedOrder, wantedOrder } from './wanted.ts';

type Config = AccountContext['config'];

/** A customer that the ERP did not find is searched for again after this time. */
const ASKED_AGAIN_MS = 24 * 60 * 60_000;

const FACTS = [
  ...CUSTOMERS_KNOWN,
  STATED_CAPABILITIES,
  FIRST_LINKED,
  FIRST_START,
  REFERENCE_DIFFERS,
  TAKEN_SKUS,
  ...STATE_FACTS,
];

export async function observeOrder(context: AccountRecords, number: string): Promise<OrderInSnapshot> {
  const { account, config, store } = context;
  const [refused, editRefused] = [MONEY_REFUSED + number, EDIT_REFUSED + number];
  const cancelRefused = CANCEL_REFUSED + number;
  const rows = await store.observe.orderIn(account, number, [...FACTS, refused, editRefused, cancelRefused]);
  const { order, presentSkus } = rows;
  const can = capabilitiesIn(config, rows.facts);
  const linked = rows.mapping?.state === 'linked';
  const from = ordersFromIn(config, rows.facts);
  const [only] = rows.erpOrders;
  const base = rows.base === null || only === undefined ? null : baseOf(rows.base, only.id);
  const states = statesIn(context, rows.facts);
  const wanted = await wantedNow(context, can, { ...rows, base, ...states });
  const underPresentSku = (line: ErpOrderLine) => ({ ...line, sku: presentSkus.get(line.sku) ?? line.sku });
  return {
    number,
    order,
    invalidRow: invalidRowText(rows.invalidRow),
    // The order's lines may still have a product's previous SKU, which is no edit.
    erpOrders: rows.erpOrders
      .map((erpOrder) => ({ ...erpOrder, lines: erpOrder.lines.map(underPresentSku) }))
      .map((erpOrder) => (can.partialShipments ? withoutCancelledUnits(erpOrder) : erpOrder)),
    short: only === undefined || !can.partialShipments ? null : partialShipmentText(only),
    invalidErpRow: invalidRowText(rows.invalidErpRow),
    orphan: await orphanOf(context, rows),
    linked,
    base: base === null ? null : withRenamedSkus(base, presentSkus),
    graceLeftMs: order === null ? null : await graceLeftMs(context, order.order.status, only),
    unsettledMs: await unsettledMs(context, base?.statusSent, {
      marketplace: order?.order.status ?? '',
      erp: only?.status ?? '',
    }),
    listings: listingsOf(rows),
    beside: rows.beside,
    reusing: rows.reusing,
    ofOther: rows.ofOther,
    externalIdOf: await externalIdOf(context, rows),
    createInDoubt: rows.createInDoubt,
    referencesDiffer: differingIn(rows.facts),
    openCreate: order === null || linked ? null : waitForOpenCreate(order, rows, wanted),
    wanted,
    ...states,
    backInStock:
      config.orders.acceptBackorders &&
      order?.order.status === BACKORDER &&
      isBackInStock(order.lines, (id) => rows.products.get(id)?.listing ?? null, config.units),
    standing: order === null ? 'work' : orderStanding(order.seen, from),
    from: from?.at ?? null,
    customer: customerOf(config, rows, context.now()),
    delivery: can.orderDetails ? await deliveryOf(context, number, rows) : {},
    moneyRefused: rows.facts.get(refused) ?? null,
    editRefused: rows.facts.get(editRefused) ?? null,
    cancelRefused: JSON.parse(rows.facts.get(cancelRefused) ?? 'null') as OrderInSnapshot['cancelRefused'],
    rules: rulesOf(config, can),
  };
}

function rulesOf(config: AccountRecords['config'], can: Capabilities): OrderInSnapshot['rules'] {
  return {
    strategy: STRATEGIES[config.inventory.strategy],
    transitions: config.marketplace.transitions,
    onUnmappedCustomer: config.orders.onUnmappedCustomer,
    currency: config.currency,
    units: config.units,
    prices: config.orders.prices,
    erpEdits: config.orders.erpEdits,
    deleted: config.orders.deleted,
    totalsComputed: can.totals === 'computed',
    editing: can.editing,
    chargeEdits: can.chargeEdits,
  };
}

/**
 * An ERP order may have a number that no marketplace order has: a person copied it or changed its reference. With an
 * unknown customer, it may belong to another marketplace.
 */
async function orphanOf(
  context: AccountRecords,
  { order, mapping, erpOrders, createInDoubt, facts }: OrderInRows,
): Promise<OrderInSnapshot['orphan']> {
  if (order !== null || mapping !== null || createInDoubt || differingIn(facts) !== null) return null;
  const { account, store } = context;
  for (const { id, status, customer, changedTick } of erpOrders) {
    if (status !== 'reserved' || (await store.mappings.byErpId(account, 'order', id)) !== null) continue;
    if (!(await isKnownCustomer(context, customer))) continue;
    return { erpOrder: id, isCertain: await ordersReadAfter(context, changedTick) };
  }
  return null;
}

async function isKnownCustomer({ account, store }: AccountRecords, { id, marketplaceId }: StoredErpOrder['customer']) {
  if (id != null && (await store.mappings.byErpId(account, 'customer', id)) !== null) return true;
  return marketplaceId != null && (await store.customers.get(account, marketplaceId)) !== null;
}

async function externalIdOf(
  { account, store }: AccountRecords,
  { carried }: OrderInRows,
): Promise<OrderInSnapshot['externalIdOf']> {
  if (carried === null) return null;
  const link = await store.mappings.byErpId(account, 'order', carried.id);
  return link?.marketplaceId ?? (carried.origin === 'marketplace' ? carried.reference : null);
}

function customerOf(config: Config, rows: OrderInRows, nowMs: number): OrderInSnapshot['customer'] {
  const { customer, facts } = rows;
  const none = { erpId: null, gone: null, waits: null };
  if (customer === null) return none;
  const { mapping, stored, like } = customer;
  if (mapping?.state === 'linked') return { ...none, erpId: mapping.erpId, gone: customerGone(config, rows, nowMs) };
  if (config.customers === null) return none;
  if (!CUSTOMERS_KNOWN.every((name) => facts.has(name))) return { ...none, waits: cause('customers-unread') };
  return { ...none, waits: stored === null ? null : reasonToWait(matchMarketplaceCustomer(stored, like)) };
}

/** If customers are not synchronized, no list shows that the customer exists again, so the ERP is asked again. */
function customerGone(config: Config, { order, customer }: OrderInRows, nowMs: number): Cause | null {
  const gone = customer?.erpGone ?? null;
  if (order === null || gone === null) return null;
  if (config.customers === null && nowMs - gone.sinceMs > ASKED_AGAIN_MS) return null;
  const { id, name } = order.order.customer;
  const erpCustomer = customer?.mapping?.erpId ?? '';
  const who = { order: order.order.number, customer: id ?? 0, name, erpCustomer };
  return cause('order-customer-gone', { ...who, ...reportedGone(gone) });
}

/**
 * The spec shows neither address nor delivery day on an order. By default they come from the customer and the transport
 * orders. They are needed only until the ERP has the order.
 */
async function deliveryOf(
  { account, config, store }: AccountRecords,
  number: string,
  { customer, mapping, transports }: OrderInRows,
): Promise<OrderInSnapshot['delivery']> {
  if (mapping?.state === 'linked') return {};
  const order = parseJson((await store.orders.raw(account, number)) ?? 'null');
  const shown = (name: string) => storedField(config.marketplace.dialect.order, order, name);
  const own = readAddress(shown('delivery_address'));
  const theirs = customer?.content == null ? null : readAddress(field(parseJson(customer.content), 'delivery_address'));
  const shipTo = own?.address === undefined ? theirs : own;
  const asked = readDay(shown('requested_date'));
  const [planned] = transports.flatMap(({ requestedOn }) => requestedOn ?? []).toSorted();
  const deliveryDate = asked ?? planned;
  return { ...(shipTo === null ? {} : { shipTo }), ...(deliveryDate === undefined ? {} : { deliveryDate }) };
}

/** Listings of the order's lines and of SKUs that only the ERP's order has. */
function listingsOf({ products, listed }: OrderInRows): Map<string, KnownListing> {
  const found = new Map<string, KnownListing>();
  for (const { erp, listing } of [...products.values(), ...listed.values()]) {
    if (erp === null || listing === null) continue;
    const unitMultiplier = listing.unitMultiplier ?? erp.unitMultiplier;
    found.set(erp.sku, { id: listing.id, archived: listing.archived, unitMultiplier });
  }
  return found;
}

/** An order without a state of delivery takes its customer's. */
function delivered(order: StoredOrder, { customer }: OrderInRows): StoredOrder {
  if (order.order.deliveryState !== null || customer?.content == null) return order;
  const deliveryState = customerState(parseJson(customer.content));
  return { ...order, order: { ...order.order, deliveryState } };
}

async function wantedNow(
  context: AccountRecords,
  can: Capabilities,
  rows: OrderInRows & { readonly statesRead: boolean },
): Promise<WantedOrder | null> {
  const { order } = rows;
  if (order === null) return null;
  if (rankOf(order.order.status) === null) return null;
  return wantedOf(context.config, can, delivered(order, rows), { ...rows, known: await knownProducts(context, rows) });
}

function wantedOf(
  config: Config,
  can: Capabilities,
  order: StoredOrder,
  {
    erpOrders,
    presentSkus,
    base,
    facts,
    known,
    statesRead,
  }: Pick<OrderInRows, 'erpOrders' | 'presentSkus' | 'base' | 'facts'> & {
    readonly known: ReadonlyMap<number, KnownProduct>;
    readonly statesRead: boolean;
  },
): WantedOrder {
  return wantedOrder(order, known, {
    ownSeller: config.marketplace.sellerId,
    units: config.units,
    excise: config.orders.exciseTax,
    statesRead,
    currency: config.currency,
    onUnmappedProduct: takenBy(can, config.orders.onUnmappedProduct),
    areLinksKnown: facts.has(FIRST_LINKED),
    decimals: can.decimals,
    orderDetails: can.orderDetails,
    prices: config.orders.prices,
    agreed: agreedPrices(base),
    entered: (erpOrders[0]?.lines ?? []).map((line) => ({ ...line, sku: presentSkus.get(line.sku) ?? line.sku })),
  });
}

/** If the ERP cannot create products, the order is held for a link. */
function takenBy({ products }: Capabilities, wanted: 'hold' | 'create' | 'pass'): 'hold' | 'create' | 'pass' {
  return wanted === 'create' && !products ? 'hold' : wanted;
}
