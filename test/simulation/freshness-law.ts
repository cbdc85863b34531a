import type { World } from './world.ts';

/** Beside its interval, each list has this time. */
const BESIDE_MS = 10_000;
/** An order is in the ERP within this time after it was placed: its webhook may take a second. */
const ORDER_MS = 15_000 + 1_000;
/** The answer is on its way. */
const ON_ITS_WAY_MS = 500;

type List = 'erp-products' | 'erp-stock' | 'erp-orders' | 'orders' | 'products';

/** I18: whatever backlog there is, every list is read in time, and a new order is in the ERP soon. */
export function createFreshnessLaw({ poll }: Pick<World, 'poll'>, nowMs: () => number, broken: string[]) {
  const pollMs = poll === '5s' ? 5_000 : 15_000;
  const everyMs: Record<List, number> = {
    'erp-products': pollMs,
    'erp-stock': pollMs,
    'erp-orders': pollMs,
    orders: pollMs,
    products: 20_000,
  };
  const readAtMs = new Map<List, number>();
  const placedAtMs = new Map<string, number>();
  let isWatched = false;

  const judgeList = (list: List): void => {
    const ageMs = nowMs() - (readAtMs.get(list) ?? nowMs());
    if (isWatched && ageMs > everyMs[list] + BESIDE_MS + ON_ITS_WAY_MS)
      broken.push(
        `I18: ${list} were not read for ${Math.round(ageMs / 1_000)} s, and are due every ${everyMs[list] / 1_000} s`,
      );
  };

  return {
    /** From now on the law holds: both sides answer. */
    watch(): void {
      isWatched = true;
    },
    rest(): void {
      isWatched = false;
    },
    /** To be called when a list was read to its end. */
    wasRead(list: List): void {
      judgeList(list);
      readAtMs.set(list, nowMs());
    },
    placed(number: string): void {
      placedAtMs.set(number, nowMs());
    },
    /** Judges at any moment. */
    judge(isInErp: (number: string) => boolean): void {
      for (const list of readAtMs.keys()) judgeList(list);
      for (const [number, atMs] of placedAtMs) {
        if (isInErp(number)) placedAtMs.delete(number);
        else if (nowMs() - atMs > ORDER_MS) {
          placedAtMs.delete(number);
          broken.push(`I18: order ${number} is not in the ERP after ${Math.round((nowMs() - atMs) / 1_000)} s`);
        }
      }
    },
  };
}
