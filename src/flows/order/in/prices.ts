import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { type AgreedPrice, agreedPrices, baseOf } from '../../../domain/order-base.ts';
import { rankOf } from '../../../domain/status.ts';
import type { Units } from '../../../domain/units.ts';
import type { ErpOrderLine } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import { act, type Decision, hold } from '../../engine/decision.ts';
import { agreedBase } from './base.ts';
import { differingPrices, largestMove, roundedDecimals, showMoves, showPrices, type Wanted } from './compare.ts';
import { isEditable, pricesOnMarketplace } from './marketplace-lines.ts';
import type { OrderInAction, OrderInSnapshot } from './snapshot.ts';
import { agreedErpPrice } from './wanted.ts';

interface Priced {
  readonly step: Decision<OrderInAction> | null;
  readonly told: readonly Cause[];
  /** The ERP's price differs from the order's, so the totals cannot agree. */
  readonly isApart: boolean;
}

/**
 * An order keeps its export price. A later price on either side raises an alert. It replaces the export price only with
 * `prices: follow`, under the brake of prices.
 */
export function decidePrices(
  snapshot: OrderInSnapshot,
  stored: StoredOrder,
  erpOrder: StoredErpOrder,
  wanted: Wanted,
): Priced {
  const apart = differingPrices(wanted, erpOrder);
  const { number: order, rules } = snapshot;
  const isApart = apart.length > 0;
  // A complete order is final. Earlier alerts stay in the journal.
  const isOver = rankOf(stored.order.status) === 5;
  const shipped = erpOrder.status === 'shipped';
  const otherCases = wanted.moved.every(({ cases }) => cases !== null);
  const there = cause('price-moved', { order, moves: showMoves(wanted.moved, rules.currency), shipped, otherCases });
  const shown = ({ lines }: { readonly lines: readonly ErpOrderLine[] }) => showPrices(lines, apart, rules.currency);
  const [agreed, erp] = [shown(wanted), shown(erpOrder)];
  const rounded = isApart ? roundedDecimals(wanted, erpOrder, ({ unitPrice }) => unitPrice) : null;
  const here = cause('erp-price-differs', { order, erpOrder: erpOrder.id, agreed, erp, shipped, rounded });
  const tell = (...told: Cause[]): Priced => ({ step: null, told: isOver ? [] : told, isApart });
  if (rules.prices === 'agreed') {
    return tell(...(wanted.moved.length > 0 ? [there] : []), ...(isApart ? [here] : []));
  }
  if (!isApart) return tell();
  const moved = whoMoved(snapshot, wanted, erpOrder, apart);
  if (moved.marketplace && moved.erp) {
    const base = showMoves(wanted.moved, rules.currency);
    return {
      step: hold(cause('edited-on-both-sides', { order, erpOrder: erpOrder.id, base, there: agreed, erp })),
      told: [],
      isApart,
    };
  }
  if (moved.erp) {
    const isWritten = erpOrder.origin === 'erp' || rules.erpEdits === 'write';
    if (isWritten && isEditable(stored.order.status)) {
      return { step: pricesOnMarketplace({ snapshot, stored, erpOrder, wanted }, apart), told: [], isApart };
    }
    if (rules.erpEdits === 'hold' && !isOver) return { step: hold(here), told: [], isApart };
    return tell(here);
  }
  if (shipped || erpOrder.origin === 'erp') return tell(here);
  return { step: followInErp(snapshot, erpOrder, wanted, apart), told: [], isApart };
}

/** The sides that changed their price since the agreed or last sent one. */
function whoMoved(
  { base, rules: { units } }: OrderInSnapshot,
  { lines, prices, moved }: Wanted,
  erpOrder: StoredErpOrder,
  apart: readonly string[],
): { marketplace: boolean; erp: boolean } {
  const record = baseOf(base, erpOrder.id);
  const agreed = agreedPrices(record);
  const sent = new Map((record?.sent?.base.prices ?? []).map((price) => [price.line, price]));
  const isKnown = apart.every((sku) =>
    lines.every((line, at) => line.sku !== sku || agreed.has(prices[at]?.line ?? 0)),
  );
  if (!isKnown) return { marketplace: true, erp: false };
  const apartFrom = (known: ReadonlyMap<number, AgreedPrice>) => {
    const priced = lines.map((line, at) => atPrice(line, known.get(prices[at]?.line ?? 0), units));
    return differingPrices({ lines: priced }, erpOrder).some((sku) => apart.includes(sku));
  };
  return {
    marketplace: moved.some(({ sku }) => apart.includes(sku)),
    erp: apartFrom(agreed) && (sent.size === 0 || apartFrom(sent)),
  };
}

function atPrice(line: ErpOrderLine, known: AgreedPrice | undefined, units: Units): ErpOrderLine {
  return known === undefined ? line : { ...line, unitPrice: agreedErpPrice(known, units) };
}

function followInErp(
  { number, rules: { currency } }: OrderInSnapshot,
  erpOrder: StoredErpOrder,
  wanted: Wanted,
  apart: readonly string[],
): Decision<OrderInAction> {
  const { lines } = wanted;
  return act([
    {
      action: 'order-in.update',
      target: `ERP order ${erpOrder.id} of ${number}`,
      before: showPrices(erpOrder.lines, apart, currency),
      after: showPrices(lines, apart, currency),
      why: 'the price was changed on the marketplace',
      erpId: erpOrder.id,
      change: { lines },
      agreed: agreedBase(erpOrder.id, wanted),
      brake: 'price',
      changePercent: largestMove(erpOrder.lines, lines, apart),
    },
  ]);
}
