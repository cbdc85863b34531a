/** An approval ends when its plan expires. A veto or a drop stands until another value is to be written. */
export function isDecided(
  { state, expiresAtMs }: { readonly state: string; readonly expiresAtMs: number },
  nowMs: number,
): boolean {
  return state !== 'held' && (state !== 'approved' || expiresAtMs > nowMs);
}

/** The journal adds this to the name of a braked write that an operator approved: brakes do not count it. */
export const APPROVED = ':approved';
