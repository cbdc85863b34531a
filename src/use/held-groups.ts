import { causeKey, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import type { AnyCause } from '../domain/causes/entry.ts';

/** The number of entities that are held for one cause, with the first of them and its sentence. */
export interface HeldFor extends ShownCause {
  readonly count: number;
  readonly flow: string;
  readonly key: string;
}

/** Groups held entities by their cause. Keeps one sentence for each cause, however many entities are held. */
export function createHeldGroups() {
  const groups = new Map<string, HeldFor>();
  return {
    add({ flow, key }: { readonly flow: string; readonly key: string }, cause: AnyCause): void {
      const of = causeKey(flow, cause);
      const known = groups.get(of) ?? { ...shownCause(cause), flow, key, count: 0 };
      groups.set(of, { ...known, count: known.count + 1 });
    },
    largestFirst: (): HeldFor[] => [...groups.values()].toSorted((a, b) => b.count - a.count),
  };
}
