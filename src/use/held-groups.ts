import { type Code, causeKey, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import type { AnyCause } from '../domain/causes/entry.ts';
import type { Store } from '../store/store.ts';
import type { StoppedGroup } from '../store/work.ts';
import { codesOfRows, misfitsOf } from './misfits.ts';

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
  store: Pick<Store, 'work' | 'misfits'>,
  besides: readonly Code[] = [],
): Promise<Map<string, number>> {
  const told: Code[] = [...PLAN_CODES, BACKORDER, ...codesOfRows(await misfitsOf(account, store)), ...besides];
  const held = await store.work.heldBesides(account, told);
  return new Map(held.map(({ flow, count }) => [flow, count]));
}

const BACKORDER: Code = 'backorder';

export async function backordersOf(account: string, { work }: Pick<Store, 'work'>): Promise<number> {
  return countOf(await work.groups(account, 'held'), [BACKORDER]);
}

/** Alerts that an order has other content on one side than on the other. */
const DIFFERENCES: readonly Code[] = [
  'edited-in-erp',
  'edited-on-marketplace',
  'shipped-short',
  'released-in-erp',
  'price-moved',
  'erp-price-differs',
  'figure-differs',
  'total-differs',
  'erp-total-differs',
  'erp-money-kept',
  'charges-edited-in-erp',
  'charges-not-taken',
  'charges-after-shipping',
];

/** How many orders go on although their two sides differ. An order with two such alerts counts for each. */
export async function differingOrders(account: string, { work }: Pick<Store, 'work'>): Promise<number> {
  return countOf(await work.groups(account, 'alert'), DIFFERENCES);
}

function countOf(groups: readonly StoppedGroup[], codes: readonly string[]): number {
  return groups.reduce((total, { code, count }) => (codes.includes(code) ? total + count : total), 0);
}

/** The codes for which writes in plans are held. */
export const PLAN_CODES = ['brake-plan', 'brake-kind-waits'] as const satisfies readonly Code[];
