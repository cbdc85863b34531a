import { isBefore } from '../../domain/instant.ts';
import { parseJson } from '../../http/json.ts';
import type { AccountRecords, Recording } from '../../shadow/context.ts';
import type { Echoes } from '../../store/links.ts';
import { echoesOf, type Replaced, type WireFields } from './fields.ts';
import type { WriteLook } from './flow.ts';
import { isNotApplied } from './not-applied.ts';
import type { SetBack } from './overwritten.ts';
import { reportRewritten } from './rewritten.ts';

type Kind = 'product' | 'customer' | 'batch';
type Echo = Echoes[string];

/**
 * Stores the values sent for an ERP entity, and how the marketplace showed them afterwards. A row read since may
 * contain a person's later change, which is no echo.
 * @param answer the marketplace's answer to the write
 */
export async function saveEchoes(
  context: Recording,
  kind: Kind,
  erpId: string,
  sent: WireFields,
  answer: unknown = null,
  { replaced, agreed }: SetBack = { replaced: {}, agreed: {} },
): Promise<void> {
  const { account, store } = context;
  const mapping = await store.mappings.byErpId(account, kind, erpId);
  if (mapping?.marketplaceId == null) return;
  const id = Number(mapping.marketplaceId);
  const isOvertaken = await wasReadSince(context, kind, id, answer);
  const all = { ...agreed, ...sent };
  const shown = isOvertaken ? all : await shownFields(context, kind, id);
  await store.mappings.saveEchoes(mapping.id, echoesOf(all, shown, mapping.echoes, { replaced, nowMs: context.now() }));
  if (!isOvertaken) await reportRewritten(context, { kind, erpId, sent, shown, before: mapping.echoes });
}

/**
 * Makes a write, and records people's values that it overwrites when it is sent, because the answer may be lost. A
 * write that was certainly not applied overwrites none.
 */
export async function writeReplacing<Answer>(
  context: AccountRecords,
  kind: Kind,
  look: WriteLook,
  replaced: Replaced,
  write: (look: WriteLook) => Promise<Answer>,
): Promise<Answer> {
  if (Object.keys(replaced).length === 0) return write(look);
  const { account, store, now } = context;
  const change = async (to: (before: Echo, was: string) => Echo) => {
    const mapping = await store.mappings.byErpId(account, kind, look.key);
    if (mapping === null) return;
    const changed = Object.entries(replaced).flatMap(([name, was]) => {
      const echo = mapping.echoes[name];
      return echo === undefined ? [] : [[name, to(echo, was)] as const];
    });
    await store.mappings.saveEchoes(mapping.id, { ...mapping.echoes, ...Object.fromEntries(changed) });
  };
  const sending = async () => {
    await change((echo, was) => ({ ...echo, replaced: { was, atMs: now() } }));
    await look.sending();
  };
  try {
    return await write({ ...look, sending });
  } catch (error) {
    if (isNotApplied(error)) await change(({ replaced: _none, ...echo }) => echo);
    throw error;
  }
}

/** Returns whether the shadow is newer than the answer. */
async function wasReadSince(
  { account, store }: AccountRecords,
  kind: Kind,
  id: number,
  answer: unknown,
): Promise<boolean> {
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

/** The marketplace's fields of a listing, customer or batch, as last read. */
export async function shownFields({ account, store }: AccountRecords, kind: Kind, id: number): Promise<WireFields> {
  const shown =
    kind === 'product'
      ? await store.products.raw(account, id)
      : (await store[kind === 'batch' ? 'batches' : 'customers'].get(account, id))?.content;
  return shown == null ? {} : (parseJson(shown) as WireFields);
}
