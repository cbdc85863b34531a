import { z } from 'zod';
import { Decimal, sum, ZERO } from '../../domain/decimal.ts';
import { cut, figure, stamps, unit, unitsIn } from './values.ts';

/** In the product's default unit. */
const moveRecord = z.object({ id: z.int(), state: z.string(), internal_quantity: figure, ...stamps });

/** Only a line's moves tell the quantities shipped and given up. */
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

/** In the product's default unit. */
export interface LineFigures {
  readonly ordered: Decimal;
  readonly unitPrice: Decimal;
  readonly shipped: Decimal;
  readonly givenUp: Decimal;
  /** Neither shipped nor given up. The ERP reserves it even while no moves are planned. */
  readonly open: Decimal;
}

/** The decimals of a unit price, where a case price is divided. */
export const UNIT_PRICE_DIGITS = 10;

export function figuresOf(line: Line): LineFigures {
  const { 'unit.': used, 'product.': product } = line;
  const perUnit = used === null || product === null ? new Decimal(1) : unitsIn(used, product['default_uom.']);
  const ordered = cut((line.quantity ?? ZERO).times(perUnit));
  const moved = (taken: (move: z.output<typeof moveRecord>) => boolean) =>
    sum(line['moves.'].filter(taken).map((move) => move.internal_quantity));
  const shipped = moved(({ state }) => state === 'done');
  // A cancelled move is given up only once a person decided so.
  const givenUp = moved(({ id, state }) => state === 'cancelled' && line.moves_ignored.includes(id));
  return {
    ordered,
    unitPrice: (line.unit_price ?? ZERO).dividedBy(perUnit).toDecimalPlaces(UNIT_PRICE_DIGITS),
    shipped,
    givenUp,
    open: Decimal.max(ordered.minus(shipped).minus(givenUp), ZERO),
  };
}

/** Cancelled moves that nobody has yet planned again or given up. */
export function undecidedMoves({ 'moves.': moves, moves_ignored, moves_recreated }: Line): number[] {
  const decided = new Set([...moves_ignored, ...moves_recreated]);
  return moves.filter(({ id, state }) => state === 'cancelled' && !decided.has(id)).map(({ id }) => id);
}

/** Whether a line is of goods, not of services. */
export function isGoods({ type, 'product.': product }: Line): boolean {
  return type === 'line' && product !== null && product['template.'].type !== 'service';
}
