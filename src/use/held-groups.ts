import { type Code, causeKey, DIFFERENCES, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import type { AnyCause } from '../domain/causes/entry.ts';
import type { Store } from '../store/store.ts';
import { WAITING_CODES } from '../store/work.ts';
import { invalidRowCodes, invalidRowsOf } from './invalid-rows.ts';

/** How many entities are held for a cause, with the first one and its sentence. */
export interface HeldFor extends ShownCause {
  readonly count: number;
  readonly flow: string;
  readonly key: string;
}

/** Two brakes need two decisions. */
function brakeOf({ code, params }: AnyCause): string {
  return PLAN_CODES.some((one) => one === code) ? ` ${(params as { readonly brake?: string }).brake ?? ''}` : '';
}

/** Groups held entities by cause, with one sentence each. */
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
 * How many entities each flow holds, each counted once: a write to approve counts with its plan, a doubt as a doubt,
 * and what waits for an unreadable row with that row. A backorder is no work.
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

/** Orders that go on although their two sides differ. */
export async function differingOrders(account: string, { work }: Pick<Store, 'work'>): Promise<number> {
  return work.countFor(account, 'alert', DIFFERENCES);
}

export const PLAN_CODES = ['brake-plan', 'brake-kind-waits'] as const satisfies readonly Code[];
