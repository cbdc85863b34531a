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

/** The live lines of a listing, in the ledger's form. */
export interface CountedLines {
  readonly lines: readonly (LedgerLine & { readonly order: string })[];
  /** Why a line cannot be counted in ERP units. */
  readonly lineProblem: Cause | null;
  /**
   * How soon to ask again for the ERP's stock figure, because it may not count an order in the ERP yet; null: it counts all of
   * them.
   */
  readonly erpLagMs: number | null;
  readonly counted: CountedOrders;
}

/** The ERP's orders that its figure counts. The ERP may have released one of these orders without our having read it. */
export interface CountedOrders {
  readonly ids: readonly string[];
  /** These orders, and the ERP's orders for all other live lines, whose units are subtracted here. */
  readonly known: readonly string[];
  /** The SKUs under which these orders have the product. */
  readonly skus: readonly string[];
  /** Together they take as much as the ERP holds, and none of them is being shipped. */
  readonly areAll: boolean;
}

/** How soon to ask again for a stock figure that does not count an order yet, at the soonest. */
const ERP_LAG_MS = 500;
/** How often the figure is asked for at most while the ERP's longest transaction may still be open. */
const LOOKS = 8;
/**
 * How often it is asked for at most between two polls of a list: an ERP that is polled once an hour does not move every
 * second.
 */
const LOOKS_A_POLL = 30;

export interface ErpReading {
  /** When the ERP's figure was read, on the ERP's clock. */
  readonly asOf: string | null;
  /** This installation's count of reads when the figure took its present value. */
  readonly changedTick: number;
  /** The units that the ERP holds back for all orders together. */
  readonly reserved: Figure<'units'>;
  /** The ERP's longest transaction: a change from so short a time before may not be in the figure yet. */
  readonly believedMs: number;
  /** The units in a case of the ERP's product, and of the listing. */
  readonly inErp: Multiplier;
  readonly listed: Multiplier;
}

/** Every live line of the listing, split into units that the ERP's figure counts already and units that it does not count. */
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
    const told =
      erpOrder === null || erpOrder.countedSince === null ? ZERO : quantityOf(erpOrder, skus, config.units, inErp);
    const counted =
      asOf !== null && erpOrder?.countedSince != null && isBefore(erpOrder.countedSince, minusMs(asOf, believedMs));
    if (told.greaterThan(0) && !counted)
      erpLagMs = Math.max(ERP_LAG_MS, believedMs / LOOKS, config.erp.pollMs / LOOKS_A_POLL);
    if (counted && erpOrder.status === 'reserved') held.set(erpOrder.id, told);
    const isOnItsWay = erpOrder?.status === 'shipped' && ofOrder.some(({ effect }) => effect === 'reserved');
    const isShippedSince = erpOrder?.status === 'shipped' && erpOrder.changedTick > changedTick;
    isShipping ||= counted && (isOnItsWay || isShippedSince);
    let rest = counted ? told : ZERO;
    for (const { line, effect, seen } of ofOrder) {
      // Units of history left the ERP's books in other ways.
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
  // The figure may hold an order that was shipped since. Then an equal sum may hide another order that was let go of.
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

/** A line in cases whose size is not known counts as nothing: fewer units count as held, so fewer are offered. */
function quantityOf(order: Holding, skus: ReadonlySet<string>, units: Units, multiplier: Multiplier): Decimal {
  const ofProduct = order.lines.filter((line) => skus.has(line.sku));
  return sum(ofProduct.map((line) => unitsOfErpLine(units, line.quantity, multiplier) ?? ZERO));
}
