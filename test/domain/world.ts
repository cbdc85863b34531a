import type { Decimal, Figure } from '../../src/domain/decimal.ts';
import type { LedgerLine, StockTarget } from '../../src/domain/ledger.ts';
import type { Effect } from '../../src/domain/status.ts';
import { exact } from '../support/units.ts';

/*
 * A model of one SKU on both sides. It follows the spec's tables and the ERP contract, and uses no code of the program.
 * Quantities are whole ten-thousandths, so that no rounding can hide anything.
 */

type Status = 'Submitted' | 'Accepted' | 'Fulfilled' | 'Shipped' | 'Complete' | 'Rejected' | 'Canceled' | 'Backorder';

interface Line {
  readonly id: number;
  quantity: bigint;
  /** The line was added after Accepted, so it neither reserves nor consumes. */
  readonly late: boolean;
}

interface Order {
  readonly id: number;
  status: Status;
  readonly lines: Line[];
}

/** The ERP's copy of a marketplace order, with each line's quantity as the ERP was told. */
interface ErpOrder {
  status: 'draft' | 'reserved' | 'shipped' | 'cancelled';
  told: ReadonlyMap<number, bigint>;
}

/** The ERP's available figure as it was read, and the lines it counted at that moment. */
interface Reading {
  readonly onHand: bigint;
  readonly available: bigint;
  readonly counted: ReadonlyMap<number, bigint>;
}

export interface Procedure {
  /** The status from which the ERP hears of an order, and the status from which it reserves. */
  readonly exportFrom: 'Submitted' | 'Fulfilled';
  readonly reserveFrom: 'Submitted' | 'Fulfilled';
  readonly field: StockTarget['field'];
}

export interface Event {
  readonly kind: (typeof EVENTS)[number];
  /** The place of the order, taken modulo the number of orders. */
  readonly order: number;
  readonly quantity: bigint;
  /** The age of a reading: the number of ERP states since. */
  readonly lag: number;
}

export interface Beginning {
  readonly onHand: bigint;
  readonly buffer: bigint;
}

export const EVENTS = [
  'submit',
  'add line',
  'edit',
  'cancel',
  'accept',
  'fulfil',
  'ship',
  'complete',
  'reject',
  'export',
  'ERP ships',
  'ERP cancels',
  'ERP receives',
  'ERP sells',
  'read the ERP',
  'write',
] as const;

const RANK: Record<Status, number> = {
  Submitted: 1,
  Accepted: 2,
  Fulfilled: 3,
  Shipped: 4,
  Complete: 5,
  Rejected: 0,
  Canceled: 0,
  Backorder: 0,
};

export type Writer = (reading: Reading, lines: readonly LedgerLine[], buffer: bigint) => bigint;

export class World {
  readonly procedure: Procedure;
  readonly buffer: bigint;
  quantity: bigint;
  reserved = 0n;
  onHand: bigint;
  reading: Reading | null = null;
  readonly orders: Order[] = [];
  readonly erpOrders = new Map<number, ErpOrder>();
  readonly #history: Reading[] = [];
  #ids = 0;

  constructor(procedure: Procedure, { onHand, buffer }: Beginning) {
    this.procedure = procedure;
    this.onHand = onHand;
    this.buffer = buffer;
    this.quantity = onHand;
    this.#remember();
  }

  /** The units that buyers can take. */
  get takeable(): bigint {
    return max(0n, this.quantity - this.reserved);
  }

  /** The event gives back what an order has, and the ERP has shipped that order. */
  givesBackShipped({ kind, order: place }: Event): boolean {
    const order = this.#orderAt(place);
    if ((kind !== 'cancel' && kind !== 'reject') || order === undefined) return false;
    return this.erpOrders.get(order.id)?.status === 'shipped';
  }

  #orderAt(place: number): Order | undefined {
    return this.orders[place % Math.max(1, this.orders.length)];
  }

  happen(event: Event, writer: Writer): void {
    const order = this.#orderAt(event.order);
    if (event.kind === 'write') this.write(writer);
    else if (event.kind === 'read the ERP') this.readErp(event.lag);
    else if (event.kind === 'submit') this.#submit(event.quantity);
    else if (event.kind === 'ERP receives') this.onHand += event.quantity;
    else if (event.kind === 'ERP sells') this.onHand = max(0n, this.onHand - event.quantity);
    else if (order !== undefined) this.#orderEvent(event, order);
    this.#remember();
  }

  /** The program exports every order, reads the ERP, and writes the stock. */
  settle(writer: Writer): void {
    for (const order of this.orders) this.#export(order);
    this.#remember();
    this.readErp(0);
    this.write(writer);
  }

  readErp(lag: number): void {
    this.reading = this.#history.at(-1 - Math.min(lag, this.#history.length - 1)) ?? null;
  }

  /** Spec 1, Inventory setting rules 2 and 3. */
  write(writer: Writer): void {
    if (this.reading === null) return;
    const value = writer(this.reading, this.ledgerLines(this.reading), this.buffer);
    this.quantity = this.procedure.field === 'quantity' ? value : value + this.reserved;
  }

  /** The available units of `reading`, less the buffer and every live line that the reading does not count. */
  free(reading: Reading): bigint {
    const open = this.#liveLines().map(({ line }) => line.quantity - countedOf(reading, line));
    return reading.available - this.buffer - sum(open);
  }

  /**
   * The units that may be taken at this very moment: the units on hand, less the buffer and every live line that has not left.
   */
  freeNow(): bigint {
    const { counted } = this.now();
    const isShipped = (order: Order) => this.erpOrders.get(order.id)?.status === 'shipped';
    const gone = ({ order, line }: { order: Order; line: Line }) =>
      isShipped(order) ? (counted.get(line.id) ?? 0n) : 0n;
    const claims = this.#liveLines().map((live) => max(0n, live.line.quantity - gone(live)));
    return this.onHand - this.buffer - sum(claims);
  }

  now(): Reading {
    const counted = new Map<number, bigint>();
    let reserved = 0n;
    for (const order of this.erpOrders.values()) {
      if (order.status !== 'reserved' && order.status !== 'shipped') continue;
      for (const [id, quantity] of order.told) {
        counted.set(id, quantity);
        if (order.status === 'reserved') reserved += quantity;
      }
    }
    return { onHand: this.onHand, available: this.onHand - reserved, counted };
  }

  ledgerLines(reading: Reading): LedgerLine[] {
    return this.orders.flatMap((order) =>
      order.lines.flatMap((line) => {
        const effect = effectOf(order, line);
        const counted = countedOf(reading, line);
        const part = (quantity: bigint, isCounted: boolean) => ({
          order: String(order.id),
          quantity: toDecimal(quantity),
          effect,
          counted: isCounted,
        });
        return [part(counted, true), part(line.quantity - counted, false)];
      }),
    );
  }

  #liveLines() {
    const all = this.orders.flatMap((order) => order.lines.map((line) => ({ order, line })));
    return all.filter(({ order, line }) => effectOf(order, line) !== 'none');
  }

  #remember(): void {
    this.#history.push(this.now());
  }

  #submit(quantity: bigint): void {
    this.orders.push({ id: this.#ids++, status: 'Submitted', lines: [this.#line(quantity, false)] });
    this.reserved += quantity;
  }

  #line(quantity: bigint, late: boolean): Line {
    return { id: this.#ids++, quantity, late };
  }

  /** The spec's table of inventory effects, row by row. */
  #orderEvent({ kind, quantity }: Event, order: Order): void {
    const rank = RANK[order.status];
    const [first] = order.lines;
    const held = sum(order.lines.filter((line) => !line.late).map((line) => line.quantity));
    if (kind === 'add line' && rank > 0) {
      order.lines.push(this.#line(quantity, rank > 2));
      if (rank <= 2) this.reserved += quantity;
    } else if (kind === 'edit' && (rank === 1 || rank === 2) && first !== undefined) {
      this.reserved += quantity - first.quantity;
      first.quantity = quantity;
    } else if (kind === 'cancel' && (rank === 1 || rank === 2)) {
      this.reserved -= held;
      order.status = 'Canceled';
    } else if (kind === 'reject' && rank > 0 && rank < 5) {
      if (rank <= 2) this.reserved -= held;
      else this.quantity += held;
      order.status = 'Rejected';
    } else if (kind === 'accept' && rank === 1) order.status = 'Accepted';
    else if (kind === 'fulfil' && rank === 2) {
      this.reserved -= held;
      this.quantity -= held;
      order.status = 'Fulfilled';
    } else if (kind === 'ship' && rank === 3) order.status = 'Shipped';
    else if (kind === 'complete' && rank === 4) order.status = 'Complete';
    else if (kind === 'export') this.#export(order);
    else this.#erpEvent(kind, order);
  }

  #erpEvent(kind: Event['kind'], order: Order): void {
    const erpOrder = this.erpOrders.get(order.id);
    if (erpOrder?.status !== 'reserved') return;
    if (kind === 'ERP ships' && RANK[order.status] > 0) {
      this.onHand -= sum([...erpOrder.told.values()]);
      erpOrder.status = 'shipped';
    } else if (kind === 'ERP cancels') erpOrder.status = 'cancelled';
  }

  /** Exports an order to the ERP, with every line, the late lines too. */
  #export(order: Order): void {
    const { exportFrom, reserveFrom } = this.procedure;
    const known = this.erpOrders.get(order.id);
    const rank = RANK[order.status];
    if (known?.status === 'shipped' || known?.status === 'cancelled') return;
    if (rank === 0) {
      if (known !== undefined) known.status = 'cancelled';
    } else if (rank >= RANK[exportFrom]) {
      const told = new Map(order.lines.map((line) => [line.id, line.quantity]));
      const status = rank >= RANK[reserveFrom] ? 'reserved' : 'draft';
      this.erpOrders.set(order.id, { status, told });
    }
  }
}

function countedOf(reading: Reading, line: Line): bigint {
  return min(line.quantity, reading.counted.get(line.id) ?? 0n);
}

function effectOf(order: Order, line: Line): Effect {
  const rank = RANK[order.status];
  if (rank === 0 || line.late) return 'none';
  return rank <= 2 ? 'reserved' : 'consumed';
}

const DIGITS = 10_000n;

export function toDecimal(tenThousandths: bigint): Figure<never> {
  return exact(exact(tenThousandths.toString()).dividedBy(DIGITS.toString()));
}

export function toTenThousandths(quantity: Decimal): bigint {
  return BigInt(quantity.times(DIGITS.toString()).toFixed());
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
