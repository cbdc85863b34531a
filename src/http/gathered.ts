const FIRST_BYTES = 1024;

/**
 * The bytes of a body that comes in chunks. The bytes are copied one after another: a sender may make every chunk a single byte,
 * and chunks that are kept as they came would take a hundred times as much memory.
 */
export function createGathered() {
  let room = Buffer.alloc(0);
  let size = 0;
  return {
    add(chunk: Buffer): void {
      if (size + chunk.length > room.length) {
        const larger = Buffer.allocUnsafe(Math.max(FIRST_BYTES, 2 * room.length, size + chunk.length));
        room.copy(larger, 0, 0, size);
        room = larger;
      }
      chunk.copy(room, size);
      size += chunk.length;
    },
    size: (): number => size,
    whole: (): Buffer => room.subarray(0, size),
  };
}
