/** A seeded random generator (mulberry32). */
export interface Chance {
  /** In [0, 1). */
  fraction(): number;
  /** From `low` to `high`, both included. */
  whole(low: number, high: number): number;
  pick<const List extends readonly [unknown, ...unknown[]]>(from: List): List[number];
  uuid(): string;
}

export function createChance(seed: number | string): Chance {
  let state = typeof seed === 'number' ? seed | 0 : hash(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = () => next() / 2 ** 32;
  const whole = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    whole,
    pick: (from) => from[whole(0, from.length - 1)],
    uuid() {
      const hex = Array.from({ length: 4 }, () => next().toString(16).padStart(8, '0')).join('');
      const variant = '89ab'[whole(0, 3)] ?? '8';
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}
