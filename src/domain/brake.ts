import { type Decimal, parseDecimal } from './decimal.ts';

/**
 * Returns whether an operator's decision is still valid. An approval expires with its plan. A veto or a drop stays
 * valid until the value to write changes.
 */
export function isDecided(
  { state, expiresAtMs }: { readonly state: string; readonly expiresAtMs: number },
  nowMs: number,
): boolean {
  return state !== 'held' && (state !== 'approved' || expiresAtMs > nowMs);
}

/** Suffix of a journaled action that an operator approved. Brakes do not count such writes. */
export const APPROVED = ':approved';

export function brakeStateText(state: string): string {
  return state === 'vetoed' ? 'excepted' : state;
}

/** Returns the change in percent of the old figure. null: a value is not a number, or the old figure is zero. */
export function movedPercent(before: string | null, after: string | null): Decimal | null {
  const [from, to] = [before, after].map((text) => parseDecimal(text?.split(' ')[0] ?? ''));
  if (from == null || to == null || from.isZero()) return null;
  return to.minus(from).dividedBy(from.abs()).times(100);
}
