import { type Cause, cause } from '../../../domain/causes/cause.ts';
import type { Decimal, Figure } from '../../../domain/decimal.ts';
import { beyondLimits, ERP_ORDER_LIMITS } from '../../../domain/limits.ts';
import { inCurrency } from '../../../domain/money-text.ts';
import { quantityProblem } from '../../../domain/quantity.ts';
import { isLinePricePerWrongUnit, lineOfErp, linePriceOf, type Price, type Units } from '../../../domain/units.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { OrderOutRows } from '../../../store/observe.ts';
import { act, type Decision, hold, inSync, type Planned } from '../../engine/decision.ts';

export interface OrderOutSnapshot extends Pick<OrderOutRows, 'linkedNumber' | 'namesake' | 'createInDoubt'> {
  readonly key: string;
  readonly erpOrder: StoredErpOrder | null;
  readonly invalidErpRow: string | null;
  /** Whether such ERP orders are entered on the marketplace. A cause: the rule cannot be evaluated. */
  readonly wanted: boolean | Cause;
  readonly customerId: number | null;
  readonly products: ReadonlyMap<string, KnownListing>;
  readonly units: Units;
  readonly currency: string;
}

export interface KnownListing {
  readonly id: number;
  /** Archived, or about to be because the ERP does not sell the product. */
  readonly archived: boolean;
  readonly unitMultiplier: Decimal | null;
  readonly erpPrice: Price<'erp price'>;
}

interface NewLine {
  readonly productId: number;
  readonly quantity: Figure<'marketplace line'>;
  readonly priceAmount: Figure<'marketplace price'>;
}

export interface CreateOrder extends Planned {
  readonly action: 'order-out.create';
  readonly customerId: number;
  readonly status: 'Submitted' | 'Accepted';
  /** Empty if an order that is only adopted has unknown lines. */
  readonly lines: readonly NewLine[];
  readonly discount: Decimal;
  readonly currency: string;
  /** Only settle an earlier create. */
  readonly adoptOnly: boolean;
}

/** The marketplace silently rounds further digits. */
const PRICE_DIGITS = 2;

export function decideOrderOut(snapshot: OrderOutSnapshot): Decision<CreateOrder> {
  const { erpOrder, createInDoubt } = snapshot;
  const wanted = snapshot.wanted === true;
  // Orders of other channels are ignored. order-in handles those from the marketplace.
  if (!wanted && !createInDoubt && snapshot.linkedNumber === null) {
    return snapshot.wanted === false ? inSync() : hold(snapshot.wanted);
  }
  if (erpOrder?.finished === false) return hold(cause('erp-order-unfinished', { erpOrder: erpOrder.id }));
  if (snapshot.invalidErpRow !== null && erpOrder?.origin !== 'marketplace') {
    return hold(cause('erp-order-invalid', { order: snapshot.key, problem: snapshot.invalidErpRow }));
  }
  if (erpOrder === null || erpOrder.origin !== 'erp' || snapshot.linkedNumber !== null) return inSync();
  const isOver = erpOrder.status === 'cancelled' || erpOrder.status === 'shipped';
  if (!createInDoubt && isOver) return inSync();
  // Somebody may have entered the marketplace's order by hand. Creating it there again would duplicate it.
  if (!createInDoubt && snapshot.namesake !== null)
    return hold(cause('erp-reference-reused', { order: snapshot.namesake, others: [snapshot.key] }));
  if (!['draft', 'reserved', 'shipped', 'cancelled'].includes(erpOrder.status)) {
    return hold(cause('erp-order-status-unknown', { erpOrder: erpOrder.id, status: erpOrder.status }));
  }
  if (snapshot.customerId === null) return hold(cause('erp-order-customer-unknown', { erpOrder: erpOrder.id }));
  const lines = newLines(erpOrder, snapshot);
  const problem = contentProblem(erpOrder, snapshot, lines);
  // A create in doubt is settled first, whatever became of the order, because orders that may be its result wait for
  // that.
  if (problem !== null && !createInDoubt) return hold(problem);
  const adoptOnly = isOver || !wanted || problem !== null || snapshot.namesake !== null;
  return act([creation(erpOrder, snapshot.customerId, 'code' in lines ? [] : lines, adoptOnly)]);
}

function contentProblem(
  erpOrder: StoredErpOrder,
  snapshot: OrderOutSnapshot,
  lines: readonly NewLine[] | Cause,
): Cause | null {
  const { id, currency: shown } = erpOrder;
  if (shown !== snapshot.currency)
    return cause('erp-order-currency', { erpOrder: id, shown, wanted: snapshot.currency });
  const archived = archivedListing(erpOrder, snapshot);
  if (archived !== null) return archived;
  return 'code' in lines ? lines : beyondLimits(ERP_ORDER_LIMITS, erpOrder);
}

function archivedListing({ id, lines }: StoredErpOrder, { products }: OrderOutSnapshot): Cause | null {
  for (const { sku } of lines) {
    const listing = products.get(sku);
    if (listing?.archived) return cause('listing-archived', { erpOrder: id, sku, listing: listing.id });
  }
  return null;
}

function newLines({ id, lines }: StoredErpOrder, snapshot: OrderOutSnapshot): readonly NewLine[] | Cause {
  const made: NewLine[] = [];
  for (const line of lines) {
    const one = newLine(line, id, snapshot);
    if ('code' in one) return one;
    made.push(one);
  }
  return made;
}

function newLine(
  line: StoredErpOrder['lines'][number],
  erpOrder: string,
  { products, units, currency }: OrderOutSnapshot,
): NewLine | Cause {
  const at = { order: erpOrder, line: line.sku };
  const listing = products.get(line.sku);
  if (listing === undefined) return cause('sku-unlisted', { erpOrder, sku: line.sku });
  const multiplier = listing.unitMultiplier;
  if (multiplier?.lessThanOrEqualTo(0)) return cause('line-multiplier', { ...at, multiplier: multiplier.toFixed() });
  const quantity = lineOfErp(units, line.quantity, multiplier);
  if (quantity === null) return cause('line-cases-unknown', at);
  const problem = quantityProblem(quantity);
  if (problem !== null) return cause('line-quantity', { ...at, problem: `on the marketplace ${problem}` });
  if (isLinePricePerWrongUnit(units, line.unitPrice, listing.erpPrice.amount, multiplier)) {
    const prices = {
      price: inCurrency(line.unitPrice, currency),
      productPrice: inCurrency(listing.erpPrice.amount, currency),
    };
    return cause('line-price-terms', { ...at, ...prices, countsCases: units.erp.linesIn === 'cases' });
  }
  const priceAmount = linePriceOf(units, line.unitPrice, multiplier);
  if (priceAmount.decimalPlaces() > PRICE_DIGITS) {
    return cause('line-price', { ...at, price: inCurrency(priceAmount, currency), negative: false });
  }
  return { productId: listing.id, quantity, priceAmount };
}

function creation(
  erpOrder: StoredErpOrder,
  customerId: number,
  lines: readonly NewLine[],
  adoptOnly: boolean,
): CreateOrder {
  const shown = lines.map(
    ({ quantity, productId, priceAmount }) =>
      `${quantity.toFixed()} x ${productId} at ${inCurrency(priceAmount, erpOrder.currency)}`,
  );
  // A draft is Submitted, because the ERP has not confirmed it. All others are Accepted.
  const status = erpOrder.status === 'draft' ? 'Submitted' : 'Accepted';
  return {
    action: 'order-out.create',
    target: `marketplace order for ERP order ${erpOrder.id}`,
    before: null,
    after: adoptOnly ? 'linked if it is there' : `${status}: ${shown.join(', ')}`,
    why: `made in the ERP, ${erpOrder.status}`,
    customerId,
    status,
    lines,
    discount: erpOrder.discount,
    currency: erpOrder.currency,
    adoptOnly,
  };
}
