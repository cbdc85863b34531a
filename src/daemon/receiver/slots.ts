/** A place for one body. */
export interface Slot {
  /** The whole body has arrived, so it keeps its place until it is done. */
  arrived(): void;
  release(): void;
}

/**
 * Bounds how many bodies are held at once. When all places are taken, the body that has been arriving for the longest, if for
 * longer than `graceMs`, is refused. So slow senders do not keep the others away.
 */
export function createSlots(max: number, graceMs: number, nowMs: () => number) {
  const held = new Set<symbol>();
  const arriving = new Map<symbol, { readonly sinceMs: number; readonly putOut: () => void }>();

  /** null when there is no place. */
  return function enter(putOut: () => void): Slot | null {
    if (held.size >= max) {
      const [oldest] = arriving;
      if (oldest === undefined || nowMs() - oldest[1].sinceMs < graceMs) return null;
      const [key, dawdler] = oldest;
      held.delete(key);
      arriving.delete(key);
      dawdler.putOut();
    }
    const key = Symbol('body');
    held.add(key);
    arriving.set(key, { sinceMs: nowMs(), putOut });
    return {
      arrived: () => void arriving.delete(key),
      release() {
        held.delete(key);
        arriving.delete(key);
      },
    };
  };
}
