import { withoutBrake } from '../../domain/action.ts';
import { Decimal } from '../../domain/decimal.ts';
import type { LedgerLine } from '../../domain/ledger.ts';
import { observeStock } from '../../flows/stock/observe.ts';
import type { Known } from '../../shadow/context.ts';
import type { StockSum } from './explanation.ts';
import { sumOfStock } from './ledger.ts';

/** The most orders whose statuses are looked up. */
const MOST_STATUSES = 200;
/** The most writes of a stock figure that are looked at. */
const WRITES = 50;

/** The sum that makes the stock figure of a product, from the present records; null where there is none. */
export async function stockNow(context: Known, productId: string): Promise<StockSum | null> {
  const { account, config, store } = context;
  if (config.facilities !== null) return null;
  const { listing, stock, lines, rules } = await observeStock(context, productId);
  const row = await store.erp.stock(account, productId);
  if (stock === null || listing?.managed !== true) return null;
  return sumOfStock({
    strategy: rules.strategy.name,
    field: rules.write,
    erp: { onHand: row?.onHand ?? null, reserved: row?.reserved ?? null, available: stock.available, asOf: stock.asOf },
    buffer: rules.buffer,
    lines,
    statuses: await statusesOf(context, lines),
    shown: rules.write === 'quantity' ? listing.quantity : listing.available,
    written: await writtenUntil(context, productId, undefined),
  });
}

async function statusesOf({ account, store }: Known, lines: readonly LedgerLine[]): Promise<Map<string, string>> {
  const numbers = [...new Set(lines.flatMap(({ order }) => order ?? []))].slice(0, MOST_STATUSES);
  const found = await Promise.all(numbers.map((number) => store.orders.get(account, number)));
  return new Map(found.flatMap((stored) => (stored === null ? [] : [[stored.order.number, stored.order.status]])));
}

/** The last stock write until a moment that was made. */
export async function writtenUntil(
  { account, store }: Pick<Known, 'account' | 'store'>,
  productId: string,
  untilMs: number | undefined,
): Promise<StockSum['written']> {
  const rows = await store.journal.of(account, 'stock', productId, WRITES, untilMs);
  const write = rows.find(({ action, outcome }) => withoutBrake(action) === 'stock.write' && outcome === 'written');
  if (write?.after == null) return null;
  return { figure: new Decimal(write.after).toFixed(), at: new Date(write.atMs).toISOString() };
}
