import type { Decimal } from '../../../domain/decimal.ts';
import { quantityProblem } from '../../../domain/quantity.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { act, type Decision, hold, inSync, type Planned } from '../../engine/decision.ts';

/** An order made in the ERP, and what the marketplace knows of its parts. */
export interface OrderOutSnapshot {
  readonly erpOrder: StoredErpOrder | null;
  /** Why the ERP's last row of it cannot be read. */
  readonly erpMisfit: string | null;
  readonly linkedNumber: string | null;
  /** A create that may have been applied. */
  readonly createInDoubt: boolean;
  /** The marketplace's customer id. */
  readonly customerId: number | null;
  readonly products: ReadonlyMap<string, KnownListing>;
  readonly unit: 'units' | 'cases';
  readonly currency: string;
}

export interface KnownListing {
  readonly id: number;
  readonly archived: boolean;
  readonly unitMultiplier: Decimal | null;
}

export interface NewLine {
  readonly productId: number;
  readonly quantity: Decimal;
  /** Per sold-in unit. */
  readonly priceAmount: Decimal;
}

export interface CreateOrder extends Planned {
  readonly action: 'order-out.create';
  readonly customerId: number;
  readonly status: 'Submitted' | 'Accepted';
  readonly lines: readonly NewLine[];
  readonly discount: Decimal;
  readonly currency: string;
  /** An earlier create may have been applied, and the order was cancelled in the ERP since, or a listing of it archived. */
  readonly adoptOnly: boolean;
}

/** Prices are written with the digits the marketplace shows: more would be rounded away silently. */
const PRICE_DIGITS = 2;

export function decideOrderOut(snapshot: OrderOutSnapshot): Decision<CreateOrder> {
  const { erpOrder, currency, createInDoubt } = snapshot;
  // What came from the marketplace is held with its order there.
  if (snapshot.erpMisfit !== null && erpOrder?.origin !== 'marketplace') {
    return hold(`the ERP's order does not fit: ${snapshot.erpMisfit}`);
  }
  if (erpOrder === null || erpOrder.origin !== 'erp' || snapshot.linkedNumber !== null) return inSync();
  if (!createInDoubt && erpOrder.status === 'cancelled') return inSync();
  if (!['draft', 'reserved', 'shipped', 'cancelled'].includes(erpOrder.status)) {
    return hold(`its status "${erpOrder.status}" is not in the contract`);
  }
  if (erpOrder.currency !== currency)
    return hold(`it is in ${erpOrder.currency}, the account's currency is ${currency}`);
  if (snapshot.customerId === null) {
    return hold('its customer is not known on the marketplace: give the ERP customer a marketplace_id or link it');
  }
  const archived = archivedListing(erpOrder, snapshot);
  // A create whose answer was lost is settled first: orders that may be it wait for that.
  if (archived !== null && !createInDoubt) return hold(archived);
  const lines: NewLine[] = [];
  for (const line of erpOrder.lines) {
    const made = newLine(line, snapshot);
    if (typeof made === 'string') return hold(`${line.sku}: ${made}`);
    lines.push(made);
  }
  if (lines.length === 0) return hold('it has no lines');
  const adoptOnly = erpOrder.status === 'cancelled' || archived !== null;
  return act([creation(erpOrder, snapshot.customerId, lines, adoptOnly)]);
}

function archivedListing({ lines }: StoredErpOrder, { products }: OrderOutSnapshot): string | null {
  for (const { sku } of lines) {
    const listing = products.get(sku);
    if (listing?.archived) return `${sku}: its listing ${listing.id} is archived`;
  }
  return null;
}

function newLine(line: StoredErpOrder['lines'][number], { products, unit }: OrderOutSnapshot): NewLine | string {
  const listing = products.get(line.sku);
  if (listing === undefined) return 'it has no listing on the marketplace';
  const multiplier = listing.unitMultiplier;
  if (unit === 'cases' && multiplier === null) return 'the units per case are not known';
  if (multiplier?.lessThanOrEqualTo(0)) return 'its units per case are not above zero';
  const quantity = unit === 'cases' && multiplier !== null ? line.quantity.dividedBy(multiplier) : line.quantity;
  const problem = quantityProblem(quantity);
  if (problem !== null) return `its quantity on the marketplace ${problem}`;
  const priceAmount = multiplier === null ? line.unitPrice : line.unitPrice.times(multiplier);
  if (priceAmount.lessThan(0)) return `its price ${priceAmount.toFixed()} is negative`;
  if (priceAmount.decimalPlaces() > PRICE_DIGITS) {
    return `its price ${priceAmount.toFixed()} has more than ${PRICE_DIGITS} fractional digits`;
  }
  return { productId: listing.id, quantity, priceAmount };
}

function creation(
  erpOrder: StoredErpOrder,
  customerId: number,
  lines: readonly NewLine[],
  adoptOnly: boolean,
): CreateOrder {
  const shown = lines.map((line) => `${line.quantity.toFixed()} x ${line.productId} at ${line.priceAmount.toFixed()}`);
  // What the ERP has not promised yet is Submitted; what it has is Accepted.
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
