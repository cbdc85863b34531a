import type { MarketplaceOrder, OrderLine } from '../../../src/domain/order.ts';
import type { MarketplaceProduct, StockFigures } from '../../../src/domain/product.ts';
import type { Listing, ListingChange } from '../../../src/domain/shadow/listing.ts';
import {
  type AnsweredFigures,
  unchangedFigures,
  withAnswer,
  withRead,
} from '../../../src/domain/shadow/listing-read.ts';
import { type KnownLine, movesOf, type OrderMove, withOrderMove } from '../../../src/domain/shadow/order-move.ts';
import { d, line, product } from '../../store/shelf.ts';
import { exact } from '../../support/units.ts';

export const figures = (quantity: number | string, reserved: number | string): StockFigures => ({
  quantity: d(`${quantity}`),
  reserved: d(`${reserved}`),
  available: d(`${quantity}`).minus(reserved),
});

/** An order's status and lines. */
export type Seen = Partial<Pick<MarketplaceOrder, 'number' | 'status'>> & {
  readonly lines?: readonly Partial<KnownLine>[];
};

/** Listing 70 of product P-1, with the rows that a store would keep of it. */
export function listingInMemory(erpId: string | null = 'P-1') {
  let listing: Listing = { row: undefined, erpId, drift: null, unseenSales: [] };
  let [tick, nowMs, saleId] = [0, 1_000_000, 0];
  const orders = new Map<string, OrderMove['after']>();

  function keep({ row, figures: moved, drift, unseenSales = [], due }: ListingChange): string[] {
    const known = row ?? listing.row;
    const changed = unseenSales.map((sale) => ({ ...sale, id: sale.id ?? (saleId += 1) }));
    const ids = new Set(changed.map(({ id }) => id));
    const others = listing.unseenSales.filter(({ id }) => id !== null && !ids.has(id));
    listing = {
      ...listing,
      row: known === undefined || moved === undefined ? known : { ...known, ...moved },
      drift: drift ?? listing.drift,
      unseenSales: [...others, ...changed].filter(({ state }) => state !== 'applied'),
    };
    return due.map(({ flow, key }) => `${flow} ${key}`);
  }

  return {
    get listing() {
      return listing;
    },
    get tick() {
      return tick;
    },
    /** Quantity, reserved and available, as texts. */
    get shown() {
      const { quantity, reserved, available } = listing.row ?? {};
      return [quantity, reserved, available];
    },
    get isCertain() {
      return listing.row?.certain;
    },
    /** The units that are kept back. */
    get kept() {
      return listing.unseenSales.reduce((total, { quantity }) => total + quantity.toNumber(), 0);
    },
    /** Reads the listing. Answers the entities to look at. */
    read(changes: Partial<MarketplaceProduct> = {}, { knownReserved = '0', laterMs = 60_000 } = {}): string[] {
      tick += 1;
      nowMs += laterMs;
      const how = { mended: false, expected: true, mappedMoved: false };
      const read = { product: product(changes), raw: '{}', tick, nowMs, ...how };
      const again = unchangedFigures(listing.row, read);
      if (again !== null) return keep({ figures: again, due: [] });
      return keep(withRead(listing, read, { knownReserved: d(knownReserved), sameSku: [] }));
    },
    /** Stores the answer to a write of ours. */
    answer(answered: AnsweredFigures): string[] {
      tick += 1;
      const { row } = listing;
      if (row === undefined) throw new Error('it was never read');
      return keep(withAnswer({ ...listing, row }, answered, tick, nowMs));
    },
    /** Shows an order. Answers the entities to look at. */
    order({ number = 'o-1', status = 'Submitted', lines = [{}] }: Seen, how: Partial<OrderMove> = {}): string[] {
      const before = orders.get(number) ?? null;
      const after = { status, lines: lines.map((each) => ({ ...line(each), late: each.late ?? false })) };
      orders.set(number, after);
      const knownBeforeTick = Number.MAX_SAFE_INTEGER;
      const stockQuantity = ({ quantity }: OrderLine) => exact(quantity);
      const ticks = { knownBeforeTick, releasedTick: 0 };
      const move = { number, before, after, late: false, wasHidden: false, ...ticks, stockQuantity, ...how };
      const ofIt = movesOf(move).get(70);
      return ofIt === undefined ? [] : keep(withOrderMove(listing, ofIt));
    },
  };
}
