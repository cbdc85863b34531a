import { later } from '../instant.ts';
import { type Due, type Recorded, shows } from './row.ts';
import { type Held, type HistoryChange, holdingChanges, statusChange } from './stock-history.ts';

/** An order as the ERP shows it. */
interface SeenErpOrder {
  readonly id: string;
  readonly reference: string;
  readonly origin: 'marketplace' | 'erp';
  readonly status: string;
  /** Customer, lines and money, as lossless JSON. */
  readonly content: string;
  readonly changedAt: string;
  /** The ERP's clock as of which it counts the order; left out where that is `changedAt`. */
  readonly countedAsOf?: string | undefined;
}

export interface ErpOrderRow extends SeenErpOrder {
  /** The ERP's clock when these lines were first seen counted (reserved or shipped); null while they are not. */
  readonly countedSince: string | null;
  readonly seenAtMs: number;
}

/**
 * An order as a read or an answer of the ERP shows it.
 * @param readTo the ERP's clock up to which its changes had been read before; null: nothing had been read
 */
export function withErpOrder(
  before: ErpOrderRow | undefined,
  order: SeenErpOrder,
  { mended, nowMs, readTo }: { readonly mended: boolean; readonly nowMs: number; readonly readTo: string | null },
): Pick<Recorded<ErpOrderRow>, 'row'> & { readonly history: readonly HistoryChange[] } {
  const { countedAsOf: _, ...seen } = order;
  const { id, reference, origin, status, content, changedAt } = seen;
  if (before !== undefined && !mended && shows(before, { reference, origin, status, content }))
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
 * The changes when an order is gone from the ERP: its status, and the units that the ERP counted for it.
 * @param asOf the ERP's clock
 */
export function historyOfGone(row: ErpOrderRow, asOf: string): readonly HistoryChange[] {
  return [
    ...statusChange('erp', row.id, row.status, 'gone', asOf),
    ...holdingChanges({ id: row.id, before: heldBy(row), after: { isCounted: false, lines: [] }, since: asOf }),
  ];
}

/**
 * Does the ERP count the order? While a write in several steps is unfinished, the order may only be asked for, so the answer is
 * no.
 */
function isCounted({ status, content }: Pick<SeenErpOrder, 'status' | 'content'>): boolean {
  return (status === 'reserved' || status === 'shipped') && isFinished(content);
}

function isFinished(content: string): boolean {
  return (JSON.parse(content) as { finished?: false }).finished !== false;
}

/**
 * The time since which the ERP counts these very quantities. An edit begins it anew, which errs towards selling too little. An
 * order that was not counted before may be dated into a time whose changes had been read already. Such a date proves nothing,
 * so the order counts from the end of that read.
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

/** The SKUs of an order's states. A SKU of the earlier state matters, because the ERP has released its units. */
export function skusOf(...orders: readonly (ErpOrderRow | undefined)[]): string[] {
  const lines = orders.flatMap((order) => (order === undefined ? [] : linesOf(order.content)));
  return [...new Set(lines.map(({ sku }) => sku))];
}

/** The entities that are affected by a changed order of the ERP. */
export interface ErpOrderBeside {
  /** The marketplace's order to which the ERP's order is linked. */
  readonly linkedTo: string | null;
  /** Linked orders of the marketplace whose number this order of the ERP's own has as its reference, or had before. */
  readonly reused: readonly string[];
  /** The products with the SKUs that the order has now or had before. */
  readonly productIds: Iterable<string>;
  /** Number of the marketplace's order whose own look records this. That look goes on, so no second look is needed. */
  readonly lookedAt: string | undefined;
}

/** A burst of orders for a product has it looked at once in this time. */
const FIGURE_FOLLOWS_MS = 1_000;

/**
 * An order that begins to reserve units changes nothing until the ERP's figure shows it: until then the units are subtracted here, as
 * they were before.
 */
function isNewlyReserved(before: ErpOrderRow | undefined, order: ErpOrderRow): boolean {
  return order.status === 'reserved' && (before === undefined || !isCounted(before));
}

export function dueOfErpOrder(
  before: ErpOrderRow | undefined,
  order: ErpOrderRow,
  { linkedTo, reused, productIds, lookedAt }: ErpOrderBeside,
): Due[] {
  const why = `ERP order ${order.id} is ${order.status}`;
  const isOwn = [order, before ?? order].some(({ origin }) => origin === 'erp');
  const due: Due[] = isOwn ? [{ flow: 'order-out', key: order.id, why }] : [];
  // The ERP may keep the reference of a linked order otherwise than it was sent.
  const references = [order, before ?? order].map(({ origin, reference }) => (origin === 'erp' ? null : reference));
  const numbers = [linkedTo, ...references, ...reused];
  for (const key of new Set(numbers)) {
    if (key !== null && key !== lookedAt) due.push({ flow: 'order-in', key, why });
  }
  const later = isNewlyReserved(before, order) ? { afterMs: FIGURE_FOLLOWS_MS } : {};
  for (const key of new Set(productIds)) due.push({ flow: 'stock', key, why, ...later });
  if ([order, before ?? order].some(hasVerdict)) due.push({ flow: 'approval-out', key: order.id, why });
  return due;
}

function hasVerdict({ content }: ErpOrderRow): boolean {
  return (JSON.parse(content) as { readonly approval?: object }).approval !== undefined;
}
