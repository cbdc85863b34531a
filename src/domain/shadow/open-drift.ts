import { MAX_MOVES, type Shift } from '../drift.ts';

export interface OpenDrift {
  /** The tick at which the listing showed this. */
  readonly tick: number;
  /** Shown minus expected. */
  readonly difference: Shift;
  readonly shown: Shift;
  /** False if the expected figures were uncertain. */
  readonly certain: boolean;
  /** Moves of the figures by orders that became known later. */
  readonly moves: readonly Shift[];
  readonly seenAtMs: number;
}

export type SeenFigures = Pick<OpenDrift, 'tick' | 'shown' | 'certain' | 'seenAtMs'> & { readonly expected: Shift };

/** Adds shown figures to the open drift. null: nothing differs. */
export function withFigures(open: OpenDrift | null, { expected, ...seen }: SeenFigures): OpenDrift | null {
  const quantity = seen.shown.quantity.minus(expected.quantity);
  const reserved = seen.shown.reserved.minus(expected.reserved);
  if (quantity.isZero() && reserved.isZero()) return null;
  if (open === null) return { ...seen, difference: { quantity, reserved }, moves: [] };
  const difference = {
    quantity: quantity.plus(open.difference.quantity),
    reserved: reserved.plus(open.difference.reserved),
  };
  // Later uncertainty comes from the moves, which are kept.
  return { ...seen, difference, certain: open.certain, moves: open.moves };
}

/**
 * Adds the move of a newly known order, which may explain the drift.
 * @param doubtful it is uncertain whether the order moved the figures by this much
 */
export function withMove(open: OpenDrift, shift: Shift, doubtful: boolean): OpenDrift {
  return { ...open, moves: [...open.moves, shift].slice(-MAX_MOVES), certain: open.certain && !doubtful };
}
