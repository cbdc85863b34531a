import { UNDATED } from '../ahead.ts';
import { decimalOf, decimalOrNull, figureOf, ZERO } from '../decimal.ts';
import type { FirstSeen } from '../history.ts';
import { isBefore } from '../instant.ts';
import { lateness } from '../lateness.ts';
import type { MarketplaceOrder } from '../order.ts';
import type { KnownLine, OrderMove } from './order-move.ts';
import { type Due, hasFields } from './row.ts';

/** Decimals are exact text. */
export type OrderRow = ReturnType<typeof contentOf> &
  OrderHead &
  FirstSeen & {
    readonly number: string;
    /** Hash of `contentText`. */
    readonly hash: string;
    readonly seenAtMs: number;
  };

/** Columns that may change while the order's content stays the same. */
interface OrderHead {
  /** As sent by the server. */
  readonly modified: string;
  /** Whether a read ever contained the order's lines. */
  readonly hasLines: boolean;
  /** The order's status when its lines were read. A later answer without lines may have updated the status only. */
  readonly linesStatus: string | null;
  /** The body as received, lossless. */
  readonly raw: string;
}

function contentOf(order: MarketplaceOrder) {
  return {
    status: order.status,
    externalId: order.externalId,
    customerId: order.customer.id,
    customerName: order.customer.name,
    discountAmount: discountText(order),
    shippingAmount: order.shippingAmount?.toFixed() ?? null,
    taxAmount: order.taxAmount?.toFixed() ?? null,
    total: order.total?.toFixed() ?? null,
    deliveryState: order.deliveryState,
  };
}

/** `5`, or `10%`. */
function discountText({ discountAmount, discountPercent }: MarketplaceOrder): string {
  return discountPercent === undefined ? discountAmount.toFixed() : `${discountPercent.toFixed()}%`;
}

export function discountIn(text: string): Pick<MarketplaceOrder, 'discountAmount' | 'discountPercent'> {
  if (!text.endsWith('%')) return { discountAmount: decimalOf(text) };
  return { discountAmount: ZERO, discountPercent: decimalOf(text.slice(0, -1)) };
}

/** A line, with its fields in the order of the table's columns. The hash depends on that order. */
export type OrderLineRow = ReturnType<typeof lineRow>;

function lineRow(account: string, number: string, line: KnownLine) {
  return {
    account,
    number,
    lineId: line.id,
    productId: line.productId,
    quantity: line.quantity.toFixed(),
    priceAmount: line.orderedUnitPrice.amount.toFixed(),
    currency: line.orderedUnitPrice.currency,
    salesAmount: line.salesPrice?.amount.toFixed() ?? null,
    salesCurrency: line.salesPrice?.currency ?? null,
    unitMultiplier: line.unitMultiplier?.toFixed() ?? null,
    late: line.late,
  };
}

export function toLine(row: OrderLineRow): KnownLine {
  const { priceAmount, currency, salesAmount, salesCurrency } = row;
  return {
    id: row.lineId,
    productId: row.productId,
    quantity: figureOf(row.quantity),
    orderedUnitPrice: { amount: figureOf(priceAmount), currency },
    salesPrice: salesAmount === null ? null : { amount: figureOf(salesAmount), currency: salesCurrency ?? currency },
    unitMultiplier: decimalOrNull(row.unitMultiplier),
    late: row.late,
  };
}

/** A stored order. Its lines are sorted by id. */
export interface KnownOrder {
  readonly row: OrderRow;
  readonly lines: readonly OrderLineRow[];
}

function linesAfter(
  account: string,
  { number, status, lines }: MarketplaceOrder,
  before: KnownOrder | null,
): readonly OrderLineRow[] {
  const kept = before?.lines ?? [];
  if (lines === null) return kept;
  const linesStatus = before?.row.linesStatus ?? null;
  const lineIds = new Set(kept.map(({ lineId }) => lineId));
  const lateBefore = new Set(kept.filter(({ late }) => late).map(({ lineId }) => lineId));
  const seen = linesStatus === null ? null : { status: linesStatus, lineIds };
  const isLate = (id: number) => lateBefore.has(id) || lateness(seen, status, id) === 'late';
  const rows = lines.map((line) => lineRow(account, number, { ...line, late: isLate(line.id) }));
  return rows.toSorted((a, b) => a.lineId - b.lineId);
}

/** The order's content for hashing. Without `modified`, so an echo that differs only there changes nothing. */
export function contentText(order: MarketplaceOrder, lines: readonly OrderLineRow[]): string {
  const { modified: _modified, lines: _lines, ...content } = order;
  return JSON.stringify([content, lines]);
}

/** The selling company (spec 1, Order). null: the body does not show it. */
export function sellerOf(raw: string): number | null {
  return (JSON.parse(raw) as { readonly seller?: number | null }).seller ?? null;
}

type HashOf = (text: string) => string;

/**
 * Returns whether the order equals the stored one, ignoring the time of the change. Lines are compared if the answer
 * contains them.
 */
export function isAsKnownOrder(account: string, order: MarketplaceOrder, before: KnownOrder, hashOf: HashOf): boolean {
  return hashOf(contentText(order, linesAfter(account, order, before))) === before.row.hash;
}

export interface OrderRead {
  readonly account: string;
  readonly order: MarketplaceOrder;
  readonly raw: string;
  /** The row did not fit the documented shape before this read. */
  readonly mended: boolean;
  /** The cursor before this read. A row at or below it became visible late, or is read again. */
  readonly cursorBefore: string | null;
  /** No complete read of the orders came before. */
  readonly isFirstRead: boolean;
  /** The order whose own look stores this row. It needs no further look. */
  readonly lookedAt: string | undefined;
  readonly nowMs: number;
}

/**
 * Returns whether the answer equals the stored one, with its lines. Most do, and then nothing else of the order is
 * loaded.
 */
export function isSameAnswer(before: OrderRow | undefined, { order, raw, mended }: OrderRead): boolean {
  if (before === undefined || mended || before.raw !== raw || before.linesStatus !== order.status) return false;
  // A changed configuration may parse the same answer differently. No setting affects the lines.
  return hasFields(before, contentOf(order));
}

/** The rows that a read changes. null: the stored rows stay. */
export interface OrderChange {
  readonly row: OrderRow | null;
  /** The new head, if only the head changed. */
  readonly head: OrderHead | null;
  readonly lines: readonly OrderLineRow[] | null;
  /** null: the order moved no stock. */
  readonly move: Omit<OrderMove, 'knownBeforeTick' | 'releasedTick' | 'stockQuantity'> | null;
  readonly due: readonly Due[];
}

export function withOrderRead(before: KnownOrder | null, read: OrderRead, hashOf: HashOf): OrderChange {
  const { account, order, raw, mended, nowMs } = read;
  const { number, status } = order;
  const lines = linesAfter(account, order, before);
  const head = headOf(before?.row, read);
  const hash = hashOf(contentText(order, lines));
  const row = { number, ...contentOf(order), ...head, hash, seenAtMs: nowMs, ...firstSight(before?.row, read) };
  if (before?.row.hash === row.hash && !mended && sellerOf(before.row.raw) === sellerOf(raw)) {
    const { raw: _raw, ...told } = head;
    return { ...UNCHANGED, head: hasFields(before.row, told) ? null : head };
  }
  const isLooked = number === read.lookedAt;
  const isNewOrder = order.externalId === null;
  const due = isLooked ? [] : [{ flow: 'order-in', key: number, why: reasonOf(before?.row, order), isNewOrder }];
  const sameLines = before !== null && isSame(lines, before.lines);
  // A change of the head alone moves no stock.
  if (sameLines && before.row.status === status && !mended) return { ...UNCHANGED, row, due };
  const move = {
    number,
    before: before === null ? null : { status: before.row.status, lines: before.lines.map(toLine) },
    after: { status, lines: lines.map(toLine) },
    ...visibility(read),
  };
  return { row, head: null, lines: sameLines ? null : lines, move, due };
}

/** Records an order's state at first sight. An order without a time is history if the first read of all shows it. */
function firstSight(before: OrderRow | undefined, { order, isFirstRead }: OrderRead): FirstSeen {
  if (before !== undefined) {
    const { firstModified, firstStatus, history } = before;
    return { firstModified, firstStatus, history };
  }
  const isUndated = order.modified === UNDATED && !isFirstRead;
  return { firstModified: isUndated ? null : order.modified, firstStatus: order.status, history: null };
}

const UNCHANGED = { row: null, head: null, lines: null, move: null, due: [] } as const;

function headOf(before: OrderRow | undefined, { order, raw }: OrderRead): OrderHead {
  const { modified, status, lines } = order;
  if (lines !== null) return { modified, hasLines: true, linesStatus: status, raw };
  return { modified, hasLines: before?.hasLines ?? false, linesStatus: before?.linesStatus ?? null, raw };
}

function visibility({ order, cursorBefore, mended }: OrderRead) {
  // A row at or below the cursor became visible late. Figures read since may already include it.
  const late = cursorBefore !== null && !isBefore(cursorBefore, order.modified);
  return { late, wasHidden: late || mended || cursorBefore === null };
}

function isSame(lines: readonly OrderLineRow[], before: readonly OrderLineRow[]): boolean {
  return lines.length === before.length && before.every((row, index) => hasFields(row, lines[index] ?? {}));
}

function reasonOf(before: OrderRow | undefined, { status }: MarketplaceOrder): string {
  if (before === undefined) return `order seen for the first time, ${status}`;
  return before.status === status ? 'order changed' : `order went from ${before.status} to ${status}`;
}
