import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { type Decimal, decimalOf, decimalOrNull } from '../../../domain/decimal.ts';
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
import { pairEqualQuantities, pairLines } from './line-pairs.ts';
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

/**
 * Applies the ERP's line changes to the marketplace: changed and new lines in one write, removed lines one by one. A line
 * is removed before another line of its SKU is raised, so that the order never takes more units than a side has. The
 * lines of a SKU that the ERP has no more are removed last, so that the order is never empty. Each write states the lines
 * that the marketplace has after it: lines that a stopped program left behind are then known as its own.
 */
export function editOnMarketplace(edit: Edit & { readonly compared: Compared }): Decision<OrderInAction> {
  const { snapshot, stored, erpOrder, wanted, compared } = edit;
  if (erpOrder.lines.length === 0) {
    return hold(cause('nothing-left', { order: snapshot.number, erpOrder: erpOrder.id }));
  }
  const lines = (stored.lines ?? []).flatMap((line, at) => lineWithId(line, wanted, at));
  const changes: SkuChanges[] = [];
  for (const sku of compared.moved.erp) {
    const made = changesOf(edit, lines, sku);
    if ('code' in made) return hold(made);
    changes.push(made);
  }
  const [kept, gone] = [true, false].map((isKept) =>
    changes.filter(({ after }) => after.length > 0 === isKept).flatMap(({ removed }) => removed),
  );
  const first = removals(edit, lines, kept ?? []);
  const moved = new Set(changes.filter(({ after }) => after.length > 0).map(({ sku }) => sku));
  const after = [...first.left.filter(({ sku }) => !moved.has(sku)), ...changes.flatMap((made) => made.after)];
  const written = changes.flatMap((made) => made.changes);
  const target = `lines of order ${snapshot.number}`;
  const shown = (some: readonly ErpOrderLine[]) => showLines(some, snapshot.rules.currency);
  const words = { before: shown(first.left), after: shown(after), why: EDITED_IN_ERP };
  const change = { ...words, changes: written, agreed: agreedAfter(erpOrder, wanted, quantitiesOf(after)) };
  return act([
    ...first.actions,
    ...(written.length === 0 ? [] : [{ action: 'order-in.lines', target, ...change } as const]),
    ...removals(edit, after, gone ?? []).actions,
  ]);
}

const EDITED_IN_ERP = 'the order was edited in the ERP';

function removals<Line extends PlacedLine>(
  { snapshot, erpOrder, wanted }: Edit,
  lines: readonly Line[],
  ids: number[],
) {
  let left = lines;
  const actions = ids.map((lineId) => {
    const removed = left.filter(({ id }) => id === lineId);
    left = left.filter(({ id }) => id !== lineId);
    return {
      action: 'order-in.line-remove',
      target: `line ${lineId} of order ${snapshot.number}`,
      before: showLines(removed, snapshot.rules.currency),
      after: null,
      why: EDITED_IN_ERP,
      lineId,
      agreed: agreedAfter(erpOrder, wanted, quantitiesOf(left)),
    } as const;
  });
  return { actions, left };
}

function agreedAfter({ id }: StoredErpOrder, wanted: Wanted, quantities: Quantities): OrderBase {
  return { ...agreedBase(id, wanted), quantities };
}

/** A line of the marketplace's order, counted and priced as in the ERP. */
interface PlacedLine extends ErpOrderLine {
  /** null: a new line. */
  readonly id: number | null;
}

interface LineWithId extends PlacedLine {
  readonly id: number;
  readonly productId: number;
  readonly unitsPerCase: Decimal | null;
}

function lineWithId(
  { id, productId, unitMultiplier }: NonNullable<StoredOrder['lines']>[number],
  { lines, prices }: Wanted,
  at: number,
): LineWithId[] {
  const [line, agreed] = [lines[at], prices[at]?.unitMultiplier];
  if (line === undefined) return [];
  return [{ ...line, id, productId, unitsPerCase: agreed == null ? unitMultiplier : decimalOf(agreed) }];
}

interface SkuChanges {
  readonly sku: string;
  readonly changes: readonly LineChange[];
  readonly removed: readonly number[];
  /** The SKU's lines after all of them. An existing line keeps its price: only its quantity is written. */
  readonly after: readonly PlacedLine[];
}

function changesOf(edit: Edit, lines: readonly LineWithId[], sku: string): SkuChanges | Cause {
  const { snapshot, erpOrder } = edit;
  const theirs = lines.filter((line) => line.sku === sku);
  const ours = erpOrder.lines.filter((line) => line.sku === sku);
  const { pairs, there, here, isUnclear } = pairLines(theirs, ours);
  if (isUnclear) {
    const { currency } = snapshot.rules;
    const shown = { there: showLines(theirs, currency), erp: showLines(ours, currency) };
    return cause('lines-regrouped', { order: snapshot.number, erpOrder: erpOrder.id, sku, ...shown });
  }
  const after: PlacedLine[] = pairs.map(([line, { quantity }]) => ({ ...line, quantity }));
  const changes: LineChange[] = [];
  const edited = pairs.filter(([line, { quantity }]) => !line.quantity.equals(quantity));
  for (const [line, own] of [...edited, ...here.map((one) => [undefined, one] as const)]) {
    const made = changeOf(edit, own, line);
    if ('code' in made) return made;
    changes.push(made);
  }
  const added = here.map((line) => ({ ...line, id: null }));
  return { sku, changes, removed: there.map(({ id }) => id), after: [...after, ...added] };
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
  const unitMultiplier = there?.unitsPerCase ?? listing?.unitMultiplier ?? null;
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
  const lines = (stored.lines ?? []).flatMap((line, at) => {
    const own = wanted.lines[at];
    return own === undefined ? [] : [{ ...own, at, there: line }];
  });
  for (const [{ sku, at, there }, here] of pairEqualQuantities(lines, erpOrder.lines)) {
    if (!skus.includes(sku)) continue;
    const { id, productId, quantity } = there;
    const agreed = wanted.prices[at];
    const price = linePriceOf(snapshot.rules.units, here.unitPrice, decimalOrNull(agreed?.unitMultiplier ?? null));
    const problem = priceCause(price, { order: erpOrder.id, line: sku }, snapshot.rules.currency);
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
