import { z } from 'zod';
import { Decimal, sum, ZERO } from '../../domain/decimal.ts';
import { cut, figure, stamps, unit, unitsIn } from './values.ts';

/** A move of stock for a line of a sale. The quantity is in the product's default unit. */
const moveRecord = z.object({ id: z.int(), state: z.string(), internal_quantity: figure, ...stamps });

/** A line of a sale with its moves. Only the moves tell the quantities that were shipped and given up. */
export const lineRecord = z.object({
  id: z.int(),
  type: z.string(),
  quantity: figure.nullable(),
  unit_price: figure.nullable(),
  description: z.string().nullable(),
  'unit.': unit.nullable(),
  'product.': z
    .object({
      id: z.int(),
      code: z.string().nullable(),
      'template.': z.object({ type: z.string() }),
      'default_uom.': unit,
    })
    .nullable(),
  'moves.': z.array(moveRecord),
  moves_ignored: z.array(z.int()),
  moves_recreated: z.array(z.int()),
  ...stamps,
});
export type Line = z.output<typeof lineRecord>;

/** The figures of a line, in the product's default unit. */
export interface LineFigures {
  readonly ordered: Decimal;
  readonly unitPrice: Decimal;
  readonly shipped: Decimal;
  readonly givenUp: Decimal;
  /** The quantity neither shipped nor given up. The ERP reserves it for this line, even while no moves are planned. */
  readonly open: Decimal;
}

/** The decimals of the price of a unit, where the bridge divides the price of a case. */
export const UNIT_PRICE_DIGITS = 10;

export function figuresOf(line: Line): LineFigures {
  const { 'unit.': used, 'product.': product } = line;
  const perUnit = used === null || product === null ? new Decimal(1) : unitsIn(used, product['default_uom.']);
  const ordered = cut((line.quantity ?? ZERO).times(perUnit));
  const moved = (taken: (move: z.output<typeof moveRecord>) => boolean) =>
    sum(line['moves.'].filter(taken).map((move) => move.internal_quantity));
  const shipped = moved(({ state }) => state === 'done');
  // Tryton counts a cancelled move as given up only after a person has decided so.
  const givenUp = moved(({ id, state }) => state === 'cancelled' && line.moves_ignored.includes(id));
  return {
    ordered,
    unitPrice: (line.unit_price ?? ZERO).dividedBy(perUnit).toDecimalPlaces(UNIT_PRICE_DIGITS),
    shipped,
    givenUp,
    open: Decimal.max(ordered.minus(shipped).minus(givenUp), ZERO),
  };
}

/** Cancelled moves of a line for which nobody has decided yet whether to plan them again or to give them up. */
export function undecidedMoves({ 'moves.': moves, moves_ignored, moves_recreated }: Line): number[] {
  const decided = new Set([...moves_ignored, ...moves_recreated]);
  return moves.filter(({ id, state }) => state === 'cancelled' && !decided.has(id)).map(({ id }) => id);
}

/** Is this a line of goods, which lie in a warehouse, and not of services? */
export function isGoods({ type, 'product.': product }: Line): boolean {
  return type === 'line' && product !== null && product['template.'].type !== 'service';
}
