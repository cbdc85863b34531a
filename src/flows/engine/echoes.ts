import { isBefore } from '../../domain/instant.ts';
import { parseJson } from '../../http/json.ts';
import type { Known } from '../../shadow/context.ts';
import { echoesOf, type WireFields } from './fields.ts';

type Kind = 'product' | 'customer' | 'batch';

/**
 * Remembers the values that were sent for an entity of the ERP, and the values that the marketplace showed then. A row that
 * was read since may show a later change by a person, which is no echo.
 * @param answer the marketplace's answer to the write
 */
export async function saveEchoes(
  context: Known,
  kind: Kind,
  erpId: string,
  sent: WireFields,
  answer: unknown = null,
): Promise<void> {
  const { account, store } = context;
  const mapping = await store.mappings.byErpId(account, kind, erpId);
  if (mapping?.marketplaceId == null) return;
  const id = Number(mapping.marketplaceId);
  const isOvertaken = await wasReadSince(context, kind, id, answer);
  const shown = isOvertaken ? sent : await shownFields(context, kind, id);
  await store.mappings.saveEchoes(mapping.id, echoesOf(sent, shown, mapping.echoes));
}

/** Does the shadow have a later state of the entity than the answer? */
async function wasReadSince({ account, store }: Known, kind: Kind, id: number, answer: unknown): Promise<boolean> {
  const answered = modifiedOf(answer);
  if (answered === null || kind === 'batch') return false;
  const seen =
    kind === 'customer'
      ? (await store.customers.get(account, id))?.modified
      : modifiedOf(parseJson((await store.products.raw(account, id)) ?? 'null'));
  return seen != null && isBefore(answered, seen);
}

function modifiedOf(row: unknown): string | null {
  if (typeof row !== 'object' || row === null) return null;
  const { modified, modified_date: modifiedDate } = row as Readonly<Record<string, unknown>>;
  const at = modified ?? modifiedDate;
  return typeof at === 'string' ? at : null;
}

/** The fields of a listing, a customer or a batch as the marketplace showed them last. */
export async function shownFields({ account, store }: Known, kind: Kind, id: number): Promise<WireFields> {
  const shown =
    kind === 'product'
      ? await store.products.raw(account, id)
      : (await store[kind === 'batch' ? 'batches' : 'customers'].get(account, id))?.content;
  return shown == null ? {} : (parseJson(shown) as WireFields);
}
