import type { AccountConfig } from '../../config/resolve.ts';
import { type Cause, cause } from '../../domain/causes/cause.ts';
import { type Decimal, type Figure, figure, sum, ZERO } from '../../domain/decimal.ts';
import { orderStanding } from '../../domain/history.ts';
import { isBefore, minusMs } from '../../domain/instant.ts';
import type { LedgerLine } from '../../domain/ledger.ts';
import { quantityProblem } from '../../domain/quantity.ts';
import type { Effect } from '../../domain/status.ts';
import { type Multiplier, type Units, unitsOfErpLine, unitsOfLine } from '../../domain/units.ts';
import { ordersFromIn } from '../../shadow/orders-from.ts';
import type { Holding } from '../../store/erp.ts';
import type { SoldRows } from '../../store/observe.ts';

export interface CountedLines {
  readonly lines: readonly (LedgerLine & { readonly order: string })[];
  readonly lineProblem: Cause | null;
  /** Milliseconds until the ERP's stock is read again, because it may not count all orders yet. null: it counts all. */
  readonly erpLagMs: number | null;
  readonly counted: CountedOrders;
}

/** ERP orders that its figure counts. The ERP may have released one unread. */
export interface CountedOrders {
  readonly ids: readonly string[];
  /** `ids`, and the ERP orders of all other live lines, whose units the ledger subtracts. */
  readonly known: readonly string[];
  /** The product's SKUs in these orders. */
  readonly skus: readonly string[];
  /** Their units equal what the ERP reserves, and none is being shipped. */
  readonly areAll: boolean;
}

/** The shortest wait for a stock figure that does not count an order yet. */
const ERP_LAG_MS = 500;
/** The most reads of the figure during the ERP's longest transaction. */
const LOOKS = 8;
/** The most reads between two polls of a list: an ERP that is polled hourly does not change every second. */
const LOOKS_A_POLL = 30;

export interface ErpReading {
  /** When the figure was read, by the ERP's clock. */
  readonly asOf: string | null;
  /** The tick at which the figure took its current value. */
  readonly changedTick: number;
  /** Units that the ERP reserves for all orders. */
  readonly reserved: Figure<'units'>;
  /** The ERP's longest transaction: a change this recent may be missing in the figure. */
  readonly believedMs: number;
  /** Units in a case of the ERP's product, and of the listing. */
  readonly inErp: Multiplier;
  readonly listed: Multiplier;
}

/** Splits the listing's live lines into units that the ERP's figure counts and units that it does not. */
export function countLines(
  config: AccountConfig,
  { lines: found, holdings, skus, facts }: SoldRows,
  { asOf, changedTick, reserved, believedMs, inErp, listed }: ErpReading,
): CountedLines {
  const from = ordersFromIn(config, facts);
  const lines: CountedLines['lines'][number][] = [];
  let lineProblem: Cause | null = null;
  let erpLagMs: number | null = null;
  const held = new Map<string, Decimal>();
  const known: string[] = [];
  let isShipping = false;
  for (const [number, ofOrder] of Map.groupBy(found, (row) => row.number)) {
    const erpOrder = holdings.get(number) ?? null;
    if (erpOrder !== null) known.push(erpOrder.id);
    const heldUnits =
      erpOrder === null || erpOrder.countedSince === null ? ZERO : quantityOf(erpOrder, skus, config.units, inErp);
    const counted =
      asOf !== null && erpOrder?.countedSince != null && isBefore(erpOrder.countedSince, minusMs(asOf, believedMs));
    if (heldUnits.greaterThan(0) && !counted)
      erpLagMs = Math.max(ERP_LAG_MS, believedMs / LOOKS, config.erp.pollMs / LOOKS_A_POLL);
    if (counted && erpOrder.status === 'reserved') held.set(erpOrder.id, heldUnits);
    const isOnItsWay = erpOrder?.status === 'shipped' && ofOrder.some(({ effect }) => effect === 'reserved');
    const isShippedSince = erpOrder?.status === 'shipped' && erpOrder.changedTick > changedTick;
    isShipping ||= counted && (isOnItsWay || isShippedSince);
    let rest = counted ? heldUnits : ZERO;
    for (const { line, effect, seen } of ofOrder) {
      // Units of historic orders left the ERP in other ways.
      if (erpOrder === null && effect === 'consumed' && orderStanding(seen, from) === 'history') continue;
      const perCase = line.unitMultiplier ?? listed;
      const quantity = unitsOfLine(config.units, line.quantity, perCase);
      const problem = quantity === null ? null : quantityProblem(quantity);
      if (quantity === null || problem !== null) {
        const at = { order: number, line: String(line.id) };
        lineProblem ??= problem === null ? cause('line-cases-unknown', at) : cause('line-quantity', { ...at, problem });
        continue;
      }
      const within = quantity.lessThan(rest) ? quantity : rest;
      rest = rest.minus(within);
      lines.push(...split(number, quantity, figure(within), effect));
    }
  }
  // While an order is being shipped, an equal sum may hide another order that was released.
  const areAll = !isShipping && sum([...held.values()]).equals(reserved);
  return { lines, lineProblem, erpLagMs, counted: { ids: [...held.keys()], known, skus: [...skus], areAll } };
}

function split(
  order: string,
  quantity: Figure<'units'>,
  counted: Figure<'units'>,
  effect: Effect,
): CountedLines['lines'] {
  const parts = [
    { order, quantity: counted, effect, counted: true },
    { order, quantity: quantity.minus(counted), effect, counted: false },
  ];
  return parts.filter((part) => !part.quantity.isZero());
}

/** A line in cases of unknown size counts as zero: fewer units count as held, so fewer are offered. */
function quantityOf(order: Holding, skus: ReadonlySet<string>, units: Units, multiplier: Multiplier): Decimal {
  const ofProduct = order.lines.filter((line) => skus.has(line.sku));
  return sum(ofProduct.map((line) => unitsOfErpLine(units, line.quantity, multiplier) ?? ZERO));
}
