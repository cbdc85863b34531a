interface Arriving {
  readonly bytes: number;
  readonly putOut: () => void;
}

/**
 * Bounds the bytes of bodies in memory, by their announced sizes. Without room, the largest body still arriving is
 * dropped (of equal ones, the oldest), so a small webhook gets in despite many slow ones.
 */
export function createSlots(maxBytes: number) {
  const arriving = new Map<symbol, Arriving>();
  let held = 0;

  const drop = (key: symbol, bytes: number) => {
    arriving.delete(key);
    held -= bytes;
  };
  const largest = (): Arriving | null =>
    arriving
      .values()
      .reduce<Arriving | null>((found, one) => (found !== null && found.bytes >= one.bytes ? found : one), null);

  /**
   * A body without a length counts as the largest allowed, so it may be larger than those dropped for it.
   * @returns the body's place; null: no room, because all bodies have arrived and are being processed
   */
  return function enter(bytes: number, putOut: () => void) {
    while (held + bytes > maxBytes) {
      const one = largest();
      if (one === null) return null;
      one.putOut();
    }
    const key = Symbol('body');
    held += bytes;
    let isHeld = true;
    const release = () => {
      if (isHeld) drop(key, bytes);
      isHeld = false;
    };
    const leave = () => {
      release();
      putOut();
    };
    arriving.set(key, { bytes, putOut: leave });
    // A body that has arrived keeps its place until it is processed.
    return { arrived: () => void arriving.delete(key), release };
  };
}
