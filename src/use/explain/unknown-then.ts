import type { Known } from '../../shadow/context.ts';
import type { MappingKind } from '../../store/links.ts';

const NOT_KEPT: Readonly<Record<MappingKind, string>> = {
  product:
    "Of the past, the ERP's available figure, the orders and the writes are kept: neither its figures on hand and reserved, nor " +
    'reservations that no known order explains. The buffer is that of the configuration now.',
  order:
    'Of the past of an order, its statuses on both sides and the writes are kept: neither its lines nor its amounts.',
  customer: 'Of the past of a customer, only what was written and decided is kept.',
  payment: 'Of the past of a payment, only what was written and decided is kept.',
  batch: 'Of the past of a batch, only what was written and decided is kept.',
};

/** What cannot be told of a moment of the past. */
export async function unknownThen(
  { account, store, config }: Known,
  kind: MappingKind,
  atMs: number,
): Promise<string[]> {
  const changedAtMs = kind === 'product' ? await store.history.strategyChangedAtMs(account) : null;
  const isChanged = changedAtMs !== null && changedAtMs > atMs;
  const changed = `The strategy has changed since: the sum is by ${config.inventory.strategy}, which came at `;
  return [NOT_KEPT[kind], ...(isChanged ? [`${changed}${new Date(changedAtMs).toISOString()}.`] : [])];
}
