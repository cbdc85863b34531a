import { sentenceOf, sentencesOf } from '../domain/causes/cause.ts';
import { type Decimal, sum } from '../domain/decimal.ts';
import { type StockTarget, stockTarget } from '../domain/ledger.ts';
import { STRATEGIES } from '../domain/strategy.ts';
import { listedOf } from '../domain/units.ts';
import { type OrderUnderBoth, orderUnderBoth, outcomeText } from '../domain/what-if.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { decideOrderIn } from '../flows/order/in/decide.ts';
import { orderInFlow } from '../flows/order/in/flow.ts';
import type { OrderInSnapshot } from '../flows/order/in/snapshot.ts';
import { isOfDatabase, programError } from '../flows/plan-of.ts';
import { decideStock } from '../flows/stock/decide.ts';
import { stockFlow } from '../flows/stock/flow.ts';
import { eachKey } from '../store/each-key.ts';

export type StrategyChange =
  | ({
      readonly kind: 'order';
      readonly number: string;
      readonly status: string;
      readonly units: Decimal;
      readonly now: string;
    } & OrderUnderBoth)
  | {
      readonly kind: 'stock';
      readonly listingId: number;
      readonly sku: string;
      readonly before: string;
      readonly after: string;
      /** Units for buyers, equal under both strategies. */
      readonly available: Decimal;
    }
  /** No strategy can decide the figure. */
  | { readonly kind: 'unknown'; readonly what: string; readonly reason: string };

/**
 * What would change between two strategies, from the shadow: when orders are entered and reserved, and stock figures.
 * No calls or writes.
 */
export async function* strategyChanges(
  context: AccountContext,
  other: AccountContext,
  signal: AbortSignal,
): AsyncGenerator<StrategyChange> {
  const [from, to] = [context.config.inventory.strategy, other.config.inventory.strategy];
  if (from !== to) yield* ordersUnderBoth(context, other, signal);
  if (context.config.facilities === null) yield* stockUnderBoth(context, other, signal);
}

async function* ordersUnderBoth(
  context: AccountContext,
  other: AccountContext,
  signal: AbortSignal,
): AsyncGenerator<StrategyChange> {
  const { account, store } = context;
  for await (const number of eachKey(account, store.orders.numbers, signal)) {
    const change = await ofOne(`order ${number}`, () => orderChange(context, other, number));
    if (change !== null) yield change;
  }
}

async function orderChange(
  { account, store, config }: AccountContext,
  other: AccountContext,
  number: string,
): Promise<StrategyChange | null> {
  const [from, to] = [STRATEGIES[config.inventory.strategy], STRATEGIES[other.config.inventory.strategy]];
  const stored = await store.orders.get(account, number);
  if (stored === null) return null;
  const { status } = stored.order;
  const change = orderUnderBoth(from, to, status);
  if (change === null) return null;
  const snapshot = await orderInFlow.observe(other, number);
  if (!isByStrategy(snapshot)) return null;
  const inErp = snapshot.erpOrders.find(isLive) ?? null;
  const units = sum((stored.lines ?? []).map(({ quantity }) => quantity));
  const now = outcomeText(change.after, inErp, holdText(decideOrderIn(snapshot)));
  return { kind: 'order', number, status, units, ...change, now };
}

/**
 * If our code fails on an entity, its change is unknown and the others go on.
 * @throws database errors
 */
async function ofOne(what: string, change: () => Promise<StrategyChange | null>): Promise<StrategyChange | null> {
  try {
    return await change();
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    return { kind: 'unknown', what, reason: sentenceOf(programError(error)) };
  }
}

function holdText({ holds }: Pick<ReturnType<typeof decideOrderIn>, 'holds'>): string | null {
  return holds.length === 0 ? null : sentencesOf(holds);
}

/** No strategy exports an order that the ERP cancelled or created, or that is too old to count. */
function isByStrategy({ erpOrders, standing }: OrderInSnapshot): boolean {
  const inErp = erpOrders.find(isLive);
  return inErp === undefined ? erpOrders.length === 0 && standing === 'work' : inErp.origin === 'marketplace';
}

function isLive({ status }: { readonly status: string }): boolean {
  return status !== 'cancelled';
}

async function* stockUnderBoth(
  context: AccountContext,
  other: AccountContext,
  signal: AbortSignal,
): AsyncGenerator<StrategyChange> {
  const { account, store, config } = context;
  const fields = [config.inventory.write, other.config.inventory.write] as const;
  if (fields[0] === fields[1]) return;
  for await (const key of eachKey(account, store.erp.productIds, signal)) {
    const change = await ofOne(`ERP product ${key}`, () => stockChange(context, fields, key));
    if (change !== null) yield change;
  }
}

async function stockChange(
  context: AccountContext,
  fields: readonly [StockTarget['field'], StockTarget['field']],
  key: string,
): Promise<StrategyChange | null> {
  const snapshot = await stockFlow.observe(context, key);
  const { listing, stock, sku, lines, rules, unitsIn } = snapshot;
  if (listing === null || sku === null || listing.archived || !listing.managed) return null;
  const hold = holdText(decideStock(snapshot));
  if (hold !== null || stock === null) {
    return { kind: 'unknown', what: `listing ${listing.id} (${sku})`, reason: hold ?? 'the ERP gives no stock for it' };
  }
  const [before, after] = fields.map((field) => {
    const target = stockTarget(field, stock.available, rules.buffer, lines, unitsIn);
    return { text: `${field} ${listedOf(target.value, unitsIn).toFixed()}`, available: target.available };
  });
  if (before === undefined || after === undefined) return null;
  const { available } = after;
  return { kind: 'stock', listingId: listing.id, sku, before: before.text, after: after.text, available };
}
