import type { Sides } from '../simulation/sides.ts';
import { changesBetween, valuesOf } from './look.ts';
import { keysOf, SIDES, type Side } from './words.ts';

/** A change of people that stands again as before, with the value that they gave it; undefined: they removed it. */
export interface Undone {
  readonly value: string | undefined;
  readonly text: string;
}

/** The changes of people, and the values that they left behind. */
export function createActed() {
  const before: Record<Side, Map<string, string | undefined>> = { marketplace: new Map(), erp: new Map() };
  const after: Record<Side, Map<string, string | undefined>> = { marketplace: new Map(), erp: new Map() };
  return {
    by<Result>(sides: Sides, act: () => Result): Result {
      const was = { marketplace: valuesOf(sides, 'marketplace'), erp: valuesOf(sides, 'erp') };
      try {
        return act();
      } finally {
        // The earlier parts of a deed that is refused stay done.
        for (const side of keysOf(SIDES)) {
          const now = valuesOf(sides, side);
          for (const [path, old] of changesBetween(was[side], now)) {
            if (!before[side].has(path)) before[side].set(path, old);
            after[side].set(path, now.get(path));
          }
        }
      }
    },
    /** The values that people left behind below this path, by the rest of the path. */
    valuesAt: (side: Side, path: string): ReadonlyMap<string, string | undefined> =>
      new Map([...after[side]].flatMap(([at, value]) => (at.startsWith(path) ? [[at.slice(path.length), value]] : []))),
    /** The changes of people that stand again as they were before. */
    undone: (sides: Sides): Undone[] =>
      keysOf(SIDES).flatMap((side) => {
        const now = valuesOf(sides, side);
        return [...after[side]].flatMap(([path, value]) =>
          now.get(path) !== value && now.get(path) === before[side].get(path)
            ? [{ value, text: `${side} ${path}: ${value ?? 'removed'} -> ${now.get(path) ?? 'removed'}` }]
            : [],
        );
      }),
  };
}
