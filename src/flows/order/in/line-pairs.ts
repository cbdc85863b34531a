import type { ErpOrderLine } from '../../../erp/connector.ts';
import { sameLines } from './wanted.ts';

type Line = Pick<ErpOrderLine, 'sku' | 'quantity' | 'unitPrice'>;

export interface LinePairs<There extends Line> {
  /** Which line of the ERP continues which line of the marketplace. */
  readonly pairs: readonly (readonly [There, ErpOrderLine])[];
  /** Lines that only the marketplace has. */
  readonly there: readonly There[];
  /** Lines that only the ERP has. */
  readonly here: readonly ErpOrderLine[];
  /** The remaining lines have several prices, so any pairing of them could charge or give away units. */
  readonly isUnclear: boolean;
}

type IsPair = (there: Line, here: Line) => boolean;

const samePrice: IsPair = (there, here) => sameLines([there], [{ ...here, quantity: there.quantity }]);
const sameQuantity: IsPair = (there, here) => there.sku === here.sku && there.quantity.equals(here.quantity);

/**
 * Pairs the lines of one SKU on both sides, whatever their order: equal lines first, then lines of equal price, because
 * a line keeps its price when its quantity is edited.
 */
export function pairLines<There extends Line>(
  there: readonly There[],
  here: readonly ErpOrderLine[],
): LinePairs<There> {
  const all = { pairs: [], there: there.toSorted(byQuantity), here: here.toSorted(byQuantity) };
  const priced = [sameLinesOf, samePrice].reduce<Rest<There>>(pairedBy, all);
  const isUnclear = !arePaired(priced) && !isOnePrice(priced) && !isPairedByQuantity(priced);
  const left = pairedBy(pairedBy(priced, sameQuantity), () => true);
  return { ...left, isUnclear };
}

/** Pairs lines whose quantities agree on both sides. */
export function pairEqualQuantities<There extends Line>(
  there: readonly There[],
  here: readonly ErpOrderLine[],
): LinePairs<There>['pairs'] {
  return [sameLinesOf, sameQuantity].reduce<Rest<There>>(pairedBy, { pairs: [], there, here }).pairs;
}

const sameLinesOf: IsPair = (there, here) => sameQuantity(there, here) && samePrice(there, here);

/** The largest line first. The order of the lines on a side says nothing. */
function byQuantity(a: Line, b: Line): number {
  return b.quantity.comparedTo(a.quantity) || b.unitPrice.comparedTo(a.unitPrice);
}

type Rest<There extends Line> = Omit<LinePairs<There>, 'isUnclear'>;

function pairedBy<There extends Line>({ pairs, there, here }: Rest<There>, isPair: IsPair): Rest<There> {
  const [found, open] = [[...pairs], [...here]];
  const left = there.filter((line) => {
    const at = open.findIndex((other) => isPair(line, other));
    const [other] = at < 0 ? [] : open.splice(at, 1);
    if (other !== undefined) found.push([line, other]);
    return other === undefined;
  });
  return { pairs: found, there: left, here: open };
}

function arePaired({ there, here }: Rest<Line>): boolean {
  return there.length === 0 || here.length === 0;
}

function isOnePrice({ there, here }: Rest<Line>): boolean {
  return [there, here].every((lines) => new Set(lines.map(({ unitPrice }) => unitPrice.toFixed())).size === 1);
}

/** Returns whether every line of the ERP has exactly one line of its quantity on the marketplace. */
function isPairedByQuantity({ there, here }: Rest<Line>): boolean {
  return here.every((line) =>
    [there, here].every((lines) => lines.filter((other) => sameQuantity(line, other)).length === 1),
  );
}
