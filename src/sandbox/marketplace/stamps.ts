import type { Faults } from './faults.ts';
import type { Micros } from './instants.ts';

/** Gives every written row its `modified`: strictly increasing, unless a fault says otherwise. */
export function createStamps(now: () => Micros, faults: Faults): (entity: 'orders' | 'products' | 'records') => Micros {
  let last: Micros = 0;
  return (entity) => {
    const occasion = entity === 'records' ? {} : ({ entity } as const);
    if (last > 0 && faults.strike(['same-modified'], occasion)) return last;
    last = Math.max(now(), last + 1);
    if (!faults.strike(['whole-second-modified'], occasion)) return last;
    return Math.floor(last / 1_000_000) * 1_000_000;
  };
}
