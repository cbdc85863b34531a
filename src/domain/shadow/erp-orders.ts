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

export function withErpOrder(
  before: ErpOrderRow | undefined,
  order: SeenErpOrder,
  { mended, nowMs }: { readonly mended: boolean; readonly nowMs: number },
): Pick<Recorded<ErpOrderRow>, 'row'> & { readonly history: readonly HistoryChange[] } {
  const { countedAsOf: _, ...seen } = order;
  const { id, reference, origin, status, content, changedAt } = seen;
  if (before !== undefined && !mended && shows(before, { reference, origin, status, content }))
    return { row: null, history: [] };
  const [was, is] = [before === undefined ? null : heldBy(before), heldBy(order)];
  const countedSince = countedFrom(before, order);
  const history = [
    ...statusChange('erp', id, before?.status ?? null, status, changedAt),
    ...holdingChanges({ id, before: was, after: is, since: countedSince ?? changedAt }),
  ];
  return { row: { ...seen, countedSince, seenAtMs: nowMs }, history };
}

/** What the ERP counted for an order that is gone from there. @param asOf the ERP's clock */
export function historyOfGone(row: ErpOrderRow, asOf: string): readonly HistoryChange[] {
  return [
    ...statusChange('erp', row.id, row.status, 'gone', asOf),
    ...holdingChanges({ id: row.id, before: heldBy(row), after: { isCounted: false, lines: [] }, since: asOf }),
  ];
}

/** An order of which a write in several steps is not over is not counted yet: it may be no more than asked for. */
function isCounted({ status, content }: Pick<SeenErpOrder, 'status' | 'content'>): boolean {
  return (status === 'reserved' || status === 'shipped') && isFinished(content);
}

function isFinished(content: string): boolean {
  return (JSON.parse(content) as { finished?: false }).finished !== false;
}

/** Since when the ERP counts these very quantities: an edit starts it afresh, which errs towards too little. */
function countedFrom(before: ErpOrderRow | undefined, order: SeenErpOrder): string | null {
  const { content, changedAt, countedAsOf = changedAt } = order;
  if (!isCounted(order)) return null;
  const isUnchanged = before?.countedSince != null && quantitiesOf(before.content) === quantitiesOf(content);
  return isUnchanged ? before.countedSince : countedAsOf;
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

/** The SKUs that an order has, and those that it had before: the ERP has let go of these. */
export function skusOf(...orders: readonly (ErpOrderRow | undefined)[]): string[] {
  const lines = orders.flatMap((order) => (order === undefined ? [] : linesOf(order.content)));
  return [...new Set(lines.map(({ sku }) => sku))];
}

/** The entities that a changed order of the ERP matters to. */
export interface ErpOrderBeside {
  /** The marketplace's order that it is linked to. */
  readonly linkedTo: string | null;
  /** The products with its SKUs of now or before. */
  readonly productIds: Iterable<string>;
  /** Number of the marketplace's order whose own look records this: that look goes on, so it is not looked at again. */
  readonly lookedAt: string | undefined;
}

export function dueOfErpOrder(
  before: ErpOrderRow | undefined,
  order: ErpOrderRow,
  { linkedTo, productIds, lookedAt }: ErpOrderBeside,
): Due[] {
  const why = `ERP order ${order.id} is ${order.status}`;
  const due: Due[] = order.origin === 'erp' ? [{ flow: 'order-out', key: order.id, why }] : [];
  const numbers = [order, before ?? order].map(({ origin, reference }) => (origin === 'erp' ? linkedTo : reference));
  for (const key of new Set(numbers)) {
    if (key !== null && key !== lookedAt) due.push({ flow: 'order-in', key, why });
  }
  for (const key of new Set(productIds)) due.push({ flow: 'stock', key, why });
  if ([order, before ?? order].some(hasVerdict)) due.push({ flow: 'approval-out', key: order.id, why });
  return due;
}

function hasVerdict({ content }: ErpOrderRow): boolean {
  return (JSON.parse(content) as { readonly approval?: object }).approval !== undefined;
}
