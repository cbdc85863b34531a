import { stockDifferences } from './compare.ts';
import { lookAt, type Sides } from './sides.ts';

/** Counted on the two sides. */
export function figuresOf({ marketplace, erp }: Pick<Sides, 'marketplace' | 'erp'>) {
  const sides = lookAt({ marketplace, erp });
  const own = new Set(sides.erp.orders.filter(({ origin }) => origin === 'erp').map(({ id }) => id));
  const references = new Set(sides.erp.orders.map(({ reference }) => reference));
  const fromBuyers = sides.orders.filter(({ externalId }) => externalId === null || !own.has(externalId));
  const deliveries = marketplace.webhooks.deliveries();
  const lost = deliveries.filter(({ outcome }) => outcome === 'lost').length;
  return {
    /** Orders from buyers. */
    ordersIn: fromBuyers.length,
    /** Of these, the ones in the ERP. */
    exported: fromBuyers.filter(({ number }) => references.has(number)).length,
    /** All orders that the ERP shipped. */
    shipped: sides.erp.orders.filter(({ status }) => status === 'shipped').length,
    madeInErp: own.size,
    skus: sides.erp.stock.length,
    stockDifferences: stockDifferences(sides).length,
    webhooks: { sent: deliveries.length, lost },
    calls: { lastMinute: callsLastMinute(marketplace), perMinute: marketplace.settings().rate?.perMinute ?? 0 },
  };
}

export type Figures = ReturnType<typeof figuresOf>;

function callsLastMinute({ requestLog }: Sides['marketplace']): number {
  const sinceMs = Date.now() - 60_000;
  const calls = requestLog.calls();
  return calls.length - (calls.findLastIndex(({ at }) => Date.parse(at) < sinceMs) + 1);
}
