const FIRST_BYTES = 1024;

/**
 * Collects chunks in one buffer. A sender may make each a single byte, and separate chunks would take a hundred times
 * the memory.
 */
export function createChunkBuffer() {
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
