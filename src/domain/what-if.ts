import { erpStatusFor, isExported, type Strategy } from './strategy.ts';

export type Keeping = 'not exported' | 'draft' | 'reserved';

export interface OrderUnderBoth {
  readonly before: Keeping;
  readonly after: Keeping;
  /** When the order is exported and reserved, compared with the old strategy. null: at the same time. */
  readonly exported: 'earlier' | 'later' | null;
  readonly reserved: 'earlier' | 'later' | null;
}

export function orderUnderBoth(from: Strategy, to: Strategy, status: string): OrderUnderBoth | null {
  const [before, after] = [keepingOf(from, status), keepingOf(to, status)];
  if (before === after) return null;
  return {
    before,
    after,
    exported: compare(isExported(from, status), isExported(to, status)),
    reserved: compare(before === 'reserved', after === 'reserved'),
  };
}

function keepingOf(strategy: Strategy, status: string): Keeping {
  return isExported(strategy, status) ? erpStatusFor(strategy, status) : 'not exported';
}

function compare(before: boolean, after: boolean): 'earlier' | 'later' | null {
  if (before === after) return null;
  return after ? 'earlier' : 'later';
}

/**
 * Describes what becomes of an order. Nothing is removed from the ERP.
 * @param inErp the order in the ERP; null: none
 * @param hold why nothing is written for the order; null: it is not held
 */
export function outcomeText(
  after: Keeping,
  inErp: { readonly id: string; readonly status: string } | null,
  hold: string | null,
): string {
  if (inErp !== null && (after !== 'reserved' || inErp.status !== 'draft')) {
    return `ERP order ${inErp.id} stays ${inErp.status}`;
  }
  if (hold !== null) return `it is held: ${hold}`;
  if (inErp !== null) return `ERP order ${inErp.id} is reserved now`;
  return after === 'not exported' ? 'it is exported later' : `it is exported now, as ${after}`;
}
