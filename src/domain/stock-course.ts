import { Decimal, ZERO } from './decimal.ts';
import type { StockTarget } from './ledger.ts';
import { createListing } from './oversold.ts';
import type { Share, StockEvent, StockPast } from './stock-past.ts';

/** A stock write of ours, in ERP units of the field that it wrote. */
export interface StockWrite {
  readonly atMs: number;
  readonly value: Decimal;
}

/** The figures of both sides from a moment on, in ERP units, and what brought them. null: not on record. */
export interface CourseStep {
  readonly atMs: number;
  /** The units that the ERP had available. */
  readonly erp: Decimal | null;
  /** The units that buyers could take. */
  readonly buyers: Decimal | null;
  readonly by:
    | { readonly kind: 'reading' }
    | { readonly kind: 'order'; readonly order: string; readonly before: Share | null; readonly after: Share | null }
    | { readonly kind: 'write'; readonly value: Decimal }
    /** The beginning or the end of the course. */
    | { readonly kind: 'stands' };
}

interface Recorded {
  readonly past: StockPast;
  /** Earliest first. */
  readonly writes: readonly StockWrite[];
  /** The field that the writes are of. */
  readonly field: StockTarget['field'];
  /** The present figure of that field; null for a moment of the past. */
  readonly shown: { readonly atMs: number; readonly figure: Decimal } | null;
}

/**
 * The course of one product's stock on both sides. The marketplace's figure is on record only where we wrote it: after a write, orders
 * move it as documented. Without a write, it is calculated back from the present figure.
 */
export function courseOf(recorded: Recorded): CourseStep[] {
  const { past, writes, field, shown } = recorded;
  const listing = createListing(past.shares);
  let isKnown = writes.length === 0 && shown !== null;
  if (isKnown) listing.write(field, figureAtBegin(recorded));
  let erp: Decimal | null = null;
  const steps: CourseStep[] = [];
  const add = (atMs: number, by: CourseStep['by']): void => {
    steps.push({ atMs, erp, buyers: isKnown ? Decimal.max(listing.available(), ZERO) : null, by });
  };
  const write = (value: Decimal): void => {
    listing.write(field, value);
    isKnown = true;
  };
  for (const one of inOrder(past.events, writes)) {
    if (one.kind === 'reading') {
      erp = one.available;
      add(one.atMs, { kind: 'reading' });
    } else if (one.kind === 'order') {
      const before = listing.move(one) ?? null;
      add(one.atMs, { kind: 'order', order: one.order, before, after: one.share });
    } else {
      write(one.value);
      add(one.atMs, { kind: 'write', value: one.value });
    }
  }
  if (shown === null) return steps;
  write(shown.figure);
  add(shown.atMs, { kind: 'stands' });
  return steps;
}

/** The figure before all orders of the record, calculated back from the present one. */
function figureAtBegin({ past, field, shown }: Recorded): Decimal {
  const listing = createListing(past.shares);
  const begin = listing.figure(field);
  for (const event of past.events) if (event.kind === 'order') listing.move(event);
  return (shown?.figure ?? ZERO).minus(listing.figure(field)).plus(begin);
}

/** A fact that became known at the moment of a write came before the write. */
function inOrder(events: readonly StockEvent[], writes: readonly StockWrite[]) {
  const written = writes.map((write) => ({ kind: 'write' as const, ...write }));
  return [...events, ...written].toSorted((a, b) => a.atMs - b.atMs);
}

/** The course from a moment on. It begins with how the stock stood then. */
export function courseFrom(steps: readonly CourseStep[], fromMs: number): CourseStep[] {
  const before = steps.findLast(({ atMs }) => atMs < fromMs);
  const rest = steps.filter(({ atMs }) => atMs >= fromMs);
  return before === undefined ? rest : [{ ...before, atMs: fromMs, by: { kind: 'stands' } }, ...rest];
}
