import { outcomeOf, type Playable, type Way } from './cell.ts';
import type { Played } from './play.ts';
import { TABLE } from './table.ts';
import { HAPPENINGS, type Happening, keysOf, nameOf, SIDES, type Side, THINGS, type Thing, TIMES } from './words.ts';

/** Something that people can do, in one way and on one side. */
export interface Deed {
  readonly thing: Thing;
  readonly happening: Happening;
  readonly side: Side;
  readonly cell: Playable;
  readonly way: Way;
  readonly name: string;
}

export interface Case extends Played {
  readonly thing: Thing;
  readonly happening: Happening;
  readonly name: string;
}

/** Everything that people can do by the table. */
export function deedsOf(): Deed[] {
  const deeds: Deed[] = [];
  for (const thing of keysOf(THINGS))
    for (const happening of keysOf(HAPPENINGS))
      for (const side of keysOf(SIDES)) {
        const cell = TABLE[thing][happening][side];
        if ('impossible' in cell) continue;
        for (const [name, way] of Object.entries(cell.acts))
          deeds.push({ thing, happening, side, cell, way, name: nameOf(thing, happening, name, side) });
      }
  return deeds;
}

/** Every case of every playable cell, on a plain place and on a busy one. */
export function casesOf(): Case[] {
  return deedsOf().flatMap(({ thing, happening, side, cell, way, name }) =>
    keysOf(TIMES).flatMap((time) => {
      const outcome = outcomeOf(cell, way, time);
      if ('impossible' in outcome) return [];
      const on = thing === 'transport order' ? 'orders.transports' : null;
      const what = { seed: 1, on, thing, happening, side, time, act: way[0], outcome } as const;
      return [false, true].map((isBusy) => ({
        ...what,
        isBusy,
        name: `${name} | ${time} | ${isBusy ? 'busy' : 'plain'}`,
      }));
    }),
  );
}
