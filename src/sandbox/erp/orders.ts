import { Exact } from '../exact.ts';
import type { Sql } from '../sql.ts';
import type { Catalog, StockMove } from './catalog.ts';
import type { Approval, LineShipment, OrderChange, OrderDraft, OrderRecord } from './records.ts';
import { Refusal } from './refusal.ts';

export interface OrderRow
  extends Omit<
    OrderRecord,
    'id' | 'customer' | 'lines' | 'attributes' | 'approval' | 'transports' | 'created_at' | 'changed_at' | Delivery
  > {
  n: number;
  customer: string;
  lines: string;
  attributes: string;
  approval: string;
  transports: string;
  delivery: string;
  created_ms: number;
  changed_ms: number;
}

type Delivery = 'ship_to' | 'delivery_date';

/** `reference` null: an order of the ERP's own, whose reference is its id. */
export type NewOrder = Omit<OrderDraft, 'reference' | 'origin'> & {
  reference: string | null;
  attributes?: OrderRecord['attributes'];
};

/**
 * Orders and their effect on stock: a draft has none, a reserved order counts in `reserved`, a shipped one leaves
 * `on_hand`.
 */
export function createOrders(sql: Sql, nowMs: () => number, catalog: Catalog) {
  const rowOf = (id: string) => findRow(sql, id);
  let computesTotals = false;

  /** The ERP's rounding adds a cent. */
  function withTotal<Row extends Pick<OrderRow, 'total'>>(row: Row): Row {
    return computesTotals ? { ...row, total: new Exact(row.total).plus('0.01').toFixed() } : row;
  }

  function save(before: OrderRow, after: OrderRow): OrderRecord {
    catalog.move(movesBetween(before, after));
    sql.update('orders', 'n', after);
    return orderRecord(after);
  }

  function note(id: string, change: Partial<OrderRow>): OrderRecord {
    const row = { ...rowOf(id), ...change };
    sql.update('orders', 'n', row);
    return orderRecord(row);
  }

  return {
    ...amendments({ sql, nowMs, rowOf, save }),
    /** Makes the ERP compute totals and ignore those sent. */
    computeTotals(): void {
      computesTotals = true;
    },
    totals: () => (computesTotals ? 'computed' : 'stored'),
    get: (id: string): OrderRecord => orderRecord(rowOf(id)),
    /** May add a duplicate. */
    create(draft: NewOrder): OrderRecord {
      const row = newRow(draft, nowMs());
      const n = sql.insert('orders', withTotal(row));
      const numbered = { ...withTotal(row), n, reference: draft.reference ?? orderId(n) };
      return save({ ...numbered, status: 'draft', lines: '[]' }, numbered);
    },
    /** Closed orders are refused (409), except that cancelling twice changes nothing. */
    change(id: string, change: OrderChange): OrderRecord {
      const row = rowOf(id);
      if (row.status === 'cancelled' && Object.keys(change).join() === 'status' && change.status === 'cancelled') {
        return orderRecord(row);
      }
      const { transports, ...rest } = change;
      // Transports may change after shipping.
      if (transports !== undefined) note(id, { transports: JSON.stringify(transports), changed_ms: nowMs() });
      if (Object.keys(rest).length === 0) return orderRecord(rowOf(id));
      refuseClosed(row);
      const { lines, ...facts } = rest;
      const sent = facts.total === undefined ? facts : withTotal({ ...facts, total: facts.total });
      const after = Object.assign(rowOf(id), sent, { changed_ms: nowMs() });
      if (lines === undefined) return save(row, after);
      refuseOvershipped(lines);
      return save(row, { ...after, lines: JSON.stringify(lines) });
    },
    /** Sets or withdraws the verdict. */
    approve: (id: string, approval: Approval | null) =>
      note(id, { approval: JSON.stringify(approval), changed_ms: nowMs() }),
    /** Backdates the last change, as an ERP does that dates it by the start of its transaction. */
    stamp: (id: string, agoMs: number) => note(id, { changed_ms: nowMs() - agoMs }),
    /** Removes the order and frees its units. */
    remove(id: string): void {
      const row = rowOf(id);
      if (row.status === 'reserved') save(row, { ...row, status: 'cancelled' });
      sql.run('DELETE FROM orders WHERE n = ?', row.n);
    },
    ship(id: string): OrderRecord {
      const row = rowOf(id);
      refuseClosed(row);
      return save(row, {
        ...row,
        lines: JSON.stringify(linesOf(row).map(asShipped)),
        status: 'shipped',
        changed_ms: nowMs(),
      });
    },
    /** Sets by SKU what was shipped or given up of a reserved order. */
    shipLines(id: string, shipments: Readonly<Record<string, LineShipment>>): OrderRecord {
      const row = rowOf(id);
      refuseClosed(row);
      return save(row, { ...row, lines: JSON.stringify(withShipments(row, shipments)), changed_ms: nowMs() });
    },
  };
}

interface Rows {
  readonly sql: Sql;
  readonly nowMs: () => number;
  readonly rowOf: (id: string) => OrderRow;
  readonly save: (before: OrderRow, after: OrderRow) => OrderRecord;
}

/** Acts of people that reopen closed orders. */
function amendments({ sql, nowMs, rowOf, save }: Rows) {
  return {
    /** Sets any status with its effect on stock: people reopen orders and take shipments back. */
    force(id: string, status: OrderRow['status']): OrderRecord {
      const row = rowOf(id);
      return save(row, { ...row, status, changed_ms: nowMs() });
    },
    /** A reserved order with the same customer, money and reference, for ERPs that amend by cancel and copy. */
    copy(id: string, lines?: OrderRecord['lines'], reference?: string): OrderRecord {
      const { n: _, ...row } = rowOf(id);
      const times = { created_ms: nowMs(), changed_ms: nowMs() };
      const fresh = {
        ...row,
        ...times,
        status: 'reserved',
        reference: reference ?? row.reference,
        lines: JSON.stringify(lines ?? linesOf(rowOf(id))),
      } as const;
      const numbered = { ...fresh, n: sql.insert('orders', fresh) };
      return save({ ...numbered, lines: '[]' }, numbered);
    },
  };
}

function findRow(sql: Sql, id: string): OrderRow {
  const n = /^SO-\d{6,12}$/.test(id) ? Number(id.slice(3)) : null;
  const row = sql.get<OrderRow>('SELECT * FROM orders WHERE n = ?', n);
  if (row === undefined) throw new Refusal(404, `There is no order ${id}`);
  return row;
}

export type Orders = ReturnType<typeof createOrders>;

export function orderId(n: number): string {
  return `SO-${String(n).padStart(6, '0')}`;
}

export function orderRecord(row: OrderRow): OrderRecord {
  const { n, customer, lines, attributes, approval, transports, delivery, created_ms, changed_ms, ...same } = row;
  return {
    id: orderId(n),
    ...same,
    ...(JSON.parse(delivery) as Pick<OrderRecord, Delivery>),
    customer: JSON.parse(customer) as OrderRecord['customer'],
    lines: JSON.parse(lines) as OrderRecord['lines'],
    attributes: JSON.parse(attributes) as OrderRecord['attributes'],
    ...(transports === '[]' ? {} : { transports: JSON.parse(transports) as OrderRecord['transports'] & {} }),
    ...(approval === 'null' ? {} : { approval: JSON.parse(approval) as Approval }),
    created_at: new Date(created_ms).toISOString(),
    changed_at: new Date(changed_ms).toISOString(),
  };
}

function newRow({ ship_to, delivery_date, ...draft }: NewOrder, atMs: number): Omit<OrderRow, 'n'> {
  return {
    ...draft,
    delivery: JSON.stringify({ ship_to, delivery_date }),
    reference: draft.reference ?? '',
    origin: draft.reference === null ? 'erp' : 'marketplace',
    customer: JSON.stringify(draft.customer),
    lines: JSON.stringify(draft.lines),
    attributes: JSON.stringify(draft.attributes ?? {}),
    approval: 'null',
    transports: '[]',
    created_ms: atMs,
    changed_ms: atMs,
  };
}

function linesOf({ lines }: OrderRow): OrderRecord['lines'] {
  return JSON.parse(lines) as OrderRecord['lines'];
}

/** After the whole order ships, a line has shipped all that was not given up. */
function asShipped(line: OrderRecord['lines'][number]): OrderRecord['lines'][number] {
  if (line.shipped === undefined && line.given_up === undefined) return line;
  return { ...line, shipped: new Exact(line.quantity).minus(line.given_up ?? 0).toFixed() };
}

function withShipments(row: OrderRow, shipments: Readonly<Record<string, LineShipment>>): OrderRecord['lines'] {
  const { n, status } = row;
  if (status !== 'reserved') {
    throw new Refusal(409, `Order ${orderId(n)} is ${status}: nothing of it can be shipped`);
  }
  const lines = linesOf(row).map((line) => ({ ...line, ...shipments[line.sku] }));
  refuseOvershipped(lines);
  return lines;
}

/** @throws Refusal 400 for a line smaller than its shipped and given-up units */
function refuseOvershipped(lines: OrderRecord['lines']): void {
  for (const { sku, quantity, shipped = '0', given_up = '0' } of lines) {
    if (new Exact(shipped).plus(given_up).greaterThan(quantity)) {
      throw new Refusal(400, `${sku}: more is shipped and given up than ${quantity}`);
    }
  }
}

function refuseClosed(row: OrderRow): void {
  if (row.status === 'shipped' || row.status === 'cancelled') {
    throw new Refusal(409, `Order ${orderId(row.n)} is ${row.status} and cannot be changed`);
  }
}

function movesBetween(before: OrderRow, after: OrderRow): StockMove[] {
  const moves = new Map<string, Record<'reserved' | 'onHand', Exact>>();
  const count = (row: OrderRow, sign: 1 | -1) => {
    for (const line of linesOf(row)) {
      const move = moves.get(line.sku) ?? { reserved: new Exact(0), onHand: new Exact(0) };
      const { reserved, gone } = takenBy(row.status, line);
      moves.set(line.sku, {
        reserved: move.reserved.plus(reserved.times(sign)),
        onHand: move.onHand.minus(gone.times(sign)),
      });
    }
  };
  count(before, -1);
  count(after, 1);
  return [...moves]
    .filter(([, move]) => !move.reserved.isZero() || !move.onHand.isZero())
    .map(([sku, move]) => ({ sku, reserved: move.reserved.toFixed(), onHand: move.onHand.toFixed() }));
}

/** The units that a line reserves and has shipped. Given-up units count as neither. */
function takenBy(
  status: OrderRow['status'],
  { quantity, shipped = '0', given_up = '0' }: OrderRecord['lines'][number],
): { reserved: Exact; gone: Exact } {
  const kept = new Exact(quantity).minus(given_up);
  if (status === 'shipped') return { reserved: new Exact(0), gone: kept };
  if (status !== 'reserved') return { reserved: new Exact(0), gone: new Exact(0) };
  return { reserved: kept.minus(shipped), gone: new Exact(shipped) };
}
