import type { Decimal } from './decimal.ts';
import type { Statuses } from './status-moves.ts';

/**
 * The last state of an order on which both sides agreed. Comparing each side with it shows which side changed. Stored
 * as JSON with decimals as exact text.
 */
export interface OrderBase {
  /** The agreed ERP order. null: it was being created. */
  readonly erpId: string | null;
  readonly quantities: Quantities;
  readonly prices: readonly AgreedPrice[];
  /** null: not agreed yet. */
  readonly charges: Charges | null;
  readonly statuses: Statuses | null;
  /** Where the ERP order was made. Omitted: recorded by an earlier version. */
  readonly origin?: 'marketplace' | 'erp' | undefined;
}

/** Sorted by SKU. The quantities of a SKU's lines are in ERP units, sorted: `2 + 1.5`. */
export type Quantities = readonly (readonly [sku: string, quantities: string])[];

/** A marketplace line's export price, per sold-in unit, and its unit multiplier at that time. */
export interface AgreedPrice {
  readonly line: number;
  readonly price: string;
  readonly unitMultiplier: string | null;
}

/** The amounts of an order that people enter, and the tax and total that follow from them. */
export interface Charges {
  readonly discount: string;
  readonly shipping: string;
  /** Omitted: not agreed, or recorded by an earlier version. */
  readonly tax?: string | undefined;
  readonly total?: string | undefined;
}

/**
 * The agreed state and the last sent state of an order. A change of lines is recorded before it is sent. If its answer
 * is lost and a side shows the sent state, the write succeeded.
 */
export interface BaseRecord {
  readonly agreed: OrderBase | null;
  readonly sent: SentBase | null;
  /** A sent status, until both sides show it. */
  readonly statusSent?: SentStatus | undefined;
  /** Ids of earlier ERP orders that the ERP has replaced. */
  readonly former?: readonly string[] | undefined;
}

/** A status is recorded before it is sent, because a person may revert it before the answer arrives. */
export interface SentStatus {
  readonly to: 'erp' | 'marketplace';
  /** Both sides' statuses once the write is applied. */
  readonly statuses: Statuses;
  /** That side's status before the write, and its own time of the last change. */
  readonly from: string;
  readonly changedAt: string;
  readonly atMs: number;
}

export interface SentBase {
  readonly to: 'erp' | 'marketplace';
  /** The agreed state once the write is applied. */
  readonly base: OrderBase;
  readonly atMs: number;
}

export interface BothQuantities {
  readonly marketplace: Quantities;
  readonly erp: Quantities;
}

interface Line {
  readonly sku: string;
  readonly quantity: Decimal;
}

export function quantitiesOf(lines: readonly Line[]): Quantities {
  const bySku = Map.groupBy(lines, ({ sku }) => sku);
  return [...bySku].map(([sku, own]) => [sku, textOf(own)] as const).toSorted(bySkuOrder);
}

function textOf(lines: readonly Line[]): string {
  const quantities = lines.map(({ quantity }) => quantity).toSorted((a, b) => a.comparedTo(b));
  return quantities.map((quantity) => quantity.toFixed()).join(' + ');
}

function bySkuOrder([a]: Quantities[number], [b]: Quantities[number]): number {
  return a < b ? -1 : Number(a > b);
}

/** `5 x SB-0001, 2 + 1.5 x SB-0002`. */
export function showQuantities(quantities: Quantities): string {
  return quantities.length === 0 ? 'nothing' : quantities.map(([sku, text]) => `${text} x ${sku}`).join(', ');
}

/**
 * Returns the base for comparing the sides now. A sent line that a side shows is agreed. A line that both sides show
 * alike is agreed.
 * @returns null: no agreed state is known
 */
export function agreedQuantities(record: BaseRecord | null, sides: BothQuantities): Quantities | null {
  const { agreed = null, sent = null } = record ?? {};
  const before = agreed?.quantities ?? sent?.base.quantities ?? null;
  const [there, here] = [new Map(sides.marketplace), new Map(sides.erp)];
  if (before === null && differing(there, here).length > 0) return null;
  const base = new Map(before ?? []);
  const written = new Map(sent?.base.quantities ?? []);
  const shown = sent?.to === 'marketplace' ? there : here;
  for (const sku of skusOf(base, written, there, here)) {
    if (there.get(sku) === here.get(sku)) put(base, sku, there.get(sku));
    else if (sent !== null && shown.get(sku) === written.get(sku)) put(base, sku, written.get(sku));
  }
  return [...base].toSorted(bySkuOrder);
}

/** Returns the SKUs that each side changed since the base. A SKU that both changed differently is in both lists. */
export function changedSkus(base: Quantities, sides: BothQuantities): { marketplace: string[]; erp: string[] } {
  const [agreed, there, here] = [new Map(base), new Map(sides.marketplace), new Map(sides.erp)];
  const apart = differing(there, here);
  return {
    marketplace: apart.filter((sku) => there.get(sku) !== agreed.get(sku)),
    erp: apart.filter((sku) => here.get(sku) !== agreed.get(sku)),
  };
}

export function differing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return skusOf(a, b).filter((sku) => a.get(sku) !== b.get(sku));
}

function skusOf(...all: readonly ReadonlyMap<string, string>[]): string[] {
  return [...new Set(all.flatMap((one) => [...one.keys()]))];
}

function put(base: Map<string, string>, sku: string, quantities: string | undefined): void {
  if (quantities === undefined) base.delete(sku);
  else base.set(sku, quantities);
}

/** Prices by line: the agreed price, or else the price that was sent to the ERP. */
export function agreedPrices(record: BaseRecord | null): ReadonlyMap<number, AgreedPrice> {
  const all = [...(record?.sent?.base.prices ?? []), ...(record?.agreed?.prices ?? [])];
  return new Map(all.map((price) => [price.line, price]));
}

/** A sent status that its side shows is agreed. */
export function agreedStatuses(record: BaseRecord | null, now: Statuses): Statuses | null {
  const sent = record?.statusSent;
  if (sent !== undefined && now[sent.to] === sent.statuses[sent.to]) return sent.statuses;
  return record?.agreed?.statuses ?? null;
}

/** Replaces renamed SKUs. */
export function withRenamedSkus(record: BaseRecord, presentSkus: ReadonlyMap<string, string>): BaseRecord {
  if (presentSkus.size === 0) return record;
  const present = (base: OrderBase): OrderBase => ({
    ...base,
    quantities: base.quantities.map(([sku, text]) => [presentSkus.get(sku) ?? sku, text] as const).toSorted(bySkuOrder),
  });
  const { agreed, sent } = record;
  return {
    ...record,
    agreed: agreed === null ? null : present(agreed),
    sent: sent === null ? null : { ...sent, base: present(sent.base) },
  };
}

const FORMER_KEPT = 20;

/** After the ERP replaced order `from` by `to`. The agreement stays. */
export function afterReplacement(record: BaseRecord | null, from: string, to: string): BaseRecord {
  const { agreed = null, sent = null, former = [] } = record ?? {};
  return {
    agreed: agreed === null ? null : { ...agreed, erpId: to },
    sent,
    former: [...former.filter((id) => id !== from && id !== to), from].slice(-FORMER_KEPT),
  };
}

/** Returns the record only if it belongs to the ERP order `erpId`. */
export function baseOf(record: BaseRecord | null, erpId: string): BaseRecord | null {
  const agreed = record?.agreed?.erpId;
  return agreed !== undefined && agreed !== erpId ? null : record;
}
