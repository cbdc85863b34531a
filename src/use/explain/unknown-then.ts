import type { Known } from '../../shadow/context.ts';
import type { MappingKind } from '../../store/links.ts';

const NOT_KEPT: Readonly<Record<MappingKind, string>> = {
  product:
    "The record of the past keeps the ERP's available figure, the orders and the writes: neither its figures on hand and reserved, " +
    'nor reservations that no known order explains. The buffer is that of the configuration now.',
  order: 'The record of an order keeps its statuses on both sides and the writes: neither its lines nor its amounts.',
  customer: 'The record of a customer keeps only the writes and the decisions.',
  payment: 'The record of a payment keeps only the writes and the decisions.',
  batch: 'The record of a batch keeps only the writes and the decisions.',
};

/** The facts that cannot be told of a moment of the past, in sentences. */
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
