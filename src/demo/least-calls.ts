import type { SidesState, StrategyLetter } from './compare.ts';
import type { ErpStaff } from './erp-staff.ts';

const PAGE = 500;

/**
 * The fewest marketplace calls that can lead to this state, for a program that knows everything and never fails: one call for
 * each necessary write, and one read of each list. Looking for changes is free in this sum.
 */
export function leastCalls(
  sides: SidesState,
  strategy: StrategyLetter,
  { openingListings, deeds }: { openingListings: number; deeds: ErpStaff['deeds'] },
): { readonly writes: number; readonly pages: number } {
  const known = new Set(sides.orders.map(({ number }) => number));
  const exported = sides.erp.orders.filter(({ origin, reference }) => origin === 'marketplace' && known.has(reference));
  const own = sides.erp.orders.filter(
    ({ origin, id }) => origin === 'erp' && sides.orders.some((o) => o.externalId === id),
  );
  // With strategy a, staff fulfil the buyers' orders on the marketplace, so the daemon writes nothing.
  const fulfilled = (strategy === 'a' ? own : sides.erp.orders).filter(({ status }) => status === 'shipped');
  const writes = [
    // Every listing of the first day is linked or archived. Every other listing is created.
    openingListings,
    sides.listings.length - openingListings,
    deeds.product,
    deeds.stock,
    // The ERP's id is set on an order that came in, and sent along with one that goes out.
    exported.length,
    own.length,
    fulfilled.length,
    deeds.cancelled,
  ];
  const pages = Math.ceil(sides.orders.length / PAGE) + Math.ceil(sides.listings.length / PAGE);
  return { writes: writes.reduce((sum, count) => sum + count, 0), pages };
}
