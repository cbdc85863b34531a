import type { Chance } from '../../src/sandbox/chance.ts';
import { any, Nothing } from './pick.ts';
import type { Sides } from './sides.ts';

/** How far back the ERP dates a change: further than reads of changes reach. */
const BACK_MS = 120_000;

/** Changes that no read of changes shows, by name: orders that are gone, and changes of the ERP that are dated back. */
const VANISHINGS: Readonly<Record<string, (sides: Sides, luck: Chance) => void>> = {
  'staff delete an order': ({ marketplace, erp }, luck) => {
    const own = new Set(erp.control.state().orders.flatMap(({ id, origin }) => (origin === 'erp' ? [id] : [])));
    const theirs = marketplace.orderContents().filter(({ externalId }) => !own.has(externalId ?? ''));
    // An empty list proves nothing.
    if (theirs.length < 2) throw new Nothing();
    marketplace.deleteOrder(any(luck, theirs).number);
  },
  'the ERP deletes an order': ({ erp }, luck) => {
    if (erp.control.state().orders.length < 2) throw new Nothing();
    erp.control.removeOrder(any(luck, open(erp)).id);
  },
  'the ERP cancels, dated back': ({ erp }, luck) => {
    const { id } = any(luck, open(erp));
    erp.control.cancelOrder(id);
    erp.control.stampOrder(id, BACK_MS);
  },
  'the ERP ships, dated back': ({ erp }, luck) => {
    const { id } = any(luck, open(erp));
    erp.control.shipOrder(id);
    erp.control.stampOrder(id, BACK_MS);
  },
};

/** Makes one such change. Returns the words for it. */
export function vanish(sides: Sides, luck: Chance): string {
  const name = any(luck, Object.keys(VANISHINGS));
  VANISHINGS[name]?.(sides, luck);
  return name;
}

/** The ERP's open orders that came from the marketplace. */
function open({ control }: Sides['erp']) {
  return control
    .state()
    .orders.filter(({ origin, status }) => origin === 'marketplace' && ['draft', 'reserved'].includes(status));
}
