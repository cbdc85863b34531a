import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { CallFailure } from '../../../domain/failure.ts';
import { isBefore } from '../../../domain/instant.ts';
import type { OrderLine } from '../../../domain/order.ts';
import { isSold } from '../../../domain/product.ts';
import { ExpressionError } from '../../../expressions/expression-error.ts';
import { evaluateNamed } from '../../../expressions/rule.ts';
import { parseJson } from '../../../http/json.ts';
import { orderCreateBody } from '../../../marketplace/entities/bodies.ts';
import type { Answer } from '../../../marketplace/request.ts';
import type { AccountRecords, Look, MarketplaceReading } from '../../../shadow/context.ts';
import { erpOrderInput } from '../../../shadow/erp-input.ts';
import { readBeforeCreate } from '../../../shadow/last-read.ts';
import { recordOrderAnswer } from '../../../shadow/shadow.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { OrderOutRows } from '../../../store/observe.ts';
import { invalidRowText } from '../../../store/reading.ts';
import type { AccountContext } from '../../engine/context.ts';
import { createOnce, similarEntities } from '../../engine/create-once.ts';
import type { Applied, Flow, WriteLook } from '../../engine/flow.ts';
import { withoutCancelledUnits } from '../partial-shipment.ts';
import { type CreateOrder, decideOrderOut, type KnownListing, type OrderOutSnapshot } from './decide.ts';

type OrderRow = Answer<'orders.list'>;

/** Creates ERP-made orders on the marketplace, once. Key: ERP order id. */
export const orderOutFlow: Flow<OrderOutSnapshot, CreateOrder> = {
  name: 'order-out',
  decide: decideOrderOut,
  apply: createMarketplaceOrder,

  async observe({ account, config, store }, key) {
    const rows = await store.observe.orderOut(account, key);
    const erpOrder = rows.erpOrder === null ? null : withoutCancelledUnits(rows.erpOrder);
    return {
      ...rows,
      key,
      erpOrder,
      wanted: await isWanted(config.orders.fromErp, erpOrder),
      invalidErpRow: invalidRowText(rows.invalidErpRow),
      customerId: customerOf(rows),
      products: listingsOf(rows, config.products.archive),
      units: config.units,
      currency: config.currency,
    };
  },
};

/** An order without a date is as old as its last change. An invalid row may be any order. */
async function isWanted(
  rules: AccountRecords['config']['orders']['fromErp'],
  erpOrder: StoredErpOrder | null,
): Promise<boolean | Cause> {
  if (rules === null) return false;
  if (erpOrder === null) return true;
  if (erpOrder.origin !== 'erp' || isBefore(erpOrder.createdAt ?? erpOrder.changedAt, rules.since)) return false;
  if (rules.when === null) return true;
  try {
    return (await evaluateNamed(rules.when, erpOrderInput(erpOrder), 'orders.from_erp.when')) === true;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return cause('order-rule-problem', { erpOrder: erpOrder.id, problem: error.message });
  }
}

function customerOf({ erpOrder, customerId }: OrderOutRows): number | null {
  return erpOrder?.customer.marketplaceId ?? (customerId === null ? null : Number(customerId));
}

/** The marketplace accepts no order for an archived listing, so one that is about to be archived counts as archived. */
function listingsOf({ products }: OrderOutRows, archives: boolean): Map<string, KnownListing> {
  const found = new Map<string, KnownListing>();
  for (const [sku, { erp, listing }] of products) {
    if (listing === null) continue;
    const unitMultiplier = listing.unitMultiplier ?? erp.unitMultiplier;
    const archived = listing.archived || (archives && !isSold(erp));
    found.set(sku, { id: listing.id, archived, unitMultiplier, erpPrice: erp.price });
  }
  return found;
}

async function createMarketplaceOrder(context: AccountContext, look: WriteLook, action: CreateOrder): Promise<Applied> {
  const { account, client, store } = context;
  return createOnce<OrderRow>(context, {
    intent: { kind: 'order-out', key: look.key },
    alwaysFind: true,
    find: () => findByExternalId(context, look),
    unprovable: () => lookAlike(context, action),
    create: action.adoptOnly
      ? null
      : async (sending) =>
          withNumber(await client.call('orders.create', { body: bodyOf(context, look, action) }, { ...look, sending })),
    record: async (row) => {
      const tick = await store.cursors.tick(account);
      await recordOrderAnswer(context, row.number, row, { lane: look.lane, knownBeforeTick: tick });
      // The list contains what the answer omits, such as the lines.
      await context.requestRead('orders');
    },
    idOf: ({ number }) => number,
  });
}

function bodyOf({ config }: AccountRecords, look: Look, action: CreateOrder) {
  const draft = {
    sellerId: config.marketplace.sellerId,
    customerId: action.customerId,
    status: action.status,
    lines: action.lines.map(({ productId, quantity, priceAmount }) => ({
      productId,
      quantity,
      orderedUnitPrice: { amount: priceAmount, currency: action.currency },
    })),
    discountAmount: action.discount,
    externalId: look.key,
  };
  return orderCreateBody(draft);
}

/**
 * The spec does not show the answer to a create. Without a number, the order is looked up as if the answer were lost.
 */
function withNumber(answer: Answer<'orders.create'>): OrderRow {
  if (typeof answer?.number === 'string') return answer as OrderRow;
  const message =
    'marketplace orders.create answered without the number of the order: it is looked up by its external_id';
  throw new CallFailure(message, { side: 'marketplace', kind: 'unavailable', outcome: 'unknown' });
}

/** Searches the orders read since by external id: polls first, then reads the shadow. */
async function findByExternalId(context: MarketplaceReading, look: Look): Promise<OrderRow[]> {
  const { account, store } = context;
  const earlier = await store.intents.unsettled({ account, kind: 'order-out', key: look.key });
  // Only a read that begins now shows the result of an earlier attempt.
  if (earlier !== null) await context.readNow('orders', look);
  else await readBeforeCreate(context, look, 'orders');
  const rows: OrderRow[] = [];
  for (const number of await store.orders.byExternalId(account, look.key)) {
    const raw = await store.orders.raw(account, number);
    if (raw !== null) rows.push(parseJson(raw) as OrderRow);
  }
  return rows;
}

/**
 * A marketplace that ignores external_id on create leaves an order that only its content identifies. If the sent lines
 * or the order's lines are unknown, any order of the customer may be it.
 */
async function lookAlike({ account, store }: AccountRecords, action: CreateOrder) {
  const textOf = (lines: readonly Pick<OrderLine, 'productId' | 'quantity'>[]) =>
    lines
      .map((line) => `${line.productId} ${line.quantity.toFixed()}`)
      .toSorted()
      .join();
  const wanted = textOf(action.lines);
  const alike = (await store.orders.unmarked(account, action.customerId)).filter(
    ({ lines }) => lines === null || wanted === '' || textOf(lines) === wanted,
  );
  const unlinked: string[] = [];
  for (const { order } of alike) {
    const mapping = await store.mappings.byMarketplaceId(account, 'order', order.number);
    if (mapping === null) unlinked.push(order.number);
  }
  return similarEntities('Similar orders without an external_id', unlinked);
}
