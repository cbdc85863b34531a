import { type Code, causeKey, DIFFERENCES, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import type { AnyCause } from '../domain/causes/entry.ts';
import type { Store } from '../store/store.ts';
import { WAITING_CODES } from '../store/work.ts';
import { invalidRowCodes, invalidRowsOf } from './invalid-rows.ts';

/** The number of entities that are held for one cause, with the first of them and its sentence. */
export interface HeldFor extends ShownCause {
  readonly count: number;
  readonly flow: string;
  readonly key: string;
}

/** Writes that two brakes hold wait for two decisions. */
function brakeOf({ code, params }: AnyCause): string {
  return PLAN_CODES.some((one) => one === code) ? ` ${(params as { readonly brake?: string }).brake ?? ''}` : '';
}

/** Groups held entities by their cause. Keeps one sentence for each cause, however many entities are held. */
export function createHeldGroups() {
  const groups = new Map<string, HeldFor>();
  return {
    add({ flow, key }: { readonly flow: string; readonly key: string }, cause: AnyCause): void {
      const of = causeKey(flow, cause) + brakeOf(cause);
      const known = groups.get(of) ?? { ...shownCause(cause), flow, key, count: 0 };
      groups.set(of, { ...known, count: known.count + 1 });
    },
    largestFirst: (): HeldFor[] => [...groups.values()].toSorted((a, b) => b.count - a.count),
  };
}

/**
 * How many entities of each flow are held. Everything is counted once: a write that waits for an approval counts with its plan, a
 * write in doubt as in doubt, and what waits for a row that cannot be read with the row. An order on backorder is no work.
 * @param besides further codes that are counted elsewhere
 */
export async function heldByFlow(
  account: string,
  store: Pick<Store, 'work' | 'invalidRows'>,
  besides: readonly Code[] = [],
): Promise<Map<string, number>> {
  const told: Code[] = [
    ...WAITING_CODES,
    ...PLAN_CODES,
    BACKORDER,
    ...invalidRowCodes(await invalidRowsOf(account, store)),
    ...besides,
  ];
  const held = await store.work.heldBesides(account, told);
  return new Map(held.map(({ flow, count }) => [flow, count]));
}

const BACKORDER: Code = 'backorder';

export async function backordersOf(account: string, { work }: Pick<Store, 'work'>): Promise<number> {
  return work.countFor(account, 'held', [BACKORDER]);
}

/** How many orders go on although their two sides differ. */
export async function differingOrders(account: string, { work }: Pick<Store, 'work'>): Promise<number> {
  return work.countFor(account, 'alert', DIFFERENCES);
}

/** The codes for which writes in plans are held. */
export const PLAN_CODES = ['brake-plan', 'brake-kind-waits'] as const satisfies readonly Code[];
