import { erpStatusFor, isExported, type Strategy } from './strategy.ts';

/** How the ERP keeps an order under one strategy. */
export type Keeping = 'not exported' | 'draft' | 'reserved';

export interface OrderUnderBoth {
  readonly before: Keeping;
  readonly after: Keeping;
  /** When the ERP hears of it, and when it reserves, compared to before; null: at the same time. */
  readonly exported: 'earlier' | 'later' | null;
  readonly reserved: 'earlier' | 'later' | null;
  /** What becomes of it now. Nothing that the ERP has is taken back. */
  readonly now: string;
}

/**
 * What another strategy means for an order in this status. null: the same.
 * @param inErp the ERP's order for it; null when it has none
 */
export function orderUnderBoth(
  from: Strategy,
  to: Strategy,
  status: string,
  inErp: { readonly id: string; readonly status: string } | null,
): OrderUnderBoth | null {
  const [before, after] = [keepingOf(from, status), keepingOf(to, status)];
  if (before === after) return null;
  return {
    before,
    after,
    exported: compare(isExported(from, status), isExported(to, status)),
    reserved: compare(before === 'reserved', after === 'reserved'),
    now: becomes(after, inErp),
  };
}

function keepingOf(strategy: Strategy, status: string): Keeping {
  return isExported(strategy, status) ? erpStatusFor(strategy, status) : 'not exported';
}

function compare(before: boolean, after: boolean): 'earlier' | 'later' | null {
  if (before === after) return null;
  return after ? 'earlier' : 'later';
}

function becomes(after: Keeping, inErp: { id: string; status: string } | null): string {
  if (inErp === null) return after === 'not exported' ? 'it is exported later' : `it is exported now, as ${after}`;
  if (after === 'reserved' && inErp.status === 'draft') return `ERP order ${inErp.id} is reserved now`;
  return `ERP order ${inErp.id} stays ${inErp.status}`;
}
