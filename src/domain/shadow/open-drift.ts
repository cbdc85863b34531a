import { MAX_MOVES, type Shift } from '../drift.ts';

/** A difference between the figures that a listing showed and the figures that the program expected there. */
export interface OpenDrift {
  /** This installation's count of reads when the listing showed these figures. */
  readonly tick: number;
  /** The shown figures minus the expected figures. */
  readonly difference: Shift;
  readonly shown: Shift;
  /** False when the expected figures were in doubt themselves. */
  readonly certain: boolean;
  /** The moves of the figures by orders that became known since. */
  readonly moves: readonly Shift[];
  readonly seenAtMs: number;
}

export type SeenFigures = Pick<OpenDrift, 'tick' | 'shown' | 'certain' | 'seenAtMs'> & { readonly expected: Shift };

/** Adds the figures that a listing shows to the drift that is not judged yet. null: nothing differs. */
export function withFigures(open: OpenDrift | null, { expected, ...seen }: SeenFigures): OpenDrift | null {
  const quantity = seen.shown.quantity.minus(expected.quantity);
  const reserved = seen.shown.reserved.minus(expected.reserved);
  if (quantity.isZero() && reserved.isZero()) return null;
  if (open === null) return { ...seen, difference: { quantity, reserved }, moves: [] };
  const difference = {
    quantity: quantity.plus(open.difference.quantity),
    reserved: reserved.plus(open.difference.reserved),
  };
  // Doubt that arose since concerns the moves, and the moves are kept.
  return { ...seen, difference, certain: open.certain, moves: open.moves };
}

/**
 * Adds the move of an order that became known. The order may explain the open difference.
 * @param doubtful it is not sure that the order moved the figures by this much
 */
export function withMove(open: OpenDrift, shift: Shift, doubtful: boolean): OpenDrift {
  return { ...open, moves: [...open.moves, shift].slice(-MAX_MOVES), certain: open.certain && !doubtful };
}
