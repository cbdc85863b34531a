import { stockRowName } from '../domain/erp-place.ts';
import type { Misfit } from '../erp/connector.ts';
import type { Lane } from '../marketplace/quota.ts';
import type { WorkKey } from '../store/work.ts';
import type { Known } from './context.ts';

type Shadowed = Pick<Known, 'account' | 'store'>;
export type ErpCollection = 'erp-products' | 'erp-stock' | 'erp-orders' | 'erp-payments' | 'erp-customers';

/** Rows of the ERP that do not fit the contract. Their entities are looked at, and held, until a row fits again. */
export async function recordErpMisfits(
  { account, store }: Shadowed,
  collection: ErpCollection,
  misfits: readonly Misfit[],
  lane: Lane,
): Promise<void> {
  const found = [];
  const targets: WorkKey[] = [];
  for (const misfit of misfits) {
    const ids = misfit.id === null ? await idsBySku({ account, store }, misfit.sku) : [misfit.id];
    const names = ids.map((id) => stockRowName({ ...misfit, productId: id }));
    for (const what of names.length > 0 ? names : [misfit.what]) found.push({ ...misfit, what });
    for (const id of ids) targets.push(...(await flowsOf({ account, store }, collection, id)));
  }
  await store.misfits.record(account, collection, found);
  if (targets.length > 0) await store.work.mark(targets, lane, 'a row of the ERP does not fit');
}

async function idsBySku({ account, store }: Shadowed, sku: string | null): Promise<string[]> {
  return sku === null ? [] : (await store.erp.productsBySku(account, sku)).map(({ id }) => id);
}

async function flowsOf({ account, store }: Shadowed, collection: ErpCollection, id: string): Promise<WorkKey[]> {
  if (collection === 'erp-products') return [{ account, flow: 'product', key: id }];
  if (collection === 'erp-stock') return [{ account, flow: 'stock', key: id }];
  if (collection === 'erp-customers') return [{ account, flow: 'customer-out', key: id }];
  if (collection === 'erp-payments') return [{ account, flow: 'payment-out', key: id }];
  const known = await store.erp.order(account, id);
  const mapping = await store.mappings.byErpId(account, 'order', id);
  const number = mapping?.marketplaceId ?? (known?.origin === 'marketplace' ? known.reference : null);
  const itself = { account, flow: 'order-out', key: id };
  return number === null ? [itself] : [itself, { account, flow: 'order-in', key: number }];
}
