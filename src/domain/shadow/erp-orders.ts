import { later } from '../instant.ts';
import { type Due, hasFields, type Recorded } from './row.ts';
import { type Held, type HistoryChange, holdingChanges, statusChange } from './stock-history.ts';

interface SeenErpOrder {
  readonly id: string;
  readonly reference: string;
  readonly origin: 'marketplace' | 'erp';
  readonly status: string;
  /** Customer, lines and money, as lossless JSON. */
  readonly content: string;
  readonly changedAt: string;
  /** The ERP time from which its stock figures include this order. Omitted if equal to `changedAt`. */
  readonly countedAsOf?: string | undefined;
}

export interface ErpOrderRow extends SeenErpOrder {
  /** The ERP time at which these lines were first included (reserved or shipped). null: not included. */
  readonly countedSince: string | null;
  readonly seenAtMs: number;
}

/**
 * Returns the row after a read or an answer of the ERP.
 * @param readTo the ERP time up to which its changes had been read; null: none
 */
export function withErpOrder(
  before: ErpOrderRow | undefined,
  order: SeenErpOrder,
  { mended, nowMs, readTo }: { readonly mended: boolean; readonly nowMs: number; readonly readTo: string | null },
): Pick<Recorded<ErpOrderRow>, 'row'> & { readonly history: readonly HistoryChange[] } {
  const { countedAsOf: _, ...seen } = order;
  const { id, reference, origin, status, content, changedAt } = seen;
  if (before !== undefined && !mended && hasFields(before, { reference, origin, status, content }))
    return { row: null, history: [] };
  const [was, is] = [before === undefined ? null : heldBy(before), heldBy(order)];
  const countedSince = countedFrom(before, order, readTo);
  const history = [
    ...statusChange('erp', id, before?.status ?? null, status, changedAt),
    ...holdingChanges({ id, before: was, after: is, since: countedSince ?? changedAt }),
  ];
  return { row: { ...seen, countedSince, seenAtMs: nowMs }, history };
}

/**
 * The changes when an order disappears from the ERP: its status, and the units that the ERP counted for it.
 * @param asOf the ERP's time
 */
export function historyOfGone(row: ErpOrderRow, asOf: string): readonly HistoryChange[] {
  return [
    ...statusChange('erp', row.id, row.status, 'gone', asOf),
    ...holdingChanges({ id: row.id, before: heldBy(row), after: { isCounted: false, lines: [] }, since: asOf }),
  ];
}

/** Returns whether the ERP's stock includes the order. It may not while a write of several steps is unfinished. */
function isCounted({ status, content }: Pick<SeenErpOrder, 'status' | 'content'>): boolean {
  return (status === 'reserved' || status === 'shipped') && isFinished(content);
}

function isFinished(content: string): boolean {
  return (JSON.parse(content) as { finished?: false }).finished !== false;
}

/**
 * Returns the time since which the ERP counts exactly these quantities. An edit restarts it, which sells too little
 * rather than too much. An uncounted order may get a date before the end of the last read. Such a date proves nothing,
 * so that end is used.
 */
function countedFrom(before: ErpOrderRow | undefined, order: SeenErpOrder, readTo: string | null): string | null {
  const { content, changedAt, countedAsOf } = order;
  if (!isCounted(order)) return null;
  const countedBefore = before?.countedSince ?? null;
  if (before !== undefined && countedBefore !== null && quantitiesOf(before.content) === quantitiesOf(content))
    return countedBefore;
  if (countedAsOf !== undefined) return countedAsOf;
  return countedBefore === null && readTo !== null ? later(changedAt, readTo) : changedAt;
}

function quantitiesOf(content: string): string {
  return JSON.stringify(
    linesOf(content)
      .map(({ sku, quantity }) => `${quantity} ${sku}`)
      .toSorted(),
  );
}

function heldBy(order: Pick<SeenErpOrder, 'status' | 'content'>): Held {
  return { isCounted: isCounted(order), lines: linesOf(order.content) };
}

function linesOf(content: string): Held['lines'] {
  return (JSON.parse(content) as Pick<Held, 'lines'>).lines;
}

/** The SKUs of an order's states. An earlier state's SKUs matter because the ERP has released their units. */
export function skusOf(...orders: readonly (ErpOrderRow | undefined)[]): string[] {
  const lines = orders.flatMap((order) => (order === undefined ? [] : linesOf(order.content)));
  return [...new Set(lines.map(({ sku }) => sku))];
}

export interface ErpOrderContext {
  readonly linkedTo: string | null;
  /** Numbers of linked marketplace orders that this ERP-made order has, or had, as its reference. */
  readonly reused: readonly string[];
  /** The products with the SKUs of the order now or before. */
  readonly productIds: Iterable<string>;
  /** The marketplace order whose own look stores this row. It needs no further look. */
  readonly lookedAt: string | undefined;
}

/** Orders of one product within this time cause a single look at it. */
const FIGURE_FOLLOWS_MS = 1_000;

/**
 * Returns whether the order has just become reserved. Its units stay subtracted until the ERP's figure includes them,
 * so the stock need not be checked at once.
 */
function isNewlyReserved(before: ErpOrderRow | undefined, order: ErpOrderRow): boolean {
  return order.status === 'reserved' && (before === undefined || !isCounted(before));
}

export function dueOfErpOrder(
  before: ErpOrderRow | undefined,
  order: ErpOrderRow,
  { linkedTo, reused, productIds, lookedAt }: ErpOrderContext,
): Due[] {
  const why = `ERP order ${order.id} is ${order.status}`;
  const isOwn = [order, before ?? order].some(({ origin }) => origin === 'erp');
  const due: Due[] = isOwn ? [{ flow: 'order-out', key: order.id, why }] : [];
  // The ERP may store the reference of a linked order in an altered form.
  const references = [order, before ?? order].map(({ origin, reference }) => (origin === 'erp' ? null : reference));
  const numbers = [linkedTo, ...references, ...reused];
  for (const key of new Set(numbers)) {
    if (key !== null && key !== lookedAt) due.push({ flow: 'order-in', key, why });
  }
  const delay = isNewlyReserved(before, order) ? { afterMs: FIGURE_FOLLOWS_MS } : {};
  for (const key of new Set(productIds)) due.push({ flow: 'stock', key, why, ...delay });
  if ([order, before ?? order].some(hasVerdict)) due.push({ flow: 'approval-out', key: order.id, why });
  return due;
}

function hasVerdict({ content }: ErpOrderRow): boolean {
  return (JSON.parse(content) as { readonly approval?: object }).approval !== undefined;
}
