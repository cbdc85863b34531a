import type { ErpState } from '../../src/sandbox/erp/control.ts';
import type { Sides } from './sides.ts';

type Order = ReturnType<Sides['marketplace']['orderContents']>[number];
type ErpOrder = ErpState['orders'][number];

/**
 * Finds the ERP's order of an order on the marketplace, also when people have since written another reference or `external_id` on
 * it. The live one of several is the order.
 */
export function createPairs() {
  const known = new Map<string, string>();
  return (all: readonly ErpOrder[], { number, externalId }: Pick<Order, 'number' | 'externalId'>) => {
    const mine = all.filter(
      ({ id, reference }) => reference === number || id === externalId || id === known.get(number),
    );
    const isKnown = ({ id }: ErpOrder) => id === known.get(number);
    const pair = mine.find(({ status }) => status !== 'cancelled') ?? mine.find(isKnown) ?? mine[0];
    if (pair !== undefined) known.set(number, pair.id);
    return pair;
  };
}

export type Pairs = ReturnType<typeof createPairs>;
