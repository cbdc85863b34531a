import { createTotalExcess, type TotalExcess } from '../domain/excess.ts';
import { replayStock, WAYS, type Way } from '../domain/oversold.ts';
import { countingLagsMs, medianMs } from '../domain/stock-past.ts';
import type { StrategyName } from '../domain/strategy.ts';
import { eachKey } from '../store/each-key.ts';
import type { HistorySpan } from '../store/stock.ts';
import { type Recorded, type RecordedProduct, recordedPast } from './stock-past.ts';

/** How many units each way of writing stock would have oversold. */
export interface HistoryReport extends HistorySpan {
  readonly account: string;
  /** The strategy that was active then. */
  readonly keptBy: StrategyName;
  /** The ERP's median delay in counting an order; null: none was counted, and 0 is used. */
  readonly lagMs: number | null;
  readonly products: number;
  /** Of these, the ones that cannot be replayed. */
  readonly notReplayed: number;
  readonly ways: readonly (Way & { readonly oversold: TotalExcess })[];
  /** Units ordered beyond the stock, whatever was written. */
  readonly short: TotalExcess;
}

const WORST_KEPT = 5;

/**
 * Replays an account's recorded past for each way of writing stock, without calls or writes. null: no records since the
 * active strategy began.
 */
export async function replayHistory(
  context: Recorded,
  signal: AbortSignal,
  onProduct: (looked: number) => void,
): Promise<HistoryReport | null> {
  const { account, config, store } = context;
  const sinceMs = (await store.history.strategyChangedAtMs(account)) ?? 0;
  const span = await store.history.span(account, sinceMs);
  if (span === null) return null;
  const keptBy = (await store.strategies.inForce(account)) ?? config.inventory.strategy;
  const lags: number[] = [];
  let looked = 0;
  const each = async function* (): AsyncGenerator<RecordedProduct> {
    for await (const productId of eachKey(account, store.history.productIds, signal)) {
      onProduct((looked += 1));
      const recorded = await recordedPast(context, productId, sinceMs);
      if (recorded !== null) yield recorded;
    }
  };
  for await (const { past } of each()) if (past !== null) lags.push(...countingLagsMs(past, keptBy));
  const lagMs = medianMs(lags);
  const totals = WAYS.map((way) => ({ way, oversold: createTotalExcess(WORST_KEPT) }));
  const short = createTotalExcess(WORST_KEPT);
  const likeKept = WAYS.find(({ strategy, ledger }) => ledger && strategy === keptBy);
  let products = 0;
  let notReplayed = 0;
  for await (const { sku, past } of each()) {
    products += 1;
    if (past === null) notReplayed += 1;
    else {
      for (const { way, oversold } of totals) {
        const replayed = replayStock(past, way, { keptBy, lagMs: lagMs ?? 0 }, config.inventory.buffer);
        oversold.add(sku, replayed.oversold);
        if (way === likeKept) short.add(sku, replayed.short);
      }
    }
  }
  return {
    account,
    ...span,
    keptBy,
    lagMs,
    products,
    notReplayed,
    ways: totals.map(({ way, oversold }) => ({ ...way, oversold: oversold.total() })),
    short: short.total(),
  };
}
