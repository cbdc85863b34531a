interface Arriving {
  readonly bytes: number;
  readonly putOut: () => void;
}

/**
 * Bounds how many bytes of bodies may be held at once, by what each body announces. When there is no room, the largest body
 * that is still arriving is dropped; if several are equally large, the oldest. So a small webhook gets in beside any number of
 * slow ones.
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
   * A body that does not announce its length counts as the largest allowed one. So it may be larger than the bodies that are
   * dropped for it.
   * @returns a place for the body; null when there is no place: all the bodies have arrived and are being worked on
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
    // A body that has arrived keeps its place until it is done.
    return { arrived: () => void arriving.delete(key), release };
  };
}
