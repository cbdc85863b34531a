import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { type Decimal, decimalOf, decimalOrNull, type Figure } from '../../../domain/decimal.ts';
import { inCurrency } from '../../../domain/money-text.ts';
import { type OrderBase, type Quantities, quantitiesOf } from '../../../domain/order-base.ts';
import { quantityProblem } from '../../../domain/quantity.ts';
import { effectOf } from '../../../domain/status.ts';
import { lineOfErp, linePriceOf } from '../../../domain/units.ts';
import type { ErpOrderLine } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import { act, type Decision, hold } from '../../engine/decision.ts';
import { agreedBase } from './base.ts';
import { type Compared, largestMove, type Wanted } from './compare.ts';
import type { LineChange, OrderInAction, OrderInSnapshot } from './snapshot.ts';
import { showLines } from './wanted.ts';

interface Edit {
  readonly snapshot: OrderInSnapshot;
  readonly stored: StoredOrder;
  readonly erpOrder: StoredErpOrder;
  readonly wanted: Wanted;
}

/** The marketplace silently rounds further digits. */
const PRICE_DIGITS = 2;

/**
 * A change of lines after Accepted moves no stock (spec 1, Inventory effects, Rule), so a program must not make one.
 */
export function isEditable(status: string): boolean {
  return effectOf(status) === 'reserved';
}

/** Applies the ERP's line changes to the marketplace: changed and new lines in one write, removed lines one by one. */
export function editOnMarketplace(edit: Edit & { readonly compared: Compared }): Decision<OrderInAction> {
  const { snapshot, erpOrder, wanted, compared } = edit;
  if (erpOrder.lines.length === 0) {
    return hold(cause('nothing-left', { order: snapshot.number, erpOrder: erpOrder.id }));
  }
  const changes: LineChange[] = [];
  const removed: number[] = [];
  for (const sku of compared.moved.erp) {
    const made = changesOf(edit, sku);
    if ('code' in made) return hold(made);
    changes.push(...made.changes);
    removed.push(...made.removed);
  }
  const agreed = agreedAfter(erpOrder, wanted, compared.sides.erp);
  const before = showLines(wanted.lines, snapshot.rules.currency);
  // An existing line keeps its price. Only its quantity is written.
  const kept = new Map(wanted.lines.map(({ sku, unitPrice }) => [sku, unitPrice]));
  const written = erpOrder.lines.map((line) => ({ ...line, unitPrice: kept.get(line.sku) ?? line.unitPrice }));
  const words = { before, after: showLines(written, snapshot.rules.currency), why: 'the order was edited in the ERP' };
  const target = `lines of order ${snapshot.number}`;
  return act([
    ...(changes.length === 0 ? [] : [{ action: 'order-in.lines', target, ...words, changes, agreed } as const]),
    ...removed.map((lineId) => ({ ...removal(edit, lineId), why: words.why, agreed })),
  ]);
}

function removal({ snapshot, stored, wanted }: Edit, lineId: number) {
  const at = stored.lines?.findIndex(({ id }) => id === lineId) ?? -1;
  const line = wanted.lines[at];
  return {
    action: 'order-in.line-remove',
    target: `line ${lineId} of order ${snapshot.number}`,
    before: line === undefined ? null : showLines([line], snapshot.rules.currency),
    after: null,
    lineId,
  } as const;
}

function agreedAfter({ id }: StoredErpOrder, wanted: Wanted, quantities: Quantities): OrderBase {
  return { ...agreedBase(id, wanted), quantities };
}

interface LineWithId {
  readonly id: number;
  readonly productId: number;
  readonly unitMultiplier: Decimal | null;
  readonly quantity: Figure<'erp line'>;
}

/** Matches lines of equal quantity, then the rest in order. Unmatched lines are added or removed. */
function changesOf(edit: Edit, sku: string): { changes: LineChange[]; removed: number[] } | Cause {
  const { stored, erpOrder, wanted } = edit;
  const theirs: LineWithId[] = (stored.lines ?? []).flatMap(({ id, productId, unitMultiplier }, at) => {
    const line = wanted.lines[at];
    if (line?.sku !== sku) return [];
    const agreed = wanted.prices[at]?.unitMultiplier;
    return [
      { id, productId, unitMultiplier: agreed == null ? unitMultiplier : decimalOf(agreed), quantity: line.quantity },
    ];
  });
  const inErp = erpOrder.lines.filter((line) => line.sku === sku);
  const [left, open] = unmatched(theirs, inErp);
  const changes: LineChange[] = [];
  for (const [at, line] of open.entries()) {
    const made = changeOf(edit, line, left[at]);
    if ('code' in made) return made;
    changes.push(made);
  }
  return { changes, removed: left.slice(open.length).map(({ id }) => id) };
}

function unmatched(theirs: readonly LineWithId[], inErp: readonly ErpOrderLine[]): [LineWithId[], ErpOrderLine[]] {
  const open = [...inErp];
  const left = theirs.filter(({ quantity }) => {
    const at = open.findIndex((line) => line.quantity.equals(quantity));
    if (at >= 0) open.splice(at, 1);
    return at < 0;
  });
  return [left, open];
}

function changeOf({ snapshot, erpOrder }: Edit, line: ErpOrderLine, there: LineWithId | undefined): LineChange | Cause {
  const { number, listings, rules } = snapshot;
  const at = { order: erpOrder.id, line: line.sku };
  const listing = listings.get(line.sku);
  if (there === undefined && listing === undefined)
    return cause('sku-unlisted', { erpOrder: erpOrder.id, sku: line.sku });
  if (there === undefined && listing?.archived) {
    return cause('listing-archived', { erpOrder: erpOrder.id, sku: line.sku, listing: listing.id });
  }
  const unitMultiplier = there?.unitMultiplier ?? listing?.unitMultiplier ?? null;
  if (unitMultiplier?.lessThanOrEqualTo(0)) {
    return cause('line-multiplier', { ...at, multiplier: unitMultiplier.toFixed() });
  }
  const quantity = lineOfErp(rules.units, line.quantity, unitMultiplier);
  if (quantity === null) return cause('line-cases-unknown', at);
  const problem = quantityProblem(quantity);
  if (problem !== null) return cause('line-quantity', { order: number, line: line.sku, problem });
  if (there !== undefined) return { id: there.id, productId: there.productId, quantity, price: null };
  const price = linePriceOf(rules.units, line.unitPrice, unitMultiplier);
  return priceCause(price, at, rules.currency) ?? { id: null, productId: listing?.id ?? 0, quantity, price };
}

function priceCause(
  price: Decimal,
  at: { readonly order: string; readonly line: string },
  currency: string,
): Cause | null {
  const negative = price.lessThan(0);
  if (!negative && price.decimalPlaces() <= PRICE_DIGITS) return null;
  return cause('line-price', { ...at, price: inCurrency(price, currency), negative });
}

/** With `prices: follow`, writes prices changed in the ERP to the marketplace's lines. */
export function pricesOnMarketplace(
  { snapshot, stored, erpOrder, wanted }: Edit,
  skus: readonly string[],
): Decision<OrderInAction> {
  const changes: LineChange[] = [];
  for (const [at, { id, productId, quantity }] of (stored.lines ?? []).entries()) {
    const [line, agreed] = [wanted.lines[at], wanted.prices[at]];
    const here = erpOrder.lines.find(({ sku }) => sku === line?.sku);
    if (line === undefined || here === undefined || !skus.includes(line.sku)) continue;
    const price = linePriceOf(snapshot.rules.units, here.unitPrice, decimalOrNull(agreed?.unitMultiplier ?? null));
    const problem = priceCause(price, { order: erpOrder.id, line: line.sku }, snapshot.rules.currency);
    if (problem !== null) return hold(problem);
    changes.push({ id, productId, quantity, price });
  }
  return act([
    {
      action: 'order-in.lines',
      target: `prices of order ${snapshot.number}`,
      before: showLines(wanted.lines, snapshot.rules.currency),
      after: showLines(erpOrder.lines, snapshot.rules.currency),
      why: 'the price was changed in the ERP',
      changes,
      agreed: agreedAfter(erpOrder, wanted, quantitiesOf(erpOrder.lines)),
      brake: 'price',
      changePercent: largestMove(wanted.lines, erpOrder.lines, skus),
    },
  ]);
}
