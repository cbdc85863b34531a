import { Decimal, ZERO } from './decimal.ts';
import type { StockTarget } from './ledger.ts';
import { createListing } from './oversold.ts';
import type { Share, StockEvent, StockPast } from './stock-past.ts';

/** In ERP units. */
export interface StockWrite {
  readonly atMs: number;
  readonly value: Decimal;
}

/** Both sides' figures from a moment on, in ERP units, and what changed them. null: not recorded. */
export interface CourseStep {
  readonly atMs: number;
  readonly erp: Decimal | null;
  /** Units that buyers could take. */
  readonly buyers: Decimal | null;
  readonly by:
    | { readonly kind: 'reading' }
    | { readonly kind: 'order'; readonly order: string; readonly before: Share | null; readonly after: Share | null }
    | { readonly kind: 'write'; readonly value: Decimal }
    /** The first or last step. */
    | { readonly kind: 'stands' };
}

interface Recorded {
  readonly past: StockPast;
  /** Earliest first. */
  readonly writes: readonly StockWrite[];
  readonly field: StockTarget['field'];
  /** The current figure of that field. null: the course ends in the past. */
  readonly shown: { readonly atMs: number; readonly figure: Decimal } | null;
}

/**
 * Reconstructs a product's stock on both sides over time. The marketplace's figure is known after our first write, from
 * which orders move it as documented. Without a write, it is calculated back from the current figure.
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

/** The figure before all recorded orders, calculated back from the current one. */
function figureAtBegin({ past, field, shown }: Recorded): Decimal {
  const listing = createListing(past.shares);
  const begin = listing.figure(field);
  for (const event of past.events) if (event.kind === 'order') listing.move(event);
  return (shown?.figure ?? ZERO).minus(listing.figure(field)).plus(begin);
}

/** At the same moment, events sort before writes. */
function inOrder(events: readonly StockEvent[], writes: readonly StockWrite[]) {
  const written = writes.map((write) => ({ kind: 'write' as const, ...write }));
  return [...events, ...written].toSorted((a, b) => a.atMs - b.atMs);
}

/** Returns the steps from a moment on, beginning with the stock at that moment. */
export function courseFrom(steps: readonly CourseStep[], fromMs: number): CourseStep[] {
  const before = steps.findLast(({ atMs }) => atMs < fromMs);
  const rest = steps.filter(({ atMs }) => atMs >= fromMs);
  return before === undefined ? rest : [{ ...before, atMs: fromMs, by: { kind: 'stands' } }, ...rest];
}
