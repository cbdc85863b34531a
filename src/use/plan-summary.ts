import { isLink, withoutBrake } from '../domain/action.ts';
import { movedPercent } from '../domain/brake.ts';
import type { Decimal } from '../domain/decimal.ts';
import { FLOW_NAMES, FLOWS } from '../flows/flows.ts';
import { createHeldGroups, type HeldFor } from './held-groups.ts';
import { isCountedWithRows } from './invalid-rows.ts';
import type { Plan } from './plan.ts';
import type { PlannedWrite } from './plan-item.ts';

export interface PlanSummary extends Pick<Plan, 'unlinked' | 'history' | 'invalidRows'> {
  readonly account: string;
  readonly writes: number;
  /** Entities on both sides that would be linked. */
  readonly links: number;
  /** Writes and links stopped by a pause, brake or other hold. */
  readonly stopped: number;
  /** Without those counted with an unreadable row. */
  readonly held: number;
  /** Causes with their first entity, most frequent first. */
  readonly heldFor: readonly HeldFor[];
  readonly alerts: number;
  /** Writes and links by kind. */
  readonly actions: Readonly<Record<string, number>>;
  /** Stock figures that become zero. */
  readonly zeroed: number;
  /** The largest price changes, at most MOST_MOVES. */
  readonly priceMoves: readonly PriceMove[];
  /** Replaced texts of people, by field. */
  readonly replaced: Readonly<Record<string, number>>;
}

interface PriceMove {
  readonly target: string;
  readonly before: string;
  readonly after: string;
  /** `208.3`, `-40.0` */
  readonly percent: string;
}

const MOST_MOVES = 5;

type Summarised = Pick<Plan, 'items' | 'unlinked' | 'history' | 'invalidRows'>;

export function summaryOf(account: string, { items, unlinked, history, invalidRows }: Summarised): PlanSummary {
  const writes = items.flatMap(({ actions }) => actions);
  const isToldWithRow = isCountedWithRows(invalidRows);
  const groups = createHeldGroups();
  let held = 0;
  for (const { holds, ...item } of items) {
    const told = holds.filter(({ code }) => !isToldWithRow(code));
    if (told.length > 0) held += 1;
    for (const why of told) groups.add(item, why);
  }
  const links = writes.filter(({ action }) => isLink(action)).length;
  return {
    account,
    writes: writes.length - links,
    links,
    stopped: writes.filter(({ stoppedBy }) => stoppedBy !== null).length,
    held,
    heldFor: groups.largestFirst(),
    alerts: items.reduce((total, { alerts }) => total + alerts.length, 0),
    actions: countsOf(writes.map(({ action }) => action)),
    zeroed: writes.filter(isZeroing).length,
    priceMoves: writes
      .flatMap(priceMove)
      .toSorted((a, b) => b.moved.comparedTo(a.moved))
      .slice(0, MOST_MOVES)
      .map(({ target, before, after, percent }) => ({ target, before, after, percent })),
    replaced: countsOf(writes.flatMap(({ replaces }) => replaces)),
    unlinked,
    history,
    invalidRows,
  };
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** The writes that a brake counts when they set a figure to zero. */
const STOCK = FLOW_NAMES.flatMap((flow) => FLOWS[flow].brakes?.counts.zero ?? []).map(withoutBrake);
const ALL_OF_IT = -100;

function isZeroing({ action, before, after }: PlannedWrite): boolean {
  return STOCK.includes(action) && movedPercent(before, after)?.equals(ALL_OF_IT) === true;
}

/** Writes of a single price: others contain several, or names. */
const PRICES = ['product.price', 'customer-out.discount'];

function priceMove({ action, target, before, after }: PlannedWrite): (PriceMove & { readonly moved: Decimal })[] {
  const percent = PRICES.includes(action) ? movedPercent(before, after) : null;
  if (percent === null) return [];
  return [{ target, before: before ?? '', after: after ?? '', percent: percent.toFixed(1), moved: percent.abs() }];
}
