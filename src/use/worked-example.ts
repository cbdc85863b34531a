import { workedProduct } from '../domain/worked-units.ts';
import type { AccountRecords } from '../shadow/context.ts';

/** The most products searched for one with several units a case. */
const MOST_LOOKED_AT = 200;

/** One product in both sides' units; null: the ERP has shown none. */
export async function workedExample({ account, config, store }: Pick<AccountRecords, 'account' | 'config' | 'store'>) {
  let first: Awaited<ReturnType<typeof store.erp.product>> = null;
  for (const id of await store.erp.productIds(account, '', MOST_LOOKED_AT)) {
    const product = await store.erp.product(account, id);
    first ??= product;
    if (product === null || product.unitMultiplier.equals(1)) continue;
    first = product;
    break;
  }
  if (first === null) return null;
  const available = (await store.erp.stock(account, first.id))?.available ?? null;
  return workedProduct(config.units, { ...first, available });
}
