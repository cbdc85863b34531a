import { movedPercent } from '../domain/brake.ts';
import type { Decimal } from '../domain/decimal.ts';
import { isLink, type PlanItem, type PlannedWrite } from './plan-item.ts';

export interface PlanSummary {
  readonly account: string;
  /** To either side. */
  readonly writes: number;
  /** Entities that are on both sides and would be linked. */
  readonly links: number;
  /** The number, among both, that a pause, a brake or another hold stops. */
  readonly stopped: number;
  readonly held: number;
  readonly alerts: number;
  /** Writes and links by their kind. */
  readonly actions: Readonly<Record<string, number>>;
  /** The prices that move furthest, at most MOST_MOVES. */
  readonly priceMoves: readonly PriceMove[];
}

export interface PriceMove {
  readonly target: string;
  readonly before: string;
  readonly after: string;
  /** `208.3`, `-40.0` */
  readonly percent: string;
}

const MOST_MOVES = 5;

export function summaryOf(account: string, items: readonly PlanItem[]): PlanSummary {
  const writes = items.flatMap(({ actions }) => actions);
  const links = writes.filter(({ action }) => isLink(action)).length;
  const actions: Record<string, number> = {};
  for (const { action } of writes) actions[action] = (actions[action] ?? 0) + 1;
  return {
    account,
    writes: writes.length - links,
    links,
    stopped: writes.filter(({ stoppedBy }) => stoppedBy !== null).length,
    held: items.filter(({ holds }) => holds.length > 0).length,
    alerts: items.reduce((total, { alerts }) => total + alerts.length, 0),
    actions,
    priceMoves: writes
      .flatMap(priceMove)
      .toSorted((a, b) => b.moved.comparedTo(a.moved))
      .slice(0, MOST_MOVES)
      .map(({ target, before, after, percent }) => ({ target, before, after, percent })),
  };
}

const PRICES = ['product.price', 'customer-out.discount'];

function priceMove({ action, target, before, after }: PlannedWrite): (PriceMove & { readonly moved: Decimal })[] {
  const percent = PRICES.includes(action) ? movedPercent(before, after) : null;
  if (percent === null) return [];
  return [{ target, before: before ?? '', after: after ?? '', percent: percent.toFixed(1), moved: percent.abs() }];
}
