import type { Decimal } from './decimal.ts';
import type { Statuses } from './status-moves.ts';

/**
 * The last state of an order on which both sides agreed. Each side is compared with this state. Two values alone do not say
 * which side changed. The state is stored as JSON, and decimals are exact texts.
 */
export interface OrderBase {
  /** The ERP's order that agreed; null: it was being created. */
  readonly erpId: string | null;
  readonly quantities: Quantities;
  readonly prices: readonly AgreedPrice[];
  /** null: the two sides have not agreed on them yet. */
  readonly charges: Charges | null;
  readonly statuses: Statuses | null;
}

/** The quantities of each SKU's lines in ERP units, sorted: `2 + 1.5`. The list is sorted by SKU. */
export type Quantities = readonly (readonly [sku: string, quantities: string])[];

/** The price at which a line of the marketplace was exported, per sold-in unit, and the units that it was for. */
export interface AgreedPrice {
  readonly line: number;
  readonly price: string;
  readonly unitMultiplier: string | null;
}

/** The amounts of an order that people enter, and the two that follow from them. */
export interface Charges {
  readonly discount: string;
  readonly shipping: string;
  /** Missing: the sides have not agreed on them, or an earlier version made the record. */
  readonly tax?: string | undefined;
  readonly total?: string | undefined;
}

/**
 * The record of an order: the agreed state and the state that was sent last. A write that changes lines is on record before it is
 * sent. When the answer is lost, a side that shows the sent state has agreed to it.
 */
export interface BaseRecord {
  readonly agreed: OrderBase | null;
  readonly sent: SentBase | null;
  /** A status that was sent, until both sides are seen to agree. */
  readonly statusSent?: SentStatus | undefined;
  /** Earlier orders of the ERP for it, in whose place the ERP has put another one. */
  readonly former?: readonly string[] | undefined;
}

/** A status is on record before it is sent: a person may move it back before the answer is known. */
export interface SentStatus {
  readonly to: 'erp' | 'marketplace';
  /** The statuses on which both sides agree once the write is applied. */
  readonly statuses: Statuses;
  /** The status of that side before, and the time of its last change as that side tells it. */
  readonly from: string;
  readonly changedAt: string;
  readonly atMs: number;
}

export interface SentBase {
  readonly to: 'erp' | 'marketplace';
  /** The state on which both sides agree once the write is applied. */
  readonly base: OrderBase;
  readonly atMs: number;
}

/** Both sides' present quantities. */
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

/** `5 x SB-0001, 2 + 1.5 x SB-0002`, for a person. */
export function showQuantities(quantities: Quantities): string {
  return quantities.length === 0 ? 'nothing' : quantities.map(([sku, text]) => `${text} x ${sku}`).join(', ');
}

/**
 * The base by which the sides are compared now. When a side shows a line as it was sent, both sides agree on the sent line. When
 * both sides show a line alike, they agree on the line as shown.
 * @returns null: there is no state on which both sides are known to have agreed
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

/** The SKUs that differ from the base on one side alone, or differ from it on both sides in two ways. */
export function movedSince(base: Quantities, sides: BothQuantities): { marketplace: string[]; erp: string[] } {
  const [agreed, there, here] = [new Map(base), new Map(sides.marketplace), new Map(sides.erp)];
  const apart = differing(there, here);
  return {
    marketplace: apart.filter((sku) => there.get(sku) !== agreed.get(sku)),
    erp: apart.filter((sku) => here.get(sku) !== agreed.get(sku)),
  };
}

/** The SKUs whose quantities differ between the two. */
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

/** The price of a line: the price that both sides agreed on, or the price that was sent to the ERP. */
export function agreedPrices(record: BaseRecord | null): ReadonlyMap<number, AgreedPrice> {
  const all = [...(record?.sent?.base.prices ?? []), ...(record?.agreed?.prices ?? [])];
  return new Map(all.map((price) => [price.line, price]));
}

/** The statuses on which both sides agreed last. A sent status that its side shows is agreed. */
export function agreedStatuses(record: BaseRecord | null, now: Statuses): Statuses | null {
  const sent = record?.statusSent;
  if (sent !== undefined && now[sent.to] === sent.statuses[sent.to]) return sent.statuses;
  return record?.agreed?.statuses ?? null;
}

/** The record with the present SKUs. A product may have got another SKU since. */
export function underSkus(record: BaseRecord, presentSkus: ReadonlyMap<string, string>): BaseRecord {
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

/** The most earlier orders of the ERP that are remembered. */
const FORMER_KEPT = 20;

/** The record once another order of the ERP has taken the place of `from`: the agreement stays. */
export function inPlaceOf(record: BaseRecord | null, from: string, to: string): BaseRecord {
  const { agreed = null, sent = null, former = [] } = record ?? {};
  return {
    agreed: agreed === null ? null : { ...agreed, erpId: to },
    sent,
    former: [...former.filter((id) => id !== from && id !== to), from].slice(-FORMER_KEPT),
  };
}

/** null when the record is about another order of the ERP: then it says nothing. */
export function baseOf(record: BaseRecord | null, erpId: string): BaseRecord | null {
  const agreed = record?.agreed?.erpId;
  return agreed !== undefined && agreed !== erpId ? null : record;
}
