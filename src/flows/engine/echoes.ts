import { parseJson } from '../../http/json.ts';
import type { Known } from '../../shadow/context.ts';
import { type Echoes, echoesOf, type WireFields } from './fields.ts';

type Kind = 'product' | 'customer' | 'batch';

/** Remembers the values that were sent for an entity of the ERP, and the values that the marketplace showed then. */
export async function saveEchoes(context: Known, kind: Kind, erpId: string, sent: WireFields): Promise<void> {
  const { account, store } = context;
  const mapping = await store.mappings.byErpId(account, kind, erpId);
  if (mapping?.marketplaceId == null) return;
  const shown = await shownFields(context, kind, Number(mapping.marketplaceId));
  const echoes = echoesOf(sent, shown, JSON.parse(mapping.echoes) as Echoes);
  await store.mappings.saveEchoes(mapping.id, JSON.stringify(echoes));
}

/** The fields of a listing, a customer or a batch as the marketplace showed them last. */
export async function shownFields({ account, store }: Known, kind: Kind, id: number): Promise<WireFields> {
  const shown =
    kind === 'product'
      ? await store.products.raw(account, id)
      : (await store[kind === 'batch' ? 'batches' : 'customers'].get(account, id))?.content;
  return shown == null ? {} : (parseJson(shown) as WireFields);
}
