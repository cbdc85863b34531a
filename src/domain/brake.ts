import { type Decimal, parseDecimal } from './decimal.ts';

/** An approval ends when its plan expires. A veto or a drop stands until another value is to be written. */
export function isDecided(
  { state, expiresAtMs }: { readonly state: string; readonly expiresAtMs: number },
  nowMs: number,
): boolean {
  return state !== 'held' && (state !== 'approved' || expiresAtMs > nowMs);
}

/** The journal adds this to the name of a braked write that an operator approved: brakes do not count it. */
export const APPROVED = ':approved';

/** The state of a braked write, as it is said to a person. */
export function brakeStateText(state: string): string {
  return state === 'vetoed' ? 'excepted' : state;
}

/** The change of a written figure, in percent of the old figure. null when a value is no figure, or when the old one is zero. */
export function movedPercent(before: string | null, after: string | null): Decimal | null {
  const [from, to] = [before, after].map((text) => parseDecimal(text?.split(' ')[0] ?? ''));
  if (from == null || to == null || from.isZero()) return null;
  return to.minus(from).dividedBy(from.abs()).times(100);
}
