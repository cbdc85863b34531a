import type { SidesState, StrategyLetter } from './compare.ts';
import type { ErpStaff } from './erp-staff.ts';

const PAGE = 500;

/**
 * The fewest marketplace calls for this state: one for each necessary write and one for each list. Checking for changes
 * counts nothing.
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
  // In strategy a, staff fulfil orders on the marketplace, so the daemon writes nothing.
  const fulfilled = (strategy === 'a' ? own : sides.erp.orders).filter(({ status }) => status === 'shipped');
  const writes = [
    // Existing listings are linked or archived, others created.
    openingListings,
    sides.listings.length - openingListings,
    deeds.product,
    deeds.stock,
    // The ERP's id is set on incoming orders, and sent with outgoing ones.
    exported.length,
    own.length,
    fulfilled.length,
    deeds.cancelled,
  ];
  const pages = Math.ceil(sides.orders.length / PAGE) + Math.ceil(sides.listings.length / PAGE);
  return { writes: writes.reduce((sum, count) => sum + count, 0), pages };
}
