import { MAX_MOVES, type Shift } from '../drift.ts';

/** A difference between a listing's figures and the foretold ones. */
export interface OpenDrift {
  /** This installation's count of reads when the listing was shown so. */
  readonly tick: number;
  readonly difference: Shift;
  readonly shown: Shift;
  readonly certain: boolean;
  /** How orders that became known since moved the figures. */
  readonly moves: readonly Shift[];
  readonly seenAtMs: number;
}

export type SeenFigures = Pick<OpenDrift, 'tick' | 'shown' | 'certain' | 'seenAtMs'> & { readonly foretold: Shift };

/** A listing shows these figures. Adds to the drift that is not judged yet; null: nothing differs. */
export function withFigures(open: OpenDrift | null, { foretold, ...seen }: SeenFigures): OpenDrift | null {
  const quantity = seen.shown.quantity.minus(foretold.quantity);
  const reserved = seen.shown.reserved.minus(foretold.reserved);
  if (quantity.isZero() && reserved.isZero()) return null;
  if (open === null) return { ...seen, difference: { quantity, reserved }, moves: [] };
  const difference = {
    quantity: quantity.plus(open.difference.quantity),
    reserved: reserved.plus(open.difference.reserved),
  };
  // Doubt that came since is about the moves, which are kept.
  return { ...seen, difference, certain: open.certain, moves: open.moves };
}

/**
 * An order that became known may be what an open difference comes from.
 * @param doubtful whether it moved the figures by as much is not sure
 */
export function withMove(open: OpenDrift, shift: Shift, doubtful: boolean): OpenDrift {
  return { ...open, moves: [...open.moves, shift].slice(-MAX_MOVES), certain: open.certain && !doubtful };
}
