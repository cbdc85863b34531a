import { Decimal } from '../../../domain/decimal.ts';
import { inCurrency } from '../../../domain/money-text.ts';
import {
  agreedQuantities,
  type BaseRecord,
  type BothQuantities,
  changedSkus,
  type Quantities,
  quantitiesOf,
} from '../../../domain/order-base.ts';
import { storedDecimals } from '../../../domain/rounded.ts';
import type { ErpOrderLine } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { pairLines } from './line-pairs.ts';
import { type PriceMove, sameLines, sameQuantities, type WantedOrder } from './wanted.ts';

export type Wanted = Exclude<WantedOrder, { readonly problem: unknown }>;

export interface Compared {
  readonly sides: BothQuantities;
  /** null: no agreed state is known. */
  readonly base: Quantities | null;
  /** The differing SKUs that each side changed since the base. */
  readonly moved: { readonly marketplace: readonly string[]; readonly erp: readonly string[] };
}

export function compare(record: BaseRecord | null, wanted: Wanted, erpOrder: StoredErpOrder): Compared {
  const sides = { marketplace: quantitiesOf(wanted.lines), erp: quantitiesOf(erpOrder.lines) };
  const base = agreedQuantities(record, sides);
  return { sides, base, moved: changedSkus(base ?? sides.erp, sides) };
}

/**
 * SKUs with equal quantities and different prices on the two sides. With different quantities, a SKU counts if no price
 * is common.
 */
export function differingPrices({ lines }: Pick<Wanted, 'lines'>, erpOrder: StoredErpOrder): string[] {
  const theirs = Map.groupBy(erpOrder.lines, ({ sku }) => sku);
  const ours = Map.groupBy(lines, ({ sku }) => sku);
  return [...ours].flatMap(([sku, own]) => {
    const shown = theirs.get(sku);
    return shown === undefined || samePrices(own, shown) ? [] : [sku];
  });
}

function samePrices(ours: readonly ErpOrderLine[], theirs: readonly ErpOrderLine[]): boolean {
  if (sameQuantities(ours, theirs)) return sameLines(ours, theirs);
  return ours.every((line) => theirs.some((other) => sameLines([line], [{ ...other, quantity: line.quantity }])));
}

/** The number of decimals to which the ERP seems to round this figure. null: nothing looks rounded. */
export function roundedDecimals(
  { lines }: Pick<Wanted, 'lines'>,
  erpOrder: StoredErpOrder,
  figure: (line: ErpOrderLine) => Decimal,
): number | null {
  const shown = new Map(erpOrder.lines.map((line) => [line.sku, figure(line)]));
  const isAlike = erpOrder.lines.length === lines.length && lines.every(({ sku }) => shown.has(sku));
  if (erpOrder.origin !== 'marketplace' || shown.size !== lines.length || !isAlike) return null;
  return storedDecimals(lines.map((line) => ({ sent: figure(line), shown: shown.get(line.sku) ?? figure(line) })));
}

/**
 * The lines for the ERP after a change of quantities. Each SKU keeps the ERP's price, which a person may have changed.
 */
export function linesAtKeptPrices(wanted: Wanted, erpOrder: StoredErpOrder): ErpOrderLine[] {
  const apart = new Set(differingPrices(wanted, erpOrder));
  const kept = new Map<ErpOrderLine, ErpOrderLine>();
  for (const sku of apart) {
    const [ours, theirs] = [wanted.lines, erpOrder.lines].map((lines) => lines.filter((line) => line.sku === sku));
    for (const [line, entered] of pairLines(ours ?? [], theirs ?? []).pairs) kept.set(line, entered);
  }
  return wanted.lines.map((line) => {
    const entered = kept.get(line) ?? erpOrder.lines.find(({ sku }) => apart.has(sku) && sku === line.sku);
    return entered === undefined ? line : { ...line, unitPrice: entered.unitPrice };
  });
}

/** `SB-0001 20.80 USD, now 5.00 USD`, with the case if its size has changed. */
export function showMoves(moves: readonly PriceMove[], currency: string): string {
  return moves
    .map(({ sku, cases, agreed, shown }) => {
      const price = `${inCurrency(agreed, currency)}, now ${inCurrency(shown, currency)}`;
      return cases === null
        ? `${sku} ${price}`
        : `${sku} ${price} (a case was of ${cases.agreed.toFixed()} units, now of ${cases.now.toFixed()})`;
    })
    .join('; ');
}

/** `SB-0001 at 20.80 USD`, for some SKUs. */
export function showPrices(lines: readonly ErpOrderLine[], skus: readonly string[], currency: string): string {
  const shown = lines
    .filter(({ sku }) => skus.includes(sku))
    .map((line) => `${line.sku} at ${inCurrency(line.unitPrice, currency)}`);
  return [...new Set(shown)].join(', ');
}

/** In percent. */
export function largestMove(
  before: readonly ErpOrderLine[],
  after: readonly ErpOrderLine[],
  skus: readonly string[],
): Decimal {
  const moves = skus.flatMap((sku) => {
    const [ours, theirs] = [before, after].map((lines) => lines.filter((line) => line.sku === sku));
    const { pairs } = pairLines(ours ?? [], theirs ?? []);
    if (pairs.length === 0) return [new Decimal(100)];
    return pairs.map(([{ unitPrice: from }, { unitPrice: to }]) => {
      if (from.equals(to)) return new Decimal(0);
      return from.isZero() ? new Decimal(100) : to.minus(from).dividedBy(from).times(100).abs();
    });
  });
  return Decimal.max(0, ...moves);
}
