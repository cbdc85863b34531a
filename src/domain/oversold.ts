import { Decimal, figure, ONE, sum, ZERO } from './decimal.ts';
import { createErpPast, type Recording } from './erp-past.ts';
import { createExcess, type Excess } from './excess.ts';
import { figureShift, type LedgerLine, type StockTarget, stockTarget } from './ledger.ts';
import type { OrderEvent, Share, StockEvent, StockPast } from './stock-past.ts';
import { STRATEGIES, type StrategyName } from './strategy.ts';

/**
 * A way to write stock. Without the ledger, the ERP's figure less the buffer is written after each read of that figure.
 */
export interface Way {
  readonly strategy: StrategyName;
  readonly write: StockTarget['field'];
  readonly ledger: boolean;
}

/** The fields that each strategy may write, its default first. */
const WRITES: Readonly<Record<StrategyName, readonly Way['write'][]>> = {
  'fulfilled-quantity': ['quantity'],
  'submitted-available': ['available_inventory', 'quantity'],
  'submitted-quantity': ['quantity'],
};

export const WAYS: readonly Way[] = Object.values(STRATEGIES).flatMap(({ name: strategy }) =>
  WRITES[strategy].flatMap((write) => [
    { strategy, write, ledger: true },
    { strategy, write, ledger: false },
  ]),
);

export interface Replayed {
  /** Buyers could take more than was free. */
  readonly oversold: Excess;
  /** Excess that no way of writing can prevent, because the orders came before the ERP's figure fell. */
  readonly short: Excess;
}

/**
 * Replays a product's recorded history, in ERP units, as if its stock had been written in another way. Orders, sales
 * and receipts stay the same. The marketplace counts as documented, and a write takes effect at once. The replay begins
 * with the first known ERP figure.
 */
export function replayStock(past: StockPast, way: Way, recording: Recording, buffer: Decimal): Replayed {
  const listing = createListing(past.shares);
  const erp = createErpPast(past, way.strategy, recording, listing.shares);
  const released = createReleased(erp.heldBeyond);
  const [oversold, short] = [createExcess(), createExcess()];

  const step = (atMs: number, events: readonly StockEvent[]): void => {
    const counts = erp.countDue(atMs);
    const newOrders = events.filter((event) => event.kind === 'order' && isNew(listing.shares, event)).length;
    for (const event of events) {
      if (event.kind === 'reading') {
        erp.onReading(event);
      } else {
        released.onOrder(event, listing.move(event));
        erp.onOrder(event);
      }
    }
    const available = erp.available();
    if (available === null) {
      for (const excess of [oversold, short]) excess.pause();
      return;
    }
    const lines = linesOf(listing.shares, erp.counted);
    // By the ledger's rule, which waits until the ERP releases the units of canceled orders.
    const { available: sure } = stockTarget('available_inventory', figure(available), ZERO, lines, ONE);
    const free = sure.plus(released.total());
    if (way.ledger) listing.write(way.write, stockTarget(way.write, figure(available), buffer, lines, ONE).value);
    else if (counts || hasReading(events)) listing.write(way.write, Decimal.max(available.minus(buffer), 0));
    const offered = Decimal.max(listing.available(), 0);
    const moment = { atMs, offered, free };
    oversold.see(offered.minus(Decimal.max(free, 0)), moment, newOrders);
    short.see(ZERO.minus(free), moment, newOrders);
  };

  const lastMs = new Map(past.events.flatMap((event) => (event.kind === 'order' ? [[event.order, event.atMs]] : [])));
  for (const events of momentsOf(past.events)) {
    const [{ atMs }] = events;
    while (erp.nextDueMs() < atMs) step(erp.nextDueMs(), []);
    step(atMs, events);
    if (!hasReading(events)) continue;
    const isOver = (order: string) =>
      listing.shares.get(order)?.effect !== 'reserved' && (lastMs.get(order) ?? atMs) <= atMs && erp.isFinal(order);
    released.forget(isOver);
    for (const order of listing.shares.keys()) {
      if (isOver(order) && released.of(order).isZero() && erp.settle(order)) listing.shares.delete(order);
    }
  }
  return { oversold: oversold.found, short: short.found };
}

const GONE = { effect: 'none', quantity: ZERO } as const;

/**
 * Simulates the marketplace's figures of a product (spec 1, Inventory effects of order events, Inventory setting rules
 * 2 and 3).
 */
export function createListing(begin: StockPast['shares']) {
  const shares = new Map(begin);
  let quantity: Decimal = ZERO;
  let reserved: Decimal = sum(begin.values().map((share) => (share.effect === 'reserved' ? share.quantity : ZERO)));
  return {
    shares,
    move({ order, share }: OrderEvent): Share | undefined {
      const before = shares.get(order);
      const shift = figureShift(before ?? GONE, share ?? GONE);
      quantity = quantity.plus(shift.quantity);
      reserved = reserved.plus(shift.reserved);
      if (share === null) shares.delete(order);
      else shares.set(order, share);
      return before;
    },
    write(field: Way['write'], value: Decimal): void {
      quantity = field === 'quantity' ? value : value.plus(reserved);
    },
    available(): Decimal {
      return quantity.minus(reserved);
    },
    figure(field: Way['write']): Decimal {
      return field === 'quantity' ? quantity : quantity.minus(reserved);
    },
  };
}

/**
 * Units that orders gave up while reserved: canceled, rejected or edited. They are in stock, whether or not the ERP has
 * released them. Units given up after they were consumed may have left.
 * @param heldBeyond the units that the ERP's figure counts for an order beyond the order's own
 */
function createReleased(heldBeyond: (order: string) => Decimal) {
  const givenUp = new Map<string, Decimal>();
  const of = (order: string): Decimal => Decimal.min(givenUp.get(order) ?? ZERO, heldBeyond(order));
  return {
    of,
    total(): Decimal {
      return sum(givenUp.keys().map(of));
    },
    onOrder({ order, share }: OrderEvent, before: Share | undefined): void {
      const less = (before?.quantity ?? ZERO).minus(share?.quantity ?? ZERO).plus(givenUp.get(order) ?? ZERO);
      if (before?.effect !== 'consumed' && less.greaterThan(0)) givenUp.set(order, less);
      else givenUp.delete(order);
    },
    forget(isOver: (order: string) => boolean): void {
      for (const order of givenUp.keys()) if (isOver(order) && of(order).isZero()) givenUp.delete(order);
    },
  };
}

function linesOf(shares: StockPast['shares'], countedOf: (order: string) => Decimal): LedgerLine[] {
  return [...shares].flatMap(([order, { effect, quantity }]) => {
    const counted = countedOf(order);
    return [
      { order, quantity: figure(counted), effect, counted: true },
      { order, quantity: figure(quantity.minus(counted)), effect, counted: false },
    ];
  });
}

function isNew(shares: StockPast['shares'], { order, share }: OrderEvent): boolean {
  return share !== null && !shares.has(order);
}

function hasReading(events: readonly StockEvent[]): boolean {
  return events.some(({ kind }) => kind === 'reading');
}

function momentsOf(events: readonly StockEvent[]): [StockEvent, ...StockEvent[]][] {
  const moments: [StockEvent, ...StockEvent[]][] = [];
  for (const event of events) {
    const last = moments.at(-1);
    if (last?.[0].atMs === event.atMs) last.push(event);
    else moments.push([event]);
  }
  return moments;
}
