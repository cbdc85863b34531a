import { type Decimal, type Figure, ONE } from '../../src/domain/decimal.ts';
import { type FacilityFigures, type Place, placeOf } from '../../src/domain/facility-ledger.ts';
import { exact } from '../support/units.ts';

/*
 * A model of one product at three places on both sides. It follows the spec's tables and the ERP contract, and uses no code of
 * the program. Quantities are whole hundredths.
 */

export const PLACES: readonly Place[] = [placeOf(1, 1), placeOf(1, 2), placeOf(2, 1)];

interface Order {
  readonly id: number;
  rank: 0 | 1 | 2;
  /** The place from which the marketplace took the units, by its own choice. */
  readonly place: number;
  readonly quantity: bigint;
  /** The ERP's status of the order, and its place there. */
  erp: { status: 'draft' | 'reserved' | 'shipped'; place: number } | null;
}

interface Reading {
  readonly available: readonly bigint[];
  readonly counted: ReadonlySet<number>;
}

export const EVENTS = ['submit', 'fulfil', 'reject', 'export', 'export all', 'ERP ships', 'ERP receives'] as const;

export interface Event {
  readonly kind: (typeof EVENTS)[number];
  readonly order: number;
  readonly quantity: bigint;
  readonly place: number;
}

export class FacilityWorld {
  readonly buffer: bigint;
  readonly onHand: bigint[];
  readonly reserved = [0n, 0n, 0n];
  readonly erpOnHand: bigint[];
  readonly orders: Order[] = [];

  constructor(begin: { readonly onHand: readonly bigint[]; readonly buffer: bigint }) {
    this.buffer = begin.buffer;
    this.onHand = [...begin.onHand];
    this.erpOnHand = [...begin.onHand];
  }

  happen({ kind, order: which, quantity, place }: Event): void {
    const order = this.orders[which % Math.max(1, this.orders.length)];
    if (kind === 'submit') {
      this.orders.push({ id: this.orders.length, rank: 1, place, quantity, erp: null });
      this.#add(this.reserved, place, quantity);
    } else if (kind === 'ERP receives') this.#add(this.erpOnHand, place, quantity);
    else if (kind === 'export all') for (const each of this.orders) this.#export(each, place);
    else if (order !== undefined) this.#orderEvent(kind, order, place);
  }

  /** The ERP's present answer: the available units by place, and the orders that it counts. */
  read(): Reading {
    const available = [...this.erpOnHand];
    const counted = new Set<number>();
    for (const { id, quantity, erp } of this.orders) {
      if (erp === null || erp.status === 'draft') continue;
      counted.add(id);
      if (erp.status === 'reserved') this.#add(available, erp.place, -quantity);
    }
    return { available, counted };
  }

  /** The facts that the program knows: the orders of this copy, and the present measurements. */
  figures(reading: Reading, orders: readonly Order[] = this.orders): FacilityFigures {
    return {
      erpAvailable: new Map(PLACES.map((place, i) => [place, toDecimal(reading.available[i] ?? 0n)])),
      buffer: toDecimal(this.buffer),
      reserved: new Map(PLACES.map((place, i) => [place, toDecimal(this.reserved[i] ?? 0n)])),
      unitsIn: ONE,
      lines: orders.map(({ id, rank, quantity }) => ({
        order: String(id),
        quantity: toDecimal(quantity),
        effect: rank === 0 ? 'none' : rank === 1 ? 'reserved' : 'consumed',
        counted: reading.counted.has(id),
      })),
    };
  }

  reconcile(place: number, onHand: Decimal): void {
    this.onHand[place] = BigInt(onHand.times(100).toFixed());
  }

  takeable(place: number): bigint {
    return (this.onHand[place] ?? 0n) - (this.reserved[place] ?? 0n);
  }

  /**
   * The ERP's figures by place, less the live lines there that it does not count, less the buffer and the units that others
   * lack.
   */
  free(reading: Reading): bigint[] {
    const free = reading.available.map((available, place) => {
      const open = this.orders.filter(
        (order) => order.rank > 0 && order.place === place && !reading.counted.has(order.id),
      );
      return open.reduce((total, { quantity }) => total - quantity, available);
    });
    let missing = free.reduce((total, each) => (each < 0n ? total - each : total), this.buffer);
    return free.map((each) => {
      const share = each < 0n ? 0n : missing < each ? missing : each;
      missing -= share;
      return each - share;
    });
  }

  /** The free units of the product as a whole. */
  freeInAll({ available, counted }: Reading): bigint {
    const open = this.orders.filter((order) => order.rank > 0 && !counted.has(order.id));
    const total = available.reduce((sum, each) => sum + each, 0n) - this.buffer;
    return open.reduce((sum, { quantity }) => sum - quantity, total);
  }

  /**
   * Measurements do not name the reserved orders that are counted, and nobody says where a fulfilled order was taken. The answer is
   * sure only when all reserved orders are counted, or none is, and all fulfilled ones are.
   */
  isAttributable({ counted }: Reading): boolean {
    const reserved = this.orders.filter(({ rank, quantity }) => rank === 1 && quantity > 0n);
    const gone = this.orders.filter(({ rank, quantity }) => rank === 2 && quantity > 0n);
    if (!gone.every(({ id }) => counted.has(id))) return false;
    return new Set(reserved.map(({ id }) => counted.has(id))).size < 2;
  }

  #orderEvent(kind: Event['kind'], order: Order, erpPlace: number): void {
    const { place, quantity, erp } = order;
    if (kind === 'fulfil' && order.rank === 1) {
      order.rank = 2;
      this.#add(this.reserved, place, -quantity);
      this.#add(this.onHand, place, -quantity);
    } else if (kind === 'reject' && order.rank > 0) {
      if (order.rank === 1) this.#add(this.reserved, place, -quantity);
      else this.#add(this.onHand, place, quantity);
      order.rank = 0;
    } else if (kind === 'export') this.#export(order, erpPlace);
    else if (kind === 'ERP ships' && erp?.status === 'reserved') {
      this.#add(this.erpOnHand, erp.place, -quantity);
      erp.status = 'shipped';
    }
  }

  #export(order: Order, place: number): void {
    if (order.rank === 0 && order.erp?.status !== 'shipped') order.erp = null;
    if (order.rank > 0) order.erp ??= { status: 'reserved', place };
  }

  #add(figures: bigint[], place: number, quantity: bigint): void {
    figures[place] = (figures[place] ?? 0n) + quantity;
  }
}

export function toDecimal(hundredths: bigint): Figure<never> {
  return exact(exact(hundredths.toString()).dividedBy(100));
}
